"""What secrets and personal data look like: one table, by vendor, form and name.

`secret_tokens` has what starts as its vendor says. `NAMED` finds a value by the name
beside it. `FORMS` are all other shapes; a pattern is tried only where one of its words
occurs in the text, in lower case. No pattern repeats a repetition, and every run that
may be long starts in one place only, so the time grows with the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from experience_pack.text.redaction import PERSONAL, SECRET
from experience_pack.text.secret_values import (
    any_password,
    block,
    chinese_id,
    credential,
    dense,
    filled,
    mail,
    named_key,
    pem,
    phone,
    prose_password,
    quoted_password,
    user_and_password,
)

Check = Callable[[str], bool]


class Form(NamedTuple):
    """A shape; its group `v` is what is hidden, otherwise all of it."""

    name: str
    words: tuple[str, ...]
    """Of these one occurs in a text, in lower case, wherever the pattern matches."""
    pattern: re.Pattern[str]
    check: Check = filled
    family: str = SECRET


def _form(
    name: str,
    words: str,
    pattern: str,
    check: Check = filled,
    family: str = SECRET,
) -> Form:
    return Form(name, tuple(words.split("|")), re.compile(pattern), check, family)


_B64 = r"[A-Za-z0-9+/]"
FORMS = (
    _form(
        "private key",
        "-----begin",
        r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:[^-]|-(?!----))*+(?:-----END [A-Z0-9 ]{3,50}-----)?",
        pem,
    ),
    _form(
        "private key", "ls0tls1crudjti", r"LS0tLS1CRUdJTi[A-Za-z0-9+/]++={0,2}", block
    ),
    _form(
        "ppk key",
        "private-lines:",
        r"Private-Lines: \d{1,4}\r?\n(?P<v>[A-Za-z0-9+/=\r\n]+)",
    ),
    _form(
        "jwt",
        "eyj",
        r"eyJ(?<![\w-]eyJ)[\w-]{8,}\."
        r"(?:eyJ[\w-]{4,}\.[\w-]*|[\w-]*\.[\w-]*\.[\w-]*\.[\w-]+)",
        dense,
    ),
    _form("jwt", "zxlk", r"ZXlK(?<![\w-]ZXlK)[A-Za-z0-9+/_-]{60,}={0,2}", dense),
    _form("grafana key", "eyjr", rf"eyJrIjoi{_B64}{{40,}}={{0,2}}", dense),
    _form(
        "url password",
        "://",
        r"://[^\s/:@'\"<>‹›]{0,80}:(?P<v>[^\s/@'\"<>‹›]{1,200})@(?=[\w\[{.-])",
        any_password,
    ),
    _form(
        "url password",
        "jdbc:|server=|host=|amqp|data source",
        r"[Pp](?i:assword|wd)=(?P<v>[^;&\s'\"<>‹›]{4,80}+)(?=[;&'\"\s]|$)",
        filled,
    ),
    _form(
        "azure key",
        "accountkey=|sharedaccesskey=",
        r"(?:AccountKey|SharedAccessKey)=(?P<v>[A-Za-z0-9+/]{40,}={0,2})",
    ),
    _form("azure sas", "sig=", r"[?&]sig=(?P<v>[A-Za-z0-9%+/]{40,}(?:%3D|=)?)", dense),
    _form(
        "azure client secret",
        "q~",
        r"[\w.~-](?<![\w.~-].)[\w.~-]{2}\dQ~[\w.~-]{31,34}(?![\w.~-])",
        dense,
    ),
    _form(
        "azure key",
        "jqqj99",
        r"(?<![A-Za-z0-9+/])[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}(?![A-Za-z0-9])",
    ),
    _form(
        "azure key",
        "azdo",
        r"(?<![A-Za-z0-9+/])[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9])",
        block,
    ),
    _form(
        "terraform token",
        ".atlasv1.",
        r"[A-Za-z0-9](?<![A-Za-z0-9]{2})[A-Za-z0-9]{13}\.atlasv1\.[\w=-]{60,70}",
    ),
    _form(
        "password hash",
        "$1$|$5$|$6$|$7$|$8$|$9$|$y$|$gy$",
        r"\$(?:[156789]|g?y)\$(?:rounds=\d{1,9}\$)?[\w./]{1,40}\$[\w./]{22,90}",
    ),
    _form("password hash", "$2", r"\$2[abxy]?\$\d\d\$[A-Za-z0-9./]{53}"),
    _form(
        "password hash",
        "$argon2|pbkdf2|scrypt|{ssha",
        r"\$argon2(?:id|i|d)\$[\w=,$+/]{20,300}|pbkdf2[_:][\w:]{2,20}\$\d{3,8}\$[\w./+=$-]{20,200}|\{SSHA(?:256|512)?\}[A-Za-z0-9+/]{28,120}={0,2}",
    ),
    _form("password hash", "$krb5", r"\$krb5(?:asrep|tgs|pa)\$\d\d\$[^\s‹›'\"]{20,}"),
    _form("password hash", "$apr1$", r"\$apr1\$[\w./]{1,8}\$[\w./]{22}"),
    _form(
        "slack webhook",
        "hooks.slack",
        r"hooks\.slack\.com/(?P<v>(?:services|workflows|triggers)/"
        r"[A-Za-z0-9]{6,}/[\w/]{12,})",
    ),
    _form(
        "teams webhook",
        "webhook",
        r"(?:office\.com/webhook|office\.com/webhookb2)/"
        r"(?P<v>[\w@-]{60,}/IncomingWebhook/[\w/-]{30,})",
    ),
    _form(
        "discord webhook",
        "/api/webhooks/",
        r"/api/webhooks/(?P<v>\d{15,20}/[\w-]{50,})",
    ),
    _form(
        "chat webhook",
        "qyapi.weixin|oapi.dingtalk|open.feishu|open.larksuite",
        r"(?:key=|access_token=|/hook/)(?P<v>[\w-]{20,})",
        dense,
    ),
    _form("telegram token", ":aa", r"\d(?<!\d\d)\d{7,9}:AA[\w-]{32,34}(?![\w-])"),
    _form(
        "discord token",
        ".",
        r"[MNO](?<![\w.-].)[A-Za-z0-9_-]{23,25}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])",
        dense,
    ),
    _form("facebook token", "|", r"\d(?<!\d\d)\d{14,15}(?:\||%7C)[\w-]{27,40}", dense),
    _form("truenas key", "-", r"\d(?<![\w-]\d)\d{0,2}-[A-Za-z0-9]{64}(?!\w)", dense),
    _form(
        "mailchimp key", "-us", r"[0-9a-f](?<!\w\w)[0-9a-f]{31}-us\d{1,2}(?!\w)", dense
    ),
    _form(
        "new relic key",
        "nral",
        r"[0-9a-z](?<!\w\w)[0-9a-z]{35}NRAL(?!\w)",
        any_password,
    ),
    _form(
        "kubernetes token",
        "token",
        r"[a-z0-9](?<![\w.].)[a-z0-9]{5}\.[a-z0-9]{16}(?![\w.])",
    ),
    _form("okta token", "okta", r"00(?<![\w-]00)[\w-]{40}(?![\w-])", any_password),
    _form(
        "bundle key",
        "contribsys",
        r"(?i:CONTRIBSYS__COM)[\"']?\s{0,3}[:=]\s{0,3}[\"']?"
        r"(?P<v>[0-9a-f]{8}:[0-9a-f]{8})",
    ),
    _form("sidekiq key", "contribsys.com", r"//(?P<v>[0-9a-f]{8}:[0-9a-f]{8})@"),
    _form(
        "authorization",
        "authorization",
        r"[Aa](?i:uthorization)\\?[\"'`]?\s{0,3}[:=,]\s{0,3}\\?[\"'`]{0,1}"
        r"(?:(?i:basic|bearer|token|api-token|ssws|apikey|key|digest|bot|splunk)"
        r"[ =]\s{0,3})?"
        r"(?P<v>[^\s\"'`,;<>{}$()\[\]‹›\\]{8,})",
        credential,
    ),
    _form(
        "authorization",
        "bearer ",
        r"[Bb]earer {1,3}(?P<v>[A-Za-z0-9][\w.~+/=-]{15,})",
        dense,
    ),
    _form(
        "curl password",
        "curl|wget|http",
        r"-(?<![\w-]-)(?:u|-user|-proxy-user)[ =]{0,3}[\"']?"
        r"(?P<v>[^\s\"'‹›]{0,80}[\"']{0,2}:[\"']{0,2}[^\s\"'‹›]{0,120})",
        user_and_password,
    ),
    _form(
        "command password",
        "docker login|mysql|sshpass|psql|--password|-password",
        r"(?:-[Pp]assword[ =]|sshpass -p ?)[\"']?(?P<v>[^\s\"'‹›]{4,80})",
        any_password,
    ),
    _form(
        "command secret",
        "-",
        r"-(?<![\w-]-)-?(?:[A-Za-z]{1,15}-){0,3}+[A-Za-z]{0,15}?"
        r"(?i:token|secret|key)[ =]{1,3}[\"']?"
        r"(?P<v>[^\s\"'`,;<>{}$()‹›]{10,300})",
        named_key,
    ),
    _form(
        "command password",
        "docker login|mysql",
        r"(?:docker login|mysql(?:dump|admin)?)(?=[ ])[^\n‹›]{0,80}? -p"
        r" ?(?P<v>[^\s\"'‹›]{6,80})",
        quoted_password,
    ),
    _form(
        "registry password",
        '"auth"',
        r"\"auth\":\s{0,3}\"(?P<v>[A-Za-z0-9+/]{12,400}={0,2})\"",
        dense,
    ),
    _form(
        "netrc password",
        "machine",
        r"machine\s{1,9}\S{1,80}\s{1,9}login\s{1,9}\S{1,80}\s{1,9}password\s{1,9}"
        r"(?P<v>[^\s‹›]{3,80})",
        any_password,
    ),
    _form(
        "block password",
        "password",
        r"username\s{1,4}[\"'][^\"'\n]{1,80}[\"']\s{1,20}password\s{1,4}[\"']"
        r"(?P<v>[^\"'\n‹›]{3,80})[\"']",
        any_password,
    ),
    _form(
        "paired password",
        "user",
        r"[Uu](?i:ser(?:name)?)\s{0,9}=\s{0,3}[\w.@-]{2,60}\s{0,9}\n(?:[ \t]{0,9}"
        r"(?://|#)[^\n]{0,120}\n){0,4}"
        r"[ \t]{0,9}(?i:password|passwd)\s{0,9}=\s{0,3}(?P<v>[^\s\"'.()‹›]{6,80})"
        r"[ \t]{0,9}(?:\n|$)",
        any_password,
    ),
    _form(
        "credential password",
        "networkcredential|directoryentry",
        r"(?:NetworkCredential|DirectoryEntry)\(\s{0,20}"
        r"(?:[\"'][^\"'\n]{1,120}[\"'],\s{0,20}){1,2}[\"'](?P<v>[^\"'\n‹›]{3,80})[\"']",
        any_password,
    ),
    _form(
        "credential password",
        "convertto-securestring",
        r"(?i:ConvertTo-SecureString)\s{1,3}(?:-String\s{1,3})?"
        r"[\"'](?P<v>[^\"'\n‹›]{4,80})[\"']",
        any_password,
    ),
    _form(
        "spoken password",
        "password",
        r"[Pp](?i:assword(?: for (?:the )?"
        r"(?:user |account )?[\"'`]?[\w.@-]{1,40}[\"'`]?)? (?:is|was|to) )[\"'`]"
        r"(?P<v>[^\s\"'`‹›]{4,60})[\"'`]",
        any_password,
    ),
    _form(
        "spoken password",
        "password|passcode|passphrase",
        r"[Pp](?i:ass(?:word|code|phrase)(?: for [\w.@ -]{1,30})? (?:is|was)"
        r"[ :]{1,3})(?P<v>[^\s\"'`‹›,]{6,60})",
        prose_password,
    ),
    _form(
        "spoken password",
        "密码|口令|密钥|令牌|授权码|访问码|私钥|凭证",
        r"(?:密码|口令|密钥|令牌|授权码|访问码|私钥|凭证)[^\s:：=是为‹›]{0,6}"
        r"(?:是|为|设为|改成|[:：= ])\s{0,3}"
        r"[\"'“‘「`]?(?P<v>[!-~]{4,200})",
        prose_password,
    ),
    _form(
        "wireguard key",
        "privatekey|presharedkey",
        r"(?:PrivateKey|PresharedKey)\s{0,3}=\s{0,3}(?P<v>[A-Za-z0-9+/]{43}=)",
    ),
    _form(
        "mail",
        "@",
        r"[A-Za-z0-9](?<![\w.+-].)[\w.+-]{0,63}+@[A-Za-z0-9-]{1,63}(?:\."
        r"[A-Za-z0-9-]{1,63}){1,4}(?![\w-])",
        mail,
        PERSONAL,
    ),
    _form(
        "phone",
        "+",
        r"\+(?<![\w+.].)\d{1,3}[ -]?(?:\(\d{1,4}\)[ -]?)?\d{2,5}(?:"
        r"[ -]?\d{2,5}){1,4}(?![\w-])",
        phone,
        PERSONAL,
    ),
    _form(
        "phone",
        "1",
        r"1(?<![\w.+-].)[3-9]\d(?:\d{8}|-\d{4}-\d{4}| \d{4} \d{4})(?![\w.-]\d|[\w])",
        phone,
        PERSONAL,
    ),
    _form("phone", "-", r"0(?<![\w.-].)\d{2,3}-\d{7,8}(?![\w-])", phone, PERSONAL),
    _form(
        "national id",
        "1|2|3|4|5|6|7|8|9",
        r"[1-9](?<![\w.-].)\d{5}(?:19|20)\d{9}[\dXx](?![\w-])",
        chinese_id,
        PERSONAL,
    ),
    _form(
        "national id",
        "-",
        r"\d(?<![\w.-].)(?<!9)\d\d(?<!000)(?<!666)-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])",
        filled,
        PERSONAL,
    ),
    _form(
        "home",
        "/home/|/users/|\\users\\",
        r"[/\\](?<![\w.‹›].)(?:home|[Uu]sers)[/\\]{1,2}(?P<v>[\w.-]{1,40})(?![\w.-])",
        filled,
        PERSONAL,
    ),
)
"""All other shapes, the surest first."""
