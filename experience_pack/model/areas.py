"""Areas of work and their parameters, over plain values (document, Phase A).

Cheap to load, for a request waits; `model.categories` has the records of them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

GENERAL = "general"
"""Category of what belongs to no other."""


class Area(NamedTuple):
    """A category's parameters; the fields of the record `Category`."""

    name: str
    assist_only: bool = False
    safety_factor: float = 1.0
    half_life_days: float = 14.0
    sleep_threshold: float = 0.15
    require_evidence: bool = False
    budget: float = 0.0


AREAS = {
    area.name: area
    for area in (
        # methods for texts age slowly
        Area("document_processing", half_life_days=30.0),
        # figures are checked at their source, and old ones mislead
        Area("financial_analysis", safety_factor=0.9, require_evidence=True),
        # a plan is a judgement: the model always has a say
        Area("planning", assist_only=True, half_life_days=21.0),
        # code changes under what was learned about it
        Area("development", half_life_days=14.0),
        # a wrong model costs more than a slow answer
        Area(
            "quantitative",
            safety_factor=0.9,
            sleep_threshold=0.20,
            require_evidence=True,
        ),
        Area(GENERAL),
    )
}
"""Built-in areas by name; hosts register more."""

FAMILY_HINTS = {
    "document_processing": (
        ("document", "doc", "file", "folder", "pdf", "text", "translat"),
        ("文档", "文件", "资料", "摘要", "翻译", "排版", "归档"),
    ),
    "financial_analysis": (
        ("financ", "budget", "expense", "invoice", "account", "tax", "monthly_review"),
        ("财务", "消费", "收入", "支出", "预算", "报销", "发票", "账", "税"),
    ),
    "planning": (
        ("plan", "schedule", "roadmap", "goal", "itinerary"),
        ("计划", "规划", "日程", "安排", "目标", "行程"),
    ),
    "development": (
        ("dev", "code", "build", "deploy", "test", "git", "release", "debug"),
        ("开发", "代码", "编程", "部署", "测试", "发布", "调试"),
    ),
    "quantitative": (
        ("quant", "factor", "backtest", "statistic", "regression", "model"),
        ("量化", "因子", "回测", "统计", "回归", "建模"),
    ),
}
"""How a family's name may begin (English) or what it may hold (Chinese)."""


@lru_cache(maxsize=1024)  # a request asks for each candidate, of few families
def category_of(category: str, family: str) -> str:
    """Give the explicit category, else the family's, else `general`.

    A family belongs where its name or one of its `_`, `-`, `.`, `/` or space
    separated words begins with an English hint, or where it holds a Chinese
    one; the earliest hint in the name decides, so `code_plan` is development.
    """
    if category:
        return category
    name = family.casefold()
    starts = [
        (at, row)
        for row, (_, (english, chinese)) in enumerate(FAMILY_HINTS.items())
        if (at := _earliest(name, english, chinese)) >= 0
    ]
    return tuple(FAMILY_HINTS)[min(starts)[1]] if starts else GENERAL


def _earliest(name: str, english: tuple[str, ...], chinese: tuple[str, ...]) -> int:
    """Give the first place where a hint applies, or -1."""
    places = [name.find(hint) for hint in chinese]
    places += [
        at
        for at in range(len(name))
        if (at == 0 or name[at - 1] in "_-./ ") and name.startswith(english, at)
    ]
    return min((place for place in places if place >= 0), default=-1)
