"""Every text of the site's pages: English, then Chinese. `a|b` is one and several."""

from __future__ import annotations

from collections.abc import Callable

TEXTS: dict[str, tuple[str, str]] = {
    # frame
    "skip": ("Skip to the content", "跳到正文"),
    "packs": ("Packs", "经验包"),
    "search": ("Search", "搜索"),
    "explore": ("Explore", "浏览"),
    "decisions": ("Decisions", "决策"),
    "main_navigation": ("Main", "主导航"),
    "made_with": ("Made with Experience Pack", "由 Experience Pack 生成"),
    "feed": ("Changes as a feed", "更新订阅"),
    # catalogue
    "count": ("{n} experience|{n} experiences", "{n} 条经验"),
    "in_packs": ("in {n} pack|in {n} packs", "，{n} 个经验包"),
    "no_packs": (
        "No pack is made here yet. `experience-pack pack new` begins one.",
        "这里还没有经验包。用 `experience-pack pack new` 新建一个。",
    ),
    "nothing": (
        "Nothing has been learned here yet. What is added appears in the next build.",
        "这里还没有经验。添加到工作区的内容会在下次生成时出现。",
    ),
    "categories": ("What it is about", "涉及的领域"),
    "families": ("Families", "家族"),
    "tags": ("Tags", "标签"),
    "recent": ("Changed last", "最近更新"),
    "all": ("All experiences", "全部经验"),
    # pack
    "version": ("Version", "版本"),
    "versions": ("Versions", "版本历史"),
    "unrecorded": ("Not recorded yet", "尚未记录版本"),
    "licence": ("Licence", "许可"),
    "authors": ("By", "作者"),
    "languages": ("Languages", "语言"),
    "homepage": ("Homepage", "主页"),
    "download": ("Download", "下载"),
    "take_in": ("Take it in with", "导入方式"),
    "members": ("What is in it", "包含的经验"),
    "changes_since": ("What changed since {version}", "相对 {version} 的变化"),
    "first_version": ("The first version", "首个版本"),
    "no_changes": ("Nothing in its content changed.", "内容没有变化。"),
    "op.added": ("added", "新增"),
    "op.removed": ("removed", "移除"),
    "op.changed": ("changed", "修改"),
    "op.renamed": ("renamed", "更名"),
    # experience
    "when": ("When", "当"),
    "do": ("Do", "就"),
    "avoid": ("Avoid", "避免"),
    "lesson": ("Lesson", "教训"),
    "goal": ("Goal", "目标"),
    "steps": ("Steps", "步骤"),
    "tool": ("with", "使用"),
    "input": ("In", "输入"),
    "expect": ("Expect", "预期"),
    "verify": ("Check", "检查"),
    "branches": ("Special cases", "特殊情况"),
    "if": ("If", "如果"),
    "why": ("Why", "原因"),
    "triggers": ("Called for by", "触发语"),
    "exemplars": ("Said like this", "常见说法"),
    "tests": ("Tried with", "测试请求"),
    "must_match": ("found for", "应匹配"),
    "must_not_match": ("not found for", "不应匹配"),
    "must_not_execute": ("never executed for", "不得执行"),
    "references": ("References", "参考"),
    "answer": ("Answer", "回答"),
    "workflow": ("Data it asks for", "所需数据"),
    "notes": ("Notes", "备注"),
    "trust": ("Trust earned here", "在此获得的信任"),
    "worked": ("Worked", "成功"),
    "of": ("{n} of {total}", "{total} 次中 {n} 次"),
    "never": ("not tried yet", "尚未使用"),
    "approved": ("approved here", "已在此批准"),
    "may_execute": ("may execute", "可自行执行"),
    "related": ("Related", "相关经验"),
    "history": ("History", "历史"),
    "first": ("First version", "初始版本"),
    "origin": ("Where it comes from", "来源"),
    "in_pack": ("In the pack", "所属经验包"),
    "kind": ("Kind", "类型"),
    "category": ("Category", "类别"),
    # search and decisions
    "search_label": ("Search names, tags, keywords …", "搜索名称、标签、关键词…"),
    "explore_needs_script": (
        "The viewer needs JavaScript; the list of all experiences does not:",
        "浏览器视图需要 JavaScript；下面的列表则不需要：",
    ),
    "search_needs_script": (
        "Search needs JavaScript; the list of all experiences does not.",
        "搜索需要 JavaScript；全部经验列表则不需要。",
    ),
    "found": ("{n} found", "找到 {n} 条"),
    "nothing_found": (
        "Nothing matches. Try fewer words.",
        "没有匹配的经验。请减少关键词。",
    ),
    "requests": ("{n} request|{n} requests", "{n} 个请求"),
    "page_of": ("Page {n} of {total}", "第 {n} 页，共 {total} 页"),
    "previous": ("Previous", "上一页"),
    "next": ("Next", "下一页"),
    # values
    "kind.reference": ("reference", "参考"),
    "kind.process": ("process", "流程"),
    "kind.result": ("result", "成果"),
    "kind.reflex": ("reflex", "反射"),
    "kind.habit": ("habit", "习惯"),
    "kind.lesson": ("lesson", "教训"),
    "category.document_processing": ("documents", "文档处理"),
    "category.financial_analysis": ("finance", "财务分析"),
    "category.planning": ("planning", "规划"),
    "category.development": ("development", "开发"),
    "category.quantitative": ("figures", "量化"),
    "category.general": ("general", "通用"),
    "level.automatic": ("automatic", "自动"),
    "level.learning": ("learning", "学习中"),
    "level.raw": ("raw", "原始"),
    "level.sleeping": ("sleeping", "休眠"),
    "decision.execute": ("executed", "已执行"),
    "decision.assist": ("assisted", "已辅助"),
    "decision.hint": ("hinted", "已提示"),
    "decision.delegate": ("left to the model", "交给模型"),
    "relation.parent": ("variant of", "变体，原型为"),
    "relation.prerequisite": ("needs first", "先需"),
    "relation.extends": ("extends", "扩展"),
    "relation.see_also": ("see also", "另见"),
    "relation.alternative_to": ("alternative to", "可替代"),
    "relation.contradicts": ("contradicts", "与之矛盾"),
    "back.parent": ("has variant", "变体有"),
    "back.prerequisite": ("needed by", "被需要于"),
    "back.extends": ("extended by", "被扩展于"),
    "back.see_also": ("mentioned by", "被提及于"),
    "back.alternative_to": ("alternative to", "可替代"),
    "back.contradicts": ("contradicted by", "被反驳于"),
    "origin.user_confirmed": ("confirmed by a person", "经人确认"),
    "origin.imported_skill": ("imported from a skill", "由技能导入"),
    "origin.auto_compiled": ("compiled from similar work", "由相似工作归纳"),
    "origin.harmful_use": ("warned of after harmful uses", "多次有害使用后的警告"),
    "origin.llm_compiled": ("written by a model", "由模型撰写"),
}

Say = Callable[..., str]
"""Gives the text for a key, its `{n}` and other places filled."""


def sayer(language: str) -> Say:
    """Give what speaks one language: Chinese for `zh…`, else English."""
    column = 1 if language.lower().startswith("zh") else 0

    def say(key: str, **values: str | int) -> str:
        forms = TEXTS[key][column].split("|")
        form = forms[0] if values.get("n") == 1 else forms[-1]
        if not values:
            return form
        shown = {
            name: f"{value:,}" if isinstance(value, int) else value
            for name, value in values.items()
        }
        return form.format_map(shown)

    return say


def value_of(say: Say, group: str, name: str) -> str:
    """Give a known value's word, or the value itself."""
    key = f"{group}.{name}"
    return say(key) if key in TEXTS else name
