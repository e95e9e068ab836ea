"""Numbers, dates and identifiers of a text, in one form for both languages."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

Found = set[str]
Rule = tuple[str, Callable[[re.Match[str]], str]]


def _row(words: str) -> list[str]:
    return words.split()


_CN_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")}
_CN_DIGITS |= {"〇": 0, "两": 2, "日": 7, "天": 7, "末": 6}
_CN_SCALES = {"十": 10, "百": 100, "千": 1_000, "万": 10_000, "亿": 100_000_000}
_SMALL = {
    word: value
    for value, word in enumerate(
        _row(
            "zero one two three four five six seven eight nine ten eleven twelve "
            "thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
        )
    )
}
_SMALL |= {
    word: value * 10
    for value, word in enumerate(
        _row("twenty thirty forty fifty sixty seventy eighty ninety"), 2
    )
}
_SMALL |= {"dozen": 12, "half": 50, "twice": 2, "double": 2, "triple": 3, "pair": 2}
_SCALES = {
    "hundred": 100, "thousand": 1_000, "k": 1_000, "million": 10**6, "mn": 10**6,
    "billion": 10**9, "bn": 10**9, "千": 1_000, "万": 10_000, "百万": 10**6,
    "亿": 10**8, "百": 100,
}  # fmt: skip
_ORDINALS = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
]
_MONTHS = _row("jan feb mar apr may jun jul aug sep oct nov dec")
_WEEKDAYS = _row("mon tue wed thu fri sat sun")

_UNITS = {
    name: row.split()[0]
    for row in (
        "% percent pct 个百分点 ％",
        "second seconds sec secs s 秒 秒钟",
        "minute minutes min mins 分钟 分",
        "hour hours hr hrs h 小时 个小时 钟头 个钟头",
        "day days d 天 日",
        "week weeks 周 星期 个星期 礼拜",
        "month months 个月",
        "year years yr yrs 年",
        "kb", "mb", "gb g", "tb",
        "gram grams 克", "kg kilo kilos kilograms 公斤 千克", "pound pounds lb lbs 磅",
        "斤", "吨 ton tons",
        "meter meters metre metres m 米", "km kilometers kilometres 公里 千米",
        "cm 厘米", "mm 毫米", "mile miles 英里", "feet foot ft 英尺",
        "inch inches 英寸",
        "usd $ dollar dollars 美元 美金", "eur € euro euros 欧元",
        "gbp £ 英镑", "cny ¥ rmb yuan 元 块 块钱 人民币", "jpy 日元 yen",
        "celsius 摄氏度 °c", "fahrenheit 华氏度 °f", "px pixels 像素", "pt",
    )
    for name in row.split()
}  # fmt: skip
"""Units by every way to write them; those of other words say nothing."""

_CN = "零〇一二两三四五六七八九十百千万亿"
_N = rf"(\d{{1,4}}|[{_CN}]{{1,4}})"
_MONTH = r"(jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)(?:[a-z]*)\.?"
_UNIT_NAMES = "|".join(sorted(map(re.escape, _UNITS), key=len, reverse=True))
_SPAN = r"week|month|quarter|year|weekend|sprint|morning|night|season|semester"

_CODE = re.compile(r"[A-Za-z0-9_$@#~./\\:+=%*&?-]+", re.ASCII)
_NOT_CODE = re.compile(
    r"""(?ix) \$?[\d.,:/%+-]+ | [\d.]+ (?:st|nd|rd|th|am|pm|k|m|g|kb|mb|gb|tb|kg|km
    |cm|mm|ms|s|h|d|min|mins|px|pt|bn|usd|eur|rmb|lb|lbs|ft|hr|hrs)s? | [qh][1-4]
    | (?:e\.g|i\.e|a\.m|p\.m|u\.s)\.? | [a-z]+-[a-z]+
    | (?:and/or|yes/no|on/off|he/she|n/a|km/h|w/o) | \d[\d-]*[a-z]{3,}"""
)
_IS_CODE = re.compile(
    r"""(?x) --?[A-Za-z][\w=.-]* | .*[/\\@_$=~\#].* | v?\d+(?:\.\d+){2,} | v\d[\w.]*
    | [\w.-]+\.[A-Za-z]\w{0,5} | [A-Za-z]+-?\d[\w.-]* | \d+[A-Za-z][\w-]*
    | [a-z]+[A-Z]\w* | (?:[A-Z][a-z0-9]+){2,} | \.[a-z]\w+ | \w+(?:-\w+)*-\d\w*"""
)
_NO_NUMBER = re.compile(
    r"一下|一些|一起|一样|一直|统一|第一时间|一般|一定|唯一|万一|千万(?=别|不|要|记)|十分(?!钟)"
    r"|百度|三明治|四川|一旦|一共|一并|一律|一切|一键|一边|万分|三方|百科|一致|一遍"
    r"|一个|一份|一封|一张|一条|一篇|一位|一部|一次性|一会儿?|一点儿?|单一|八卦"
    r"|\b(?:this|that|which|each|every|any|no|the|some|another|new|old) one\b"
    r"|\bone (?:of|another|by one)\b|\bsecond(?= thought)|\ba second\b"
)
_MEASURES = (
    "个份张条次天遍封篇位部台套件倍折页行列级层号组名人家只辆本章节分秒米元块年周"
    "小成楼期批项万千百亿"
)
_SEVERAL_CN = (
    rf"[{_CN}]*[{_CN}][百千万亿十]+[{_CN}]*|十[{_CN}]*|[{_CN}]{{2,}}"
    rf"|(?<=第)[{_CN}]|[二两三四五六七八九](?=[{_MEASURES}])"
)
"""A lone 三 is a number before a measure only; 张三 is a name."""

_NUMBER = re.compile(
    rf"""(?x) (?P<money>[$€£¥])?\s?
    (?P<digits>(?<![\w.])[-+]?\d[\d,]*(?:\.\d+)?|\d[\d,]*(?:\.\d+)?|百分之[{_CN}\d]+|{_SEVERAL_CN})
    \s?(?P<scale>(?:hundred|thousand|million|billion|mn|bn|k)\b|百万|千(?![克米瓦卡])|[万亿百])?
    (?:\s|-)?(?P<unit>(?:{_UNIT_NAMES})(?![a-z]))?"""
)


def identifiers(text: str) -> tuple[Found, str]:
    """Give flags, paths, addresses and code names, and the text without them."""
    found: Found = set()

    def take(match: re.Match[str]) -> str:
        word = match[0].rstrip(".,:?!&*+-").rstrip("/")
        if not word or _NOT_CODE.fullmatch(word) or not _IS_CODE.fullmatch(word):
            return match[0]
        found.add(word)
        return f" {match[0][len(word) :]}"

    return found, _CODE.sub(take, text)


def dates(text: str) -> tuple[Found, str]:
    """Give every date, time and period of a lower-case text, and the rest of it."""
    found: Found = set()
    for pattern, name in _DATE_RULES:
        text = re.sub(pattern, partial(_note, found, name), text)
    return found, text


def numbers(text: str) -> tuple[dict[str, str], str]:
    """Give the numbers of a lower-case text with their units, and its rest."""
    found: dict[str, str] = {}
    text = _number_words(_NO_NUMBER.sub(" ", text))

    def take(match: re.Match[str]) -> str:
        value, unit = _number_of(match)
        while value in found and found[value] != unit:
            value += "'"
        found[value] = unit
        return " "

    return found, _NUMBER.sub(take, text)


def _note(
    found: Found, name: Callable[[re.Match[str]], str], match: re.Match[str]
) -> str:
    found.update(name(match).split())
    return " "


def _number_of(match: re.Match[str]) -> tuple[str, str]:
    digits, scale = match["digits"].replace(",", ""), match["scale"]
    unit = _UNITS.get(match["unit"] or match["money"] or "", "")
    if digits.startswith("百分之"):
        digits, unit = digits.removeprefix("百分之"), "%"
    if digits[-1] not in "0123456789":
        digits = str(chinese_number(digits))
    if scale:
        digits = f"{float(digits) * _SCALES[scale]:.15g}"
    return digits.removeprefix("+"), unit


def chinese_number(text: str) -> int:
    """Read 三十, 一百二十, 二〇二六 or digits as a whole number."""
    if text.isdigit() and text.isascii():
        return int(text)
    if not set(text) & set(_CN_SCALES):
        return int("".join(str(_CN_DIGITS.get(char, 0)) for char in text))
    total = section = digit = 0
    for char in text:
        scale = _CN_SCALES.get(char, 0)
        if not scale:
            digit = _CN_DIGITS.get(char, 0)
        elif scale < 10_000:
            section, digit = section + (digit or 1) * scale, 0
        else:
            total, section, digit = (total + section + digit or 1) * scale, 0, 0
    return total + section + digit


def _number_words(text: str) -> str:
    """Write English number words as digits: `twenty-five` becomes 25."""
    small = "|".join(_SMALL)
    text = re.sub(
        rf"\b(?!one\b)({small})(?:[ -](?:and )?({small}))?\b(?! o'clock)",
        lambda m: str(_SMALL[m[1]] + _SMALL[m[2]] if m[2] else _SMALL[m[1]]),
        text,
    )
    text = re.sub(r"\b(?:a|one) (hundred|thousand|million|billion)\b", r"1 \1", text)
    for value, word in enumerate(_ORDINALS[1:], 2):
        text = re.sub(rf"\b{word}\b", str(value), text)
    return re.sub(r"\b(\d+)(?:st|nd|rd|th)\b", r"\1", text)


def _ymd(*parts: str | None) -> str:
    named = zip("ymd", parts, strict=False)
    return " ".join(f"{name}:{chinese_number(part)}" for name, part in named if part)


def _english_month(name: str) -> str:
    return str(_MONTHS.index(name[:3]) + 1)


def _time(hour: str, minute: str | None, half: str | None) -> str:
    number = chinese_number(hour)
    late = half and re.match(r"p|下午|晚|傍晚|中午", half)
    early = half and re.match(r"a|凌晨", half)
    number = number % 12 + 12 if late else number % 12 if early else number
    minutes = {"半": 30, "一刻": 15, None: 0}.get(minute)
    return f"t:{number}:{chinese_number(minute or '') if minutes is None else minutes}"


_WHICH = {
    "next": "next", "coming": "next", "following": "next", "下": "next", "明": "next",
    "last": "last", "previous": "last", "past": "last", "上": "last", "去": "last",
    "this": "this", "current": "this", "本": "this", "这": "this", "今": "this",
    "后": "after", "前": "before", "昨": "last",
}  # fmt: skip


def _which(word: str) -> str:
    """Give what 上 or 下 says, once for each time that it is said: 上上月."""
    return "-".join(_WHICH[char] for char in word)


_SPANS = {
    "周": "week", "星期": "week", "礼拜": "week", "月": "month", "季": "quarter",
    "季度": "quarter", "年": "year", "周末": "weekend",
}  # fmt: skip
_CN_HALF = r"(凌晨|早上|清晨|上午|中午|下午|傍晚|晚上|今晚|明晚|晚)"
_DAY_PARTS = {
    "凌晨": "night", "早上": "morning", "早": "morning", "清晨": "morning",
    "上午": "morning", "中午": "noon", "下午": "afternoon", "傍晚": "evening",
    "晚上": "evening", "晚": "evening", "night": "evening",
}  # fmt: skip
_CN_DAYS = {
    "今": "rel:0", "明": "rel:1", "昨": "rel:-1", "后": "rel:2", "前": "rel:-2",
    "大后": "rel:3", "大前": "rel:-3", "当": "rel:0",
}  # fmt: skip
_EN_DAYS = {"today": "rel:0", "tonight": "rel:0 evening", "tomorrow": "rel:1"}
_EN_DAYS |= {"yesterday": "rel:-1"}

_DATE_RULES: tuple[Rule, ...] = (
    (r"now\b|现在|马上|立刻|立即", lambda _: ""),
    (r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)", lambda m: _ymd(m[1], m[2], m[3])),
    (rf"(\d{{4}}|[{_CN}]{{4}})年{_N}月{_N}[日号]", lambda m: _ymd(m[1], m[2], m[3])),
    (rf"(\d{{4}}|[{_CN}]{{4}})年{_N}月份?", lambda m: _ymd(m[1], m[2])),
    (r"(\d{4}|二[〇零][一二三四五六七八九〇零]{2})年", lambda m: _ymd(m[1])),
    (rf"{_N}月份?{_N}[日号]", lambda m: _ymd(None, m[1], m[2])),
    (rf"{_N}月份?", lambda m: _ymd(None, m[1])),
    (
        rf"(?<![{_CN}\d]){_N}[日号](?!线|楼|门|机|库|服)",
        lambda m: _ymd(None, None, m[1]),
    ),
    (
        rf"\b{_MONTH} (?:the )?(\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (\d{{4}})\b)?",
        lambda m: _ymd(m[3], _english_month(m[1]), m[2]),
    ),
    (
        (
            rf"\b(?:the )?(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {_MONTH}\b"
            r"(?:,? (\d{4})\b)?"
        ),
        lambda m: _ymd(m[3], _english_month(m[2]), m[1]),
    ),
    (
        (
            r"\b(january|february|march|april|june|july|august|september|october"
            r"|november|december|jan|feb|apr|jun|jul|aug|sept?|oct|nov|dec"
            r"|(?<=in )may|(?<=for )may"
            r"|(?<=of )may|may(?='s)|(?<=last )may|(?<=next )may|(?<=this )may"
            r"|(?<=to )may"
            r"|(?<=from )may|(?<=since )may|(?<=until )may)\b(?: (\d{4})\b)?"
        ),
        lambda m: _ymd(m[2], _english_month(m[1])),
    ),
    (r"\b(\d{1,2})/(\d{1,2})(?:/(\d{4}))?\b", lambda m: _ymd(m[3], m[1], m[2])),
    (
        r"\b(?:on )?the (\d{1,2})(?:st|nd|rd|th)\b(?! [a-z]{4})",
        lambda m: _ymd(None, None, m[1]),
    ),
    (r"\b((?:19|20)\d\d)\b(?! ?[a-z%元个份])", lambda m: _ymd(m[1])),
    (
        rf"{_CN_HALF}?({_N[1:-1]})点(?:钟|整)?(半|一刻|{_N[1:-1]}分?)?",
        lambda m: _time(m[2], (m[3] or "").rstrip("分") or None, m[1]),
    ),
    (
        rf"{_CN_HALF}?(\d{{1,2}}):(\d\d)(?::\d\d)?(?:\s?([ap])\.?m\b\.?)?",
        lambda m: _time(m[2], m[3], m[1] or m[4]),
    ),
    (r"\b(\d{1,2})\s?([ap])\.?m\b\.?", lambda m: _time(m[1], None, m[2])),
    (
        rf"\b(\d{{1,2}}|{'|'.join(list(_SMALL)[1:13])}) o'clock",
        lambda m: _time(str(_SMALL.get(m[1], m[1])), None, None),
    ),
    (r"\b(noon|midnight)\b", lambda m: "t:12:0" if m[1] == "noon" else "t:0:0"),
    (r"\b(?:the )?day after tomorrow\b", lambda _: "rel:2"),
    (r"\b(?:the )?day before yesterday\b", lambda _: "rel:-2"),
    (r"\b(today|tonight|tomorrow|yesterday)\b", lambda m: _EN_DAYS[m[1]]),
    (r"(大后|大前|今|明|昨|后|前|当)[天日]", lambda m: _CN_DAYS[m[1]]),
    (r"(今|明|昨)(晚|早)上?", lambda m: f"{_CN_DAYS[m[1]]} {_DAY_PARTS[m[2]]}"),
    (
        r"\b(?:q([1-4])|(first|second|third|fourth) quarter)\b",
        lambda m: f"q:{m[1] or _ORDINALS.index(m[2]) + 1}",
    ),
    (r"第?([一二三四1-4])季度", lambda m: f"q:{chinese_number(m[1])}"),
    (r"\bh([12])\b|\b(first|second) half\b", lambda m: f"h:{m[1] or 1 + (m[2] > 'g')}"),
    (r"(上|下)半年", lambda m: f"h:{1 + (m[1] == '下')}"),
    (r"(大?)([去今明后前])年", lambda m: f"{_WHICH[m[2]]}:{m[1]}year"),
    (
        r"(上+|下+|本|这|前)(?:一)?个?(周末|周|星期|礼拜|月|季度|季|年)(?!报|一|二|三|四|五|六|日|天)",
        lambda m: f"{_which(m[1])}:{_SPANS[m[2]]}",
    ),
    (
        r"(上+|下+|本|这)?个?(?:周|星期|礼拜)([一二三四五六日天])",
        lambda m: f"{_which(m[1]) if m[1] else ''} w:{chinese_number(m[2])}",
    ),
    (
        rf"\b(next|last|this|previous|past|current|coming|following) ({_SPAN})\b",
        lambda m: f"{_WHICH[m[1]]}:{m[2]}",
    ),
    (
        (
            r"\b(?:(next|last|this|coming|past) )?(mon|tue|wed|thu|fri|sat|sun)"
            r"(?:day|s|sday|nesday|r|rs|rsday|urday)?s?\b\.?"
        ),
        lambda m: f"{_WHICH[m[1]] if m[1] else ''} w:{_WEEKDAYS.index(m[2]) + 1}",
    ),
    (
        rf"\b(?:every (?:other|second)|alternate) (day|{_SPAN})s?\b",
        lambda m: f"second:{m[1]}",
    ),
    (r"\bbi-?(week|month)ly\b", lambda m: f"second:{m[1]}"),
    (r"隔(天|日|周|月|年)", lambda m: f"second:{_SPANS.get(m[1], 'day')}"),
    (r"周末|\bweekends?\b", lambda _: "weekend"),
    (r"\b(morning|afternoon|evening|night)\b", lambda m: _DAY_PARTS.get(m[1], m[1])),
    (_CN_HALF, lambda m: _DAY_PARTS.get(m[1], "evening")),
)
"""Ways to write a date, longest first, each with its parts in one form."""
