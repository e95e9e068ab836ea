"""Phrases, commands and addresses that a reviewer should see; tables of words.

Each row is a pattern beside words of which one has to occur, in lower case, before
the pattern can match: looking for words is many times quicker than for patterns.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Phrase(NamedTuple):
    """One row of a table."""

    words: tuple[str, ...]
    """Of these at least one occurs wherever the pattern matches."""
    pattern: re.Pattern[str]


def _row(words: str, pattern: str) -> Phrase:
    flags = re.IGNORECASE | re.MULTILINE
    return Phrase(tuple(words.split("|")), re.compile(pattern, flags))


_ORDERS = (
    r"(?:instructions?|prompts?|guidelines|directives?|directions|orders|"
    r"(?:safety |system )?rules|restrictions|safeguards|polic(?:y|ies)|programming|"
    r"system message|training|context|messages)"
)
_EARLIER = (
    r"(?:previous|prior|above|earlier|preceding|former|foregoing|original|initial|"
    r"your|system|safety|all|any|every|everything)"
)
_PERSON = (
    r"(?:the )?(?:user|users|human|humans|person|people|operator|owner|anyone|anybody)"
)
_PERSONS = "user|human|person|people|operator|owner|anyone|anybody"
_SECRETS = (
    r"(?:secrets?|credentials?|tokens?|(?:api |private |ssh )?keys?|passwords?|"
    r"environment(?: variables)?|conversation|chat history|cookies|contents)"
)
_MODELS = r"(?:ai|assistants?|models?|agents?|llms?|language models?)"

INJECTION = (
    _row(
        "ignore|disregard|forget|override|bypass|discard",
        rf"\b(?:ignore|disregard|forget|override|bypass|discard)(?: \w+){{0,2}}? "
        rf"{_EARLIER}(?: of| the| your| my| these| those){{0,2}}"
        rf"(?: {_EARLIER}){{0,2}} {_ORDERS}\b",
    ),
    _row(
        "ignore|disregard|forget",
        r"\b(?:ignore|disregard|forget) (?:everything|all|anything|what) "
        r"(?:\w+ ){0,4}(?:above|before|so far|told|said)\b",
    ),
    _row(
        "you are ",
        r"\byou are (?:now|no longer|from now on) (?:an? |the |my |acting|free|bound|"
        r"unrestricted|unbound|dan\b|jailbroken|restricted|subject|allowed to ignore|"
        r"in (?:developer|god|admin|debug) mode)",
    ),
    _row(
        "from now on|pretend|act as ",
        r"\bfrom now on,? you\b|\bpretend (?:to be|that you|you)\b"
        r"|\bact as (?:if you|though you|an? unrestricted|dan\b|root\b)",
    ),
    _row(
        _PERSONS,
        r"\b(?:do not|don't|never|without) (?:ever |first )?"
        r"(?:tell|inform|mention|ask|alert|warn|notify|show|reveal|notifying)(?:ing)?"
        rf"(?: to| this to| it to| any of this to)? {_PERSON}\b",
    ),
    _row(
        _PERSONS,
        r"\b(?:hide|conceal|keep) (?:this|it|that|the \w+) (?:from|secret from) "
        rf"{_PERSON}\b",
    ),
    _row(
        "reveal|print|show|repeat|output|leak|disclose",
        r"\b(?:reveal|print|show|repeat|output|leak|disclose) (?:me )?"
        r"(?:your|the (?:full |entire |whole )?"
        r"(?:hidden|initial|secret|system|original)) "
        r"(?:full |entire |hidden |initial |secret |system ){0,2}"
        rf"(?:prompt|{_ORDERS})\b",
    ),
    _row(
        "send|post|upload|forward|exfiltrate|mail|leak",
        r"\b(?:send|post|upload|forward|exfiltrate|e-?mail|leak) "
        rf"(?:\w+ ){{0,4}}?{_SECRETS}\b[^.\n]{{0,40}}?\bto "
        r"(?:https?:|[\w.+-]{1,64}@|this (?:address|url|server))",
    ),
    _row(
        "important|attention|note|message|instruction|reminder",
        r"\b(?:important|attention|note|message|instructions?|reminder) (?:to|for) "
        rf"(?:the |any |all )?{_MODELS}\b",
    ),
    _row(
        "comes from |is from ",
        r"\b(?:this|the following) (?:message|instruction|order|note) "
        r"(?:is|comes) from (?:the )?"
        r"(?:system|developers?|administrators?|openai|anthropic|google)\b",
    ),
    _row(
        "as a",
        r"\bas an? (?:ai(?: assistant| model| agent)?|language model|assistant),? you "
        r"(?:must|should|will|have to)\b",
    ),
    _row(
        "instruction|prompt|developer mode|jailbreak",
        r"^\s{0,8}(?:new|updated|real) (?:system )?(?:instructions?|prompt)\s{0,3}:"
        r"|\bdeveloper mode (?:is )?(?:on|enabled|activated)\b"
        r"|\bjailbreak(?: mode)?\b",
    ),
    _row(
        "<|[",
        r"</?(?:system|assistant|instructions?|user)>|\[/?INST\]"
        r"|<\|(?:im_start|im_end|system|assistant|endoftext)\|>",
    ),
    _row(
        "忽略|无视|忘记|忘掉|理会|遵守|抛开|绕过|覆盖|丢掉",
        "(?:忽略|无视|忘记|忘掉|不要理会|不要遵守|不必遵守|不用遵守|抛开|绕过|覆盖|丢掉)"
        "[^。！\n]{0,4}?(?:之前|以前|先前|以上|前面|上面|上述|此前|原有|原来|所有|全部|任何|"
        "一切|你|您|系统|安全)[^。！\n]{0,8}?"
        "(?:指令|指示|命令|提示词|提示|规则|准则|设定|约束|限制|要求|对话)",
    ),
    _row(
        "告诉|告知|提醒|通知|询问|征求|透露给|提示|让",
        "(?:不要|别|切勿|无需|不必|不用|不得|禁止)再?"
        "(?:告诉|告知|提醒|通知|询问|征求|透露给|提示|让)"
        "[^。！，\n]{0,3}?(?:用户|使用者|对方|任何人|人类|主人|操作员)",
    ),
    _row(
        "瞒着|背着|绕过|避开",
        "(?:瞒着|背着|绕过|避开)(?:用户|使用者|人类|主人|审核|审查|人工确认)",
    ),
    _row(
        "你|扮演",
        "你(?:现在|从现在起|从此|今后)(?:是|扮演|不再|没有|不受)"
        "|从现在(?:开始|起)[，,]?你|(?:假装|假设)你(?:是|没有|不受)"
        "|扮演(?:一个|一名)?(?:没有|不受|越狱)",
    ),
    _row(
        "系统提示|系统指令|初始指令|隐藏指令",
        "(?:输出|打印|显示|泄露|透露|复述|告诉我|说出)(?:你|您)?的?"
        "(?:完整|全部|隐藏|初始)?的?"
        "(?:系统提示词|系统提示|系统指令|初始指令|隐藏指令)",
    ),
    _row("模式", "开发者模式|越狱模式|上帝模式|无限制模式"),
    _row(
        "作为",
        "作为(?:一个|一名)?(?:AI|人工智能|智能助手|助手|大模型|语言模型)[，,]?你?"
        "(?:必须|应当|应该|只能|要)",
    ),
    _row(
        "系统|管理员|开发者|官方",
        "(?:以下|本条|这条|下面)(?:内容)?(?:是|为)?(?:来自)?"
        "(?:系统|管理员|开发者|官方)的?(?:消息|指令|指示|命令|通知)",
    ),
    _row(
        "确认|同意|批准|许可|审核",
        "(?:无需|不需要|未经|不经|不用)(?:用户|人工|任何人|对方)?"
        "(?:确认|同意|批准|许可|审核)[，,]?(?:就|即可|直接|立即|可以)[^。\n]{0,4}"
        "(?:执行|删除|发送|运行|上传|提交|付款|转账)",
    ),
    _row(
        "密钥|密码|令牌|凭据|凭证|聊天记录|对话|环境变量|私钥",
        "[把将][^。\n]{0,20}?"
        "(?:密钥|密码|令牌|凭据|凭证|聊天记录|对话|环境变量|私钥)[^。\n]{0,10}?"
        "(?:发送|上传|发|转发|提交|寄)(?:到|给|至)",
    ),
    _row(
        "给|致",
        "(?:给|致)(?:AI|人工智能|模型|助手|智能体)的(?:说明|指令|提示|留言|指示)",
    ),
)
"""What speaks to a model, in English and Chinese."""

COMMAND = (
    _row("rm ", r"\brm +(?:-[a-z-]{1,20} +){0,3}?-[a-z]{0,6}[rf]"),
    _row(
        "curl|wget|iwr|invoke-web",
        r"\b(?:curl|wget|iwr|invoke-webrequest)\b[^|\n]{0,200}\| *(?:sudo +)?"
        r"(?:(?:ba|z|k|da)?sh|python3?|perl|node|iex)\b",
    ),
    _row(
        "base64|eval|source",
        r"\bbase64 +(?:-d|--decode)|\beval +[\"'`$(]|\bsource +<\(",
    ),
    _row(
        "powershell|iex|invoke-expression",
        r"\bpowershell\b[^\n]{0,80} -e(?:nc|ncodedcommand)?\b"
        r"|\b(?:iex|invoke-expression)\b",
    ),
    _row("sudo|doas|runas", r"\b(?:sudo|doas|runas) +[-\w/]"),
    _row(
        "chmod|chown|mkfs|dd |/dev/",
        r"\bchmod +(?:-R +)?[0-7]?777\b|\bchown +-R\b|\bmkfs\.|\bdd +if="
        r"|> *\/dev\/sd[a-z]|/dev/tcp/",
    ),
    _row(
        "git ",
        r"\bgit +push +(?:[\w/-]+ +){0,2}(?:-f|--force)\b|\bgit +clean +-[a-z]{0,6}f"
        r"|\bgit +reset +--hard\b",
    ),
    _row(
        "drop |truncate |delete ",
        r"\bdrop +(?:table|database|schema)\b|\btruncate +table\b"
        r"|\bdelete +from +\w+ *;|\bkubectl +delete\b",
    ),
    _row(
        "del |rd |format |remove-item",
        r"\bdel +/[sqf]\b|\brd +/s\b|\bformat +[a-z]:"
        r"|\bremove-item\b[^\n]{0,60}-recurse",
    ),
    _row(
        "nc |history|crontab|()",
        r"\bnc +-[a-z]{0,4}e\b|\bhistory +-c\b|\bcrontab +-r\b|:\(\) *\{",
    ),
    _row(
        "terraform|docker|shutdown|kill",
        r"\bterraform +destroy\b|\bdocker +system +prune\b"
        r"|\bshutdown +(?:-[hr]|now|/s)|\bkill(?:all)? +-9\b",
    ),
)
"""Commands that destroy, escalate, or run what they fetched."""

LINK = (
    _row(
        "://|javascript:|data:|git@|www.",
        r"\b(?:https?|ftps?|ssh|wss?|git)://[^\s<>\"')\]，。；、）]{1,200}|\bjavascript:"
        r"|\bdata:text/html|\bgit@[\w.-]{1,80}:[\w./-]{1,100}"
        r"|\bwww\.[a-z0-9-]{1,60}\.[a-z]{2,10}\b",
    ),
)
"""Addresses outside."""
