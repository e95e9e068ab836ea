"""Phrases, keys, commands and addresses that a reviewer should see; tables of words."""

from __future__ import annotations

import re


def _any(*parts: str) -> re.Pattern[str]:
    return re.compile("|".join(parts), re.IGNORECASE)


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
_SECRETS = (
    r"(?:secrets?|credentials?|tokens?|(?:api |private |ssh )?keys?|passwords?|"
    r"environment(?: variables)?|conversation|chat history|cookies|contents)"
)

INJECTION = _any(
    rf"\b(?:ignore|disregard|forget|override|bypass|discard)(?: \w+){{0,2}}? {_EARLIER}"
    rf"(?: of| the| your| my| these| those){{0,2}}(?: {_EARLIER})?(?: {_EARLIER})? "
    rf"{_ORDERS}\b",
    r"\b(?:ignore|disregard|forget) (?:everything|all|anything|what) (?:\w+ ){0,4}"
    r"(?:above|before|so far|told|said)\b",
    r"\byou are (?:now|no longer|from now on) (?:an? |the |my |acting|free|"
    r"unrestricted|"
    r"unbound|bound|dan\b|jailbroken|restricted|subject|allowed to ignore|"
    r"in (?:developer|god|admin|debug) mode)",
    r"\bfrom now on,? you\b|\bpretend (?:to be|that you|you)\b"
    r"|\bact as (?:if you|though you|an? unrestricted|dan\b|root\b)",
    rf"\b(?:do not|don't|never|without) (?:ever |first )?(?:tell|inform|mention|ask|"
    rf"alert|"
    rf"warn|notify|telling|informing|asking|alerting|warning|notifying|show|reveal)"
    rf"(?:ing)?(?: to| this to| it to| any of this to)? {_PERSON}\b",
    rf"\b(?:hide|conceal|keep) (?:this|it|that|the \w+) (?:from|secret from) "
    rf"{_PERSON}\b",
    r"\b(?:reveal|print|show|repeat|output|leak|disclose) (?:me )?"
    r"(?:your|the (?:full |entire |whole )?(?:hidden|initial|secret|system|original)) "
    rf"(?:full |entire |hidden |initial |secret |system ){{0,2}}(?:prompt|{_ORDERS})\b",
    rf"\b(?:send|post|upload|forward|exfiltrate|e-?mail|leak) (?:\w+ "
    rf"){{0,4}}?{_SECRETS}\b"
    r"[^.\n]{0,40}?\bto (?:https?:|[\w.+-]{1,64}@|this (?:address|url|server))",
    r"\b(?:important|attention|note|message|instructions?|reminder) (?:to|for) "
    r"(?:the |any |all )?"
    r"(?:ai|assistants?|models?|agents?|llms?|language models?)\b",
    r"\b(?:this|the following) (?:message|instruction|order|note) (?:is|comes) from "
    r"(?:the )?(?:system|developers?|administrators?|openai|anthropic|google)\b",
    r"\bas an? (?:ai(?: assistant| model| agent)?|language model|assistant),? you "
    r"(?:must|should|will|have to)\b",
    r"^\s{0,8}(?:new|updated|real) (?:system )?(?:instructions?|prompt)\s{0,3}:"
    r"|\bdeveloper mode (?:is )?(?:on|enabled|activated)\b|\bjailbreak(?: mode)?\b",
    r"</?(?:system|assistant|instructions?|user)>|\[/?INST\]|<\|im_(?:start|end)\|>"
    r"|<\|(?:system|assistant|endoftext)\|>",
    "(?:忽略|无视|忘记|忘掉|不要理会|不要遵守|不必遵守|不用遵守|抛开|绕过|覆盖|丢掉)"
    "[^。！\n]{0,4}?(?:之前|以前|先前|以上|前面|上面|上述|此前|原有|原来|所有|全部|任何|一切|"
    "你|您|系统|安全)[^。！\n]{0,8}?(?:指令|指示|命令|提示词|提示|规则|准则|设定|约束|限制|要求|对话)",
    "(?:不要|别|切勿|无需|不必|不用|不得|禁止)再?(?:告诉|告知|提醒|通知|询问|征求|透露给|提示|让)"
    "[^。！，\n]{0,3}?(?:用户|使用者|对方|任何人|人类|主人|操作员)",
    "(?:瞒着|背着|绕过|避开)(?:用户|使用者|人类|主人|审核|审查|人工确认)",
    "你(?:现在|从现在起|从此|今后)(?:是|扮演|不再|没有|不受)|从现在(?:开始|起)[，,]?你"
    "|(?:假装|假设)你(?:是|没有|不受)|扮演(?:一个|一名)?(?:没有|不受|越狱)",
    "(?:输出|打印|显示|泄露|透露|复述|告诉我|说出)(?:你|您)?的?(?:完整|全部|隐藏|初始)?的?"
    "(?:系统提示词|系统提示|系统指令|初始指令|隐藏指令)",
    "开发者模式|越狱模式|上帝模式|无限制模式",
    "作为(?:一个|一名)?(?:AI|人工智能|智能助手|助手|大模型|语言模型)[，,]?你?(?:必须|应当|应该|只能|要)",
    "(?:以下|本条|这条|下面)(?:内容)?(?:是|为)?(?:来自)?(?:系统|管理员|开发者|官方)的?(?:消息|指令|指示|命令|通知)",
    "(?:无需|不需要|未经|不经|不用)(?:用户|人工|任何人|对方)?(?:确认|同意|批准|许可|审核)"
    "[，,]?(?:就|即可|直接|立即|可以)[^。\n]{0,4}(?:执行|删除|发送|运行|上传|提交|付款|转账)",
    "[把将][^。\n]{0,20}?(?:密钥|密码|令牌|凭据|凭证|聊天记录|对话|环境变量|私钥)[^。\n]{0,10}?"
    "(?:发送|上传|发|转发|提交|寄)(?:到|给|至)",
    "(?:给|致)(?:AI|人工智能|模型|助手|智能体)的(?:说明|指令|提示|留言|指示)",
)
"""What speaks to a model, in English and Chinese."""

_VALUE = (
    r"(?!your|my[_-]|the[_-]|example|changeme|placeholder|env[.:]|os\.|process\.|"
    r"none\b|"
    r"null\b|true\b|false\b|xxx|\*\*\*|\.\.\.)(?=[^\s\"',;]{0,60}\d)"
)

SECRET = re.compile(
    r"\bAKIA[0-9A-Z]{16}\b|\bASIA[0-9A-Z]{16}\b|\bgh[pousr]_[A-Za-z0-9]{36}"
    r"|\bgithub_pat_[A-Za-z0-9_]{22}|\bsk-[A-Za-z0-9_-]{20}|"
    r"\b[sr]k_live_[A-Za-z0-9]{16}"
    r"|\bxox[abprs]-[A-Za-z0-9-]{10}|\bglpat-[A-Za-z0-9_-]{20}|\bnpm_[A-Za-z0-9]{36}"
    r"|\bAIza[A-Za-z0-9_-]{35}|\bpypi-[A-Za-z0-9_-]{30}|\bhf_[A-Za-z0-9]{30}"
    r"|hooks\.slack\.com/services/T[A-Z0-9]{6}"
    r"|-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----"
    r"|\beyJ[A-Za-z0-9_-]{10,200}\.eyJ[A-Za-z0-9_-]{10,200}\."
    r"|://[^\s/:@]{1,64}:(?![{$<*])[^\s/:@]{1,64}@"
    r"|\bAccountKey=[A-Za-z0-9+/]{40}"
    r"|(?i:\b(?:[a-z]{1,20}[_-])?(?:password|passwd|pwd|secret|api[_-]?key|"
    r"access[_-]?key|"
    r"auth[_-]?token|access[_-]?token|token)\b[\"']?\s{0,3}[:=]\s{0,3}[\"']?"
    rf"{_VALUE}[^\s\"'<>{{}}$(),;]{{8,100}})"
    r"|(?:密码|口令|密钥|令牌|授权码|访问码)(?:是|为|[:：=])\s{0,3}"
    r"(?=[A-Za-z!@#$%^&*_+./-]{0,60}\d)[A-Za-z0-9!@#$%^&*_+./-]{6,100}"
)
"""What looks like a key, a token or a password, in its own form or by its name."""

COMMAND = _any(
    r"\brm +(?:-[a-z-]{1,20} +){0,3}?-[a-z]{0,6}[rf]",
    r"\b(?:curl|wget|iwr|invoke-webrequest)\b[^|\n]{0,200}\| *(?:sudo +)?"
    r"(?:(?:ba|z|k|da)?sh|python3?|perl|node|iex)\b",
    r"\bbase64 +(?:-d|--decode)|\beval +[\"'`$(]|\bsource +<\(",
    r"\bpowershell\b[^\n]{0,80} -e(?:nc|ncodedcommand)?\b|\b(?:iex|"
    r"invoke-expression)\b",
    r"\b(?:sudo|doas|runas) +[-\w/]",
    r"\bchmod +(?:-R +)?[0-7]?777\b|\bchown +-R\b|\bmkfs\.|\bdd +if=|> *\/dev\/sd[a-z]",
    r"\bgit +push +(?:[\w/-]+ +){0,2}(?:-f|--force)\b|\bgit +clean +-[a-z]{0,6}f"
    r"|\bgit +reset +--hard\b",
    r"\bdrop +(?:table|database|schema)\b|\btruncate +table\b|\bdelete +from +\w+ *;",
    r"\bdel +/[sqf]\b|\brd +/s\b|\bformat +[a-z]:|\bremove-item\b[^\n]{0,60}-recurse",
    r"/dev/tcp/|\bnc +-[a-z]{0,4}e\b|\bhistory +-c\b|\bcrontab +-r\b|:\(\) *\{",
    r"\bkubectl +delete\b|\bterraform +destroy\b|\bdocker +system +prune\b"
    r"|\bshutdown +(?:-[hr]|now|/s)|\bkill(?:all)? +-9\b",
)
"""Commands that destroy, escalate, or run what they fetched."""

LINK = re.compile(
    r"\b(?:https?|ftps?|ssh|wss?|git)://[^\s<>\"')\]，。；、）]{1,200}|\bjavascript:"
    r"|\bdata:text/html|\bgit@[\w.-]{1,80}:[\w./-]{1,100}"
    r"|\bwww\.[a-z0-9-]{1,60}\.[a-z]{2,10}\b"
)
"""Addresses outside."""
