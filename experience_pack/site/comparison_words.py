"""The words of the page about changes: English, then Chinese."""

from __future__ import annotations

from collections.abc import Mapping

Texts = tuple[str, str]

WORDS: Mapping[str, Texts] = {
    "before": ("Before", "修改前"),
    "after": ("After", "修改后"),
    "new": ("New", "新增"),
    "gone": ("Gone", "移除"),
    "was": ("It was called", "原名"),
    "nothing": ("Nothing differs.", "没有差异。"),
    "contents": ("Changed experiences", "有变化的经验"),
    "advice": (
        "This asks for a {level} version:",
        "建议的版本变动：{level}（SemVer）。",
    ),
}

OPS: Mapping[str, Texts] = {
    "added": ("added", "新增"),
    "removed": ("removed", "移除"),
    "renamed": ("renamed", "更名"),
    "changed": ("changed", "修改"),
    "new": ("new", "新增"),
    "overwritten": ("overwritten", "覆盖"),
    "same": ("the same", "相同"),
    "merged": ("merged", "合并"),
    "kept": ("kept as it is here", "保留本地"),
    "conflict": ("to be decided", "待定夺"),
    "refused": ("refused: deleted here", "拒绝：此处已删除"),
    "withdrawn": ("withdrawn by the pack", "已被包撤回"),
}
"""What `packs.compare` and `packs.plan` can say of an experience."""

TONES: Mapping[str, str] = {
    **dict.fromkeys(OPS, "same"),
    "added": "new",
    "new": "new",
    "removed": "gone",
    "overwritten": "gone",
    "conflict": "gone",
    "withdrawn": "gone",
}
"""How each looks: `new`, `gone`, or neither."""

WHOLE = ("added", "removed", "new", "refused")
"""Of these all of the text is new, or gone, so no word of it is marked."""

FIELDS: Mapping[str, Texts] = {
    "kind": ("Kind", "类型"),
    "name": ("Name", "名称"),
    "description": ("Description", "描述"),
    "category": ("Category", "类别"),
    "family": ("Family", "家族"),
    "parent_id": ("Parent", "上级"),
    "prerequisites": ("Prerequisites", "前置"),
    "extends": ("Extends", "扩展自"),
    "links": ("Links", "关联"),
    "reuse_mode": ("Reuse", "复用方式"),
    "requires": ("Requires", "所需值"),
    "trigger": ("Due", "触发时机"),
    "match": ("Match", "匹配"),
    "match.tags": ("Tags", "标签"),
    "match.keywords": ("Keywords", "关键词"),
    "logic": ("Method", "方法"),
    "logic.goal": ("Goal", "目标"),
    "logic.triggers": ("Triggers", "触发词"),
    "logic.path": ("Steps", "步骤"),
    "logic.branches": ("Branches", "分支"),
    "logic.references": ("References", "参考"),
    "logic.io": ("Inputs and outputs", "输入输出"),
    "exec": ("Execution", "执行"),
    "exec.template": ("Template", "模板"),
    "exec.workflow": ("Workflow", "流程"),
    "exec.decision_rules": ("Decision rules", "判断规则"),
    "exec.exception_rules": ("Exception rules", "例外规则"),
    "when": ("When", "何时"),
    "do": ("Do", "做法"),
    "polarity": ("Polarity", "取向"),
    "text": ("Lesson", "教训"),
    "quote": ("Quote", "引文"),
    "source": ("Source", "出处"),
    "exemplars": ("Exemplars", "例句"),
    "tests": ("Tests", "测试"),
    "notes": ("Notes", "备注"),
    "origin": ("Origin", "来源"),
}
"""Fields of an experience."""
