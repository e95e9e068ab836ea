"""Agent skills become experiences, and no line of them goes missing."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from experience_pack.errors import NotFoundError, UsageError
from experience_pack.model import Experience, derived_id
from experience_pack.packs.interchange.report import LEFT_OUT, Carried
from experience_pack.packs.interchange.skill import (
    Conversion,
    ConvertedSkill,
    read_skills,
)
from experience_pack.packs.interchange.skill_files import MAX_BYTES
from tests.shared_data import shared

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "tests" / "fixtures" / "skills"
MADE = FIXTURES / "made"
EXPECTED = json.loads((FIXTURES / "expected.json").read_text("utf-8"))
REAL = ("real", "skills-superpowers", "skills")

SKILL = "---\nname: {0}\ndescription: Does {0}.\n---\n# {0}\n"


@pytest.fixture(scope="module")
def made() -> Conversion:
    return read_skills(MADE, source="made")


def only(conversion: Conversion, path: str) -> ConvertedSkill:
    (found,) = (skill for skill in conversion.skills if skill.source == path)
    return found


def write_skill(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "SKILL.md").write_text(SKILL.format(folder.name), "utf-8")
    return folder


def reasons(conversion: Conversion) -> dict[str, str]:
    return {problem.file: problem.reason for problem in conversion.problems}


@pytest.mark.parametrize("row", EXPECTED, ids=lambda row: row["skill"])
def test_a_skill_is_read_as_the_table_says(
    made: Conversion, row: dict[str, Any]
) -> None:
    found = only(made, row["skill"]).experience
    logic = found.logic
    skill = dict(found.extra["skill"])
    digest = skill.pop("digest")
    name = skill.pop("name")

    assert (found.kind, found.name) == (row["kind"], row["name"])
    assert found.description == row["description"]
    assert list(logic.triggers) == row["triggers"]
    assert [step.action for step in logic.path] == row["steps"]
    assert list(logic.references) == row["references"]
    assert skill == row["extra"]
    assert name == row.get("extra_name", row["slug"])
    assert re.fullmatch("[0-9a-f]{64}", digest)


@pytest.mark.parametrize("row", EXPECTED, ids=lambda row: row["skill"])
def test_problems_name_file_line_reason_and_next_step(
    made: Conversion, row: dict[str, Any]
) -> None:
    prefix = f"{row['skill']}/"
    nested = "outer/inner/"
    found = [
        item
        for item in made.problems
        if item.file.startswith(prefix) and not item.file.startswith(nested)
    ]
    wanted = row.get("problems", [])

    assert [(item.file, item.line) for item in found] == [
        (file, line) for file, line, _ in wanted
    ]
    for item, (_, _, reason) in zip(found, wanted, strict=True):
        assert reason in item.reason
        assert item.next_step.endswith(".")
        assert item.skipped == (not item.file.endswith("SKILL.md"))


def test_every_fixture_has_a_row(made: Conversion) -> None:
    assert sorted(row["skill"] for row in EXPECTED) == sorted(
        skill.source for skill in made.skills
    )


def test_a_file_of_no_skill_is_reported(made: Conversion) -> None:
    assert reasons(made)["README.md"] == "belongs to no skill"


def test_the_body_stands_whole_in_the_notes(made: Conversion) -> None:
    text = (MADE / "weekly-report" / "SKILL.md").read_text("utf-8")

    assert text.endswith("---\n" + only(made, "weekly-report").experience.notes)


def test_a_text_file_becomes_a_document_with_evidence(made: Conversion) -> None:
    skill = only(made, "weekly-report")
    (document,) = skill.documents
    (evidence,) = skill.experience.origin.evidence
    data = (MADE / "weekly-report" / "templates" / "周报模板.md").read_bytes()

    assert document.type == "document"
    assert document.text.encode() == data
    assert document.meta == {
        "path": "templates/周报模板.md",
        "sha256": hashlib.sha256(data).hexdigest(),
    }
    assert (evidence.type, evidence.ref) == ("file", "templates/周报模板.md")
    assert skill.experience.episodes() == (document.id,)


def test_a_binary_file_becomes_evidence_with_its_digest(made: Conversion) -> None:
    skill = only(made, "with-binary")
    data = (MADE / "with-binary" / "assets" / "logo.bin").read_bytes()
    notes = {item.ref: item.note for item in skill.experience.origin.evidence}

    assert notes["assets/logo.bin"] == (
        f"binary, not text; sha256 {hashlib.sha256(data).hexdigest()}"
    )
    assert {item.meta["path"] for item in skill.documents} == {
        "assets/empty.txt",
        "assets/note.txt",
    }


def test_files_of_a_nested_skill_belong_to_it_alone(made: Conversion) -> None:
    assert only(made, "outer").documents == ()
    assert len(only(made, "outer/inner").documents) == 1


def test_origin_says_where_it_comes_from(made: Conversion) -> None:
    skill = only(made, "outer/inner")

    assert skill.experience.origin.type == "imported_skill"
    assert skill.experience.origin.source == "outer/inner/SKILL.md"
    assert skill.experience.id == derived_id("exp", "skill", "made", "outer/inner")


def test_experiences_survive_json(made: Conversion) -> None:
    for skill in made.skills:
        text = json.dumps(skill.experience.to_dict(), ensure_ascii=False)

        assert Experience.from_dict(json.loads(text)) == skill.experience


def test_a_skill_read_alone_is_the_same_as_among_others(made: Conversion) -> None:
    alone = read_skills(MADE / "weekly-report", source="made")

    assert alone.skills == (only(made, "weekly-report"),)
    assert alone.problems == ()


def test_a_changed_skill_keeps_its_ids_and_changes_its_digest(tmp_path: Path) -> None:
    folder = shutil.copytree(MADE / "weekly-report", tmp_path / "weekly-report")
    before = read_skills(tmp_path, source="s").skills[0]
    (folder / "templates" / "周报模板.md").write_text("换了", "utf-8")
    after = read_skills(tmp_path, source="s").skills[0]

    assert after.experience.id == before.experience.id
    assert after.documents[0].id == before.documents[0].id
    assert after.digest != before.digest


def test_another_source_gives_other_ids() -> None:
    first, second = (read_skills(MADE, source=name).skills[0] for name in "ab")

    assert first.experience.id != second.experience.id
    assert first.digest == second.digest


def test_a_link_out_of_the_folder_is_reported_and_not_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("hidden", "utf-8")
    folder = write_skill(tmp_path / "skills" / "one")
    (folder / "leak.txt").symlink_to(secret)
    (folder / "leak").symlink_to(tmp_path)
    found = read_skills(tmp_path / "skills")

    assert found.skills[0].documents == ()
    assert reasons(found) == {
        "one/leak.txt": "a link that leaves the folder",
        "one/leak": "a link to a folder is not followed",
    }


def test_a_link_inside_the_folder_is_read(tmp_path: Path) -> None:
    folder = write_skill(tmp_path / "one")
    (folder / "a.txt").write_text("text", "utf-8")
    (folder / "b.txt").symlink_to(folder / "a.txt")
    found = read_skills(tmp_path)

    assert [item.text for item in found.skills[0].documents] == ["text", "text"]
    assert found.problems == ()


def test_a_dangling_link_and_a_pipe_are_reported(tmp_path: Path) -> None:
    folder = write_skill(tmp_path / "one")
    (folder / "gone").symlink_to(folder / "nowhere")
    os.mkfifo(folder / "pipe")

    assert reasons(read_skills(tmp_path)) == {
        "one/gone": "not a regular file",
        "one/pipe": "not a regular file",
    }


def test_a_name_that_is_not_utf8_is_reported(tmp_path: Path) -> None:
    folder = write_skill(tmp_path / "one")
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff.txt")).write_text("x", "utf-8")

    assert reasons(read_skills(tmp_path)) == {
        "one/?.txt": "its name is not valid UTF-8"
    }


def test_a_large_file_is_named_and_left_out(tmp_path: Path) -> None:
    folder = write_skill(tmp_path / "one")
    (folder / "fits.txt").write_bytes(b"a" * MAX_BYTES)
    (folder / "large.txt").write_bytes(b"a" * (MAX_BYTES + 1))
    found = read_skills(tmp_path)

    assert reasons(found) == {"one/large.txt": "larger than 5 MB"}
    assert [item.meta["path"] for item in found.skills[0].documents] == ["fits.txt"]


def test_a_bad_skill_does_not_stop_the_others(tmp_path: Path) -> None:
    (write_skill(tmp_path / "bad") / "SKILL.md").write_bytes(b"---\n\xff\xfe\n---\n")
    (tmp_path / "bad" / "note.md").write_text("lost with it", "utf-8")
    write_skill(tmp_path / "good")
    found = read_skills(tmp_path)

    assert [skill.source for skill in found.skills] == ["good"]
    assert reasons(found) == {
        "bad/SKILL.md": "not UTF-8 (line 2)",
        "bad/note.md": "its SKILL.md was not read",
    }


def test_folders_that_others_make_are_not_looked_into(tmp_path: Path) -> None:
    folder = write_skill(tmp_path / "one")
    for name in (".git", "__pycache__", "node_modules"):
        write_skill(folder / name)
    write_skill(tmp_path / ".claude" / "skills" / "two")

    assert [skill.source for skill in read_skills(tmp_path).skills] == [
        ".claude/skills/two",
        "one",
    ]


@pytest.mark.parametrize(
    "head",
    ["[" * 60_000, "a: " + "x" * 70_000, 'a: "\\ud800"', "- a\n- b", "? [a]\n: b"],
    ids=["deep", "long", "surrogate", "list", "odd key"],
)
def test_hostile_front_matter_is_read_as_text(tmp_path: Path, head: str) -> None:
    folder = write_skill(tmp_path / "one")
    text = f"---\nname: one\n{head}\n---\nbody\n"
    (folder / "SKILL.md").write_text(text, "utf-8")
    found = read_skills(tmp_path)

    assert found.skills[0].experience.notes == "body\n"
    assert [problem.skipped for problem in found.problems] == [False]
    json.dumps(found.skills[0].experience.to_dict(), ensure_ascii=False).encode()


@pytest.mark.parametrize("text", ["[" * 200_000, "*a " * 60_000, "# " + " " * 200_000])
def test_a_hostile_body_is_read_to_its_end(tmp_path: Path, text: str) -> None:
    folder = write_skill(tmp_path / "one")
    (folder / "SKILL.md").write_text(SKILL.format("one") + text, "utf-8")

    assert read_skills(tmp_path).skills[0].experience.notes.endswith(text)


def test_a_missing_folder_and_a_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no such folder"):
        read_skills(tmp_path / "none")
    with pytest.raises(UsageError, match="not a folder"):
        read_skills(write_skill(tmp_path / "one") / "SKILL.md")


def place(skill: ConvertedSkill, where: str) -> str:
    """Give the text that stands where a `Carried` says."""
    if where == "notes":
        return skill.experience.notes
    if where == "description":
        return skill.experience.description
    if document := re.fullmatch(r"documents\[(\d+)\]\.text", where):
        return skill.documents[int(document[1])].text
    value = skill.experience.extra["skill"][where.removeprefix("extra.skill.")]
    return json.dumps(value, ensure_ascii=False)


def words(line: str) -> list[str]:
    return re.findall(r"[\w&*]+", line)


def assert_found(skill: ConvertedSkill, entry: Carried, lines: list[str]) -> None:
    text = place(skill, entry.where)
    if entry.where == "notes" or entry.where.startswith("documents"):
        assert "\n".join(lines) == text.replace("\r\n", "\n").removesuffix("\n")
        return
    there = {*words(text), entry.where.removeprefix("extra.skill."), entry.where}
    named = {part for key in there for part in words(key)}
    assert set(words(" ".join(lines))) <= named


def assert_accounted(folder: Path, conversion: Conversion) -> int:
    """Check every line of every file of every skill; give how many there were."""
    total = 0
    for skill in conversion.skills:
        by_file: dict[str, list[Carried]] = {}
        for entry in skill.carried:
            by_file.setdefault(entry.file, []).append(entry)
        for name, entries in by_file.items():
            total += assert_file_accounted(folder / name, skill, entries)
    return total


def assert_file_accounted(
    path: Path, skill: ConvertedSkill, entries: list[Carried]
) -> int:
    if entries[0].last == 0 and entries[0].where == LEFT_OUT:
        assert entries[0].reason
        return 0
    text = path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    lines = text.split("\n")[: text.count("\n") + (text[-1:] not in ("", "\n"))]
    covered = [line for e in entries for line in range(e.first, e.last + 1)]
    assert covered == list(range(1, len(lines) + 1))
    for entry in entries:
        if entry.where == LEFT_OUT:
            assert entry.reason
        else:
            assert_found(skill, entry, lines[entry.first - 1 : entry.last])
    return len(lines)


def files_of(folder: Path) -> set[str]:
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix() for path in paths}


def accounted_files(conversion: Conversion) -> set[str]:
    carried = {entry.file for skill in conversion.skills for entry in skill.carried}
    return carried | {problem.file for problem in conversion.problems}


def test_every_line_of_the_made_skills_is_accounted_for(made: Conversion) -> None:
    assert assert_accounted(MADE, made) > 80
    assert accounted_files(made) == files_of(MADE)


def test_every_line_of_fourteen_real_skills_is_found_again() -> None:
    real = shared(*REAL)
    found = read_skills(real)
    total = sum(len((real / n).read_bytes().splitlines()) for n in files_of(real))

    assert len(found.skills) == 14
    assert found.problems == ()
    assert accounted_files(found) == files_of(real)
    assert assert_accounted(real, found) == total
