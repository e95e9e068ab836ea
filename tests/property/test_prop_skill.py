"""Whatever an experience says, it is written as a skill that the standard takes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from skills_ref.parser import parse_frontmatter
from skills_ref.validator import validate_metadata

from experience_pack.formats.skill_view import render_skill
from experience_pack.model import Experience, Logic, Origin, derived_id
from experience_pack.packs.interchange.front_matter import split_front_matter
from experience_pack.packs.interchange.outline import steps_of

pytestmark = pytest.mark.property

texts = st.text(max_size=80) | st.text(
    alphabet="ab中文-_:#'\"\\{}[]&*!|>%@`, \n\t\r\x00\x85\u2028", max_size=80
)


@settings(max_examples=150, deadline=None)
@example(name="", description="\x1b", triggers=[], notes="")
@given(name=texts, description=texts, triggers=st.lists(texts, max_size=3), notes=texts)
def test_any_text_is_written_as_a_valid_skill(
    name: str, description: str, triggers: list[str], notes: str
) -> None:
    experience = Experience(
        id=derived_id("exp", repr(name)),
        kind="reference",
        name=name,
        description=description,
        logic=Logic(triggers=tuple(triggers)),
        notes=notes,
        origin=Origin(type="imported_skill"),
    )
    slug, text = render_skill(experience)
    metadata, _ = parse_frontmatter(text)

    assert validate_metadata(metadata, Path(slug)) == []
    if notes:
        assert split_front_matter(text).body == notes


@settings(max_examples=150, deadline=None)
@given(body=texts)
def test_steps_of_any_text_are_plain_single_lines(body: str) -> None:
    for step in steps_of(body):
        assert step == step.strip() != ""


@settings(max_examples=150, deadline=None)
@given(head=texts, body=texts)
def test_any_front_matter_leaves_every_line_with_one_owner(
    head: str, body: str
) -> None:
    found = split_front_matter(f"---\n{head}\n---\n{body}")
    owned = [n for _, first, last in found.lines for n in range(first, last + 1)]

    if found.body_line > 1:
        assert owned == list(range(2, found.body_line - 1))
