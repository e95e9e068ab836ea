from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest

from experience_pack.formats.diff import Change
from experience_pack.model import Experience
from experience_pack.packs.compare import advise, compare
from experience_pack.packs.plan import ACTIONS
from experience_pack.site.comparison import (
    Comparison,
    Entry,
    marked,
    page_of_versions,
    render_comparison,
)
from experience_pack.site.comparison_words import FIELDS, OPS, TONES, WORDS

Contents = dict[str, dict[str, Any]]

BEFORE: Contents = {
    "a": {"name": "发布补丁", "description": "Tag it. Then publish."},
    "b": {"name": "Yank", "notes": "旧的"},
}
AFTER: Contents = {
    "a": {"name": "发布版本", "description": "Tag it. Then announce."},
    "c": {"name": "回滚", "logic": {"path": [{"action": "停服务", "tool": "ssh"}]}},
}


def side(contents: Contents) -> dict[str, Experience]:
    return {
        one: Experience.from_dict({"id": one, "kind": "process", **fields})
        for one, fields in contents.items()
    }


def page(language: str = "en") -> str:
    found = compare(side(BEFORE), side(AFTER))
    shown = page_of_versions(
        "releases", "1.0.0 → 1.1.0", language, found, advise(found)
    )
    return render_comparison(shown)


def test_every_experience_has_a_heading_and_its_fields_both_ways() -> None:
    html = page()

    assert re.findall(r'<h2><span dir="auto">(.*?)</span>', html) == [
        "Yank",
        "回滚",
        "发布版本",
    ]
    assert "It was called <del" in html
    assert "Then <del>publish</del>." in html
    assert "Then <ins>announce</ins>." in html
    assert "action: 停服务" in html
    assert "This asks for a major version: Yank was removed." in html


def test_the_page_speaks_chinese_too() -> None:
    html = page("zh-CN")

    assert '<html lang="zh-CN">' in html
    for text in ("新增", "移除", "更名", "修改前", "原名", "建议的版本变动：major"):
        assert text in html
    assert "Before" not in html


def test_the_policy_comes_first_and_lets_no_script_run() -> None:
    html = page()
    head = html.partition("<head>")[2].strip()

    assert head.startswith('<meta http-equiv="Content-Security-Policy"')
    assert "script" not in html.partition("</head>")[0].partition("<style>")[0]
    assert "<script" not in html


HOSTILE = (
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "</style><b>",
    "{{ 7*7 }}", "javascript:alert(1)", "&lt;b&gt;", "</div></section>",
)  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_whatever_a_text_says_it_stays_text(text: str) -> None:
    changes = [
        Change(text, "changed", text, f"{text}!"),
        Change("x", "added", None, text),
    ]
    entry = Entry(op="renamed", name=text, was=text, changes=changes)
    shown = Comparison(
        title=text, subtitle=text, entries=[entry], counts=[("renamed", 1)]
    )
    html = render_comparison(shown)
    plain = render_comparison(
        Comparison(
            title="t",
            subtitle="t",
            entries=[
                Entry(
                    op="renamed",
                    name="t",
                    was="t",
                    changes=[
                        Change("t", "changed", "t", "u"),
                        Change("x", "added", None, "t"),
                    ],
                )
            ],
            counts=[("renamed", 1)],
        )
    )

    assert _tags(html) - _tags(plain) <= {"ins", "del", "/ins", "/del"}
    assert "49" not in html.partition("<main>")[2]


def _tags(html: str) -> set[str]:
    return set(re.findall(r"<(/?[a-z0-9]+)", html))


def test_what_a_reader_would_not_see_is_shown_by_its_number() -> None:
    html = render_comparison(Comparison(title="a\u202eb\u200bc\U000e0041"))

    assert "a⟨U+202E⟩b⟨U+200B⟩c⟨U+E0041⟩" in html


@pytest.mark.parametrize(
    ("before", "after", "old", "new"),
    [
        ("Then publish.", "Then announce.", ["publish"], ["announce"]),
        ("先打标签", "先打签名标签", [], ["签名"]),
        ("", "x", [], ["x"]),
        ("same", "same", [], []),
        ("naïve café", "naïve cafe", ["café"], ["cafe"]),
    ],
)
def test_words_are_marked_and_chinese_characters_one_by_one(
    before: str, after: str, old: Sequence[str], new: Sequence[str]
) -> None:
    left, right = marked(before, after)

    assert [one.text for one in left if one.mark] == old
    assert [one.text for one in right if one.mark] == new
    assert "".join(one.text for one in left) == before
    assert "".join(one.text for one in right) == after


def test_long_texts_without_a_rare_word_in_common_are_shown_as_a_whole() -> None:
    left, right = marked("a " * 3_000 + "end", "b " * 3_000 + "end")

    assert [one.text for one in left if one.mark] == ["a " * 2_999 + "a"]
    assert [one.text for one in right if one.mark] == ["b " * 2_999 + "b"]


def test_everything_that_can_happen_has_words_in_both_languages() -> None:
    assert {*ACTIONS, "added", "removed", "renamed", "changed"} == {*OPS} == {*TONES}
    for table in (WORDS, OPS, FIELDS):
        assert all(english and chinese for english, chinese in table.values())


def test_nothing_is_said_to_differ_where_nothing_does() -> None:
    assert "Nothing differs." in render_comparison(Comparison(title="releases"))
