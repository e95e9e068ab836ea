"""The areas of work that come with the package (document, Phase A)."""

from __future__ import annotations

from experience_pack.model.records import Category

GENERAL = "general"
"""Category of what belongs to no other."""

CATEGORIES = {
    category.name: category
    for category in (
        # methods for texts age slowly
        Category(name="document_processing", half_life_days=30.0),
        # figures are checked at their source, and old ones mislead
        Category(name="financial_analysis", safety_factor=0.9, require_evidence=True),
        # a plan is a judgement: the model always has a say
        Category(name="planning", assist_only=True, half_life_days=21.0),
        # code changes under what was learned about it
        Category(name="development", half_life_days=14.0),
        # a wrong model costs more than a slow answer
        Category(
            name="quantitative",
            safety_factor=0.9,
            sleep_threshold=0.20,
            require_evidence=True,
        ),
        Category(name=GENERAL),
    )
}
"""Built-in categories by name, with their parameters; hosts register more."""

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
