"""Experiences written as skills pass the standard's own validator."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from skills_ref import validate
from skills_ref.parser import read_properties

from experience_pack.formats.skill_view import render_skill
from experience_pack.model import Experience, new_id
from experience_pack.packs.interchange.skill import read_skills
from tests.shared_data import shared

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "tests" / "fixtures" / "skills"
VIEWS = json.loads((FIXTURES / "views.json").read_text("utf-8"))
REAL = ("real", "skills-superpowers", "skills")


def write(folder: Path, experience: Experience) -> Path:
    slug, text = render_skill(experience)
    target = folder / slug
    target.mkdir()
    (target / "SKILL.md").write_bytes(text.encode())
    return target


@pytest.mark.parametrize("row", VIEWS, ids=lambda row: row["name"])
def test_an_experience_is_written_as_the_table_says(
    tmp_path: Path, row: dict[str, Any]
) -> None:
    slug, text = render_skill(Experience.from_dict(row["experience"]))

    assert slug == row["slug"]
    for part in row["contains"]:
        assert part in text
    assert validate(write(tmp_path, Experience.from_dict(row["experience"]))) == []


def test_every_made_skill_validates_when_written_back(tmp_path: Path) -> None:
    for skill in read_skills(FIXTURES / "made").skills:
        assert validate(write(tmp_path, skill.experience)) == []


def test_real_skills_come_back_with_name_and_body_unchanged(tmp_path: Path) -> None:
    real = shared(*REAL)
    for skill in read_skills(real).skills:
        target = write(tmp_path, skill.experience)
        before = (real / skill.source / "SKILL.md").read_text("utf-8")
        after = (target / "SKILL.md").read_text("utf-8")

        assert validate(target) == []
        assert target.name == skill.source
        assert after.split("---\n", 2)[2] == before.split("---\n", 2)[2]
        described = read_properties(target).description
        assert described == read_properties(real / skill.source).description


def test_a_written_skill_reads_back_as_the_same_experience(tmp_path: Path) -> None:
    (first,) = read_skills(FIXTURES / "made" / "weekly-report").skills
    write(tmp_path, first.experience)
    (second,) = read_skills(tmp_path).skills

    assert second.experience.id == first.experience.id
    assert second.experience.logic == first.experience.logic
    assert second.experience.notes == first.experience.notes


@pytest.mark.parametrize("name", ["a" * 200, "a-" * 100, "长" * 300, "x" * 55 + " y z"])
def test_long_texts_are_cut_to_the_allowed_length(tmp_path: Path, name: str) -> None:
    data = {"id": new_id(), "kind": "process", "name": name, "description": name * 20}
    target = write(tmp_path, Experience.from_dict(data))

    assert validate(target) == []
    assert len(target.name) <= 64


def test_an_empty_experience_still_validates(tmp_path: Path) -> None:
    data = {"id": new_id(), "kind": "reference", "name": ""}

    assert validate(write(tmp_path, Experience.from_dict(data))) == []


def test_two_experiences_of_one_name_get_two_folders() -> None:
    data = {"kind": "process", "name": "Same"}
    slugs = {
        render_skill(Experience.from_dict({"id": new_id(), **data}))[0]
        for _ in range(5)
    }

    assert len(slugs) == 5
