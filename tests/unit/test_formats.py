from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest

from experience_pack.errors import (
    ExperiencePackError,
    FormatError,
    RefusedError,
    VersionError,
)
from experience_pack.formats import card, schemas
from experience_pack.formats.canonical import canonical, digest
from experience_pack.formats.diff import diff
from experience_pack.formats.names import card_name, path_key, slug
from experience_pack.formats.strict_json import loads
from experience_pack.formats.v2 import normalize_experience, to_v2
from experience_pack.formats.validation import faults_of
from experience_pack.formats.versions import upgraded
from experience_pack.model import Experience, PackInfo
from experience_pack.packs.export import export_pack
from experience_pack.resources import read_resource
from experience_pack.snapshot import snapshot_of
from experience_pack.snapshot.blocks import open_block
from experience_pack.store import Store, experiences
from tests.shared_data import shared

FIXTURES = Path(__file__).parent.parent / "fixtures"
DOCUMENT = FIXTURES / "versions" / "document-v2.json"


def contained(part: Any, whole: Any) -> bool:
    """Tell whether every value of `part` stands at the same place of `whole`."""
    if isinstance(part, dict):
        return all(key in whole and contained(part[key], whole[key]) for key in part)
    if isinstance(part, list):
        return len(part) == len(whole) and all(map(contained, part, whole))
    return bool(part == whole)


def test_the_documents_format_is_read_and_written_without_loss() -> None:
    document = json.loads(DOCUMENT.read_text("utf-8"))
    experience, standing = normalize_experience(document)
    written = to_v2(experience, standing, 0.3, "raw")

    assert contained(document, written)
    assert normalize_experience(written) == (experience, standing)


def test_a_v2_fault_is_named_with_its_path() -> None:
    document = json.loads(DOCUMENT.read_text("utf-8"))
    document["logic"]["path"][0]["action"] = 7
    document["match"]["tags"] = "消费"

    with pytest.raises(FormatError) as caught:
        normalize_experience(document, "experiences[3]")

    assert [path for path, _ in caught.value.faults] == [
        "experiences[3].logic.path[0].action",
        "experiences[3].match.tags",
    ]


@pytest.mark.parametrize("name", schemas.NAMES)
def test_the_published_schema_agrees_with_the_model(name: str) -> None:
    published = read_resource("schemas", schemas.file_name(name))

    assert published == schemas.text_of(name), "run `make schemas`"


def test_every_field_of_every_schema_says_what_it_is() -> None:
    for name in schemas.NAMES:
        document = schemas.schema(name)
        for form in [document, *document.get("$defs", {}).values()]:
            for key, field in form["properties"].items():
                assert field.get("description") or key in ("format", "version")


def test_a_newer_minor_version_is_read_and_keeps_unknown_keys() -> None:
    document = {"format": "pack", "version": [1, 9], "from_the_future": 1}

    assert upgraded(document, "pack", "pack.json") == document


@pytest.mark.parametrize("version", [[2, 0], [99, 1]])
def test_a_newer_major_version_is_refused(version: list[int]) -> None:
    with pytest.raises(VersionError, match=r"reads up to 1\.x"):
        upgraded({"format": "pack", "version": version}, "pack", "pack.json")


@pytest.mark.parametrize("version", [None, "1.0", [1], [1, -1], [0, 1], [True, 0]])
def test_a_version_that_is_none_is_refused(version: object) -> None:
    with pytest.raises(VersionError, match=r"version.* up to 1\.x"):
        upgraded({"format": "pack", "version": version}, "pack", "pack.json")


def _corpus(prefix: str) -> list[Path]:
    return sorted(shared("json_parsing").glob(f"{prefix}_*.json"))


DUPLICATES = {
    "y_object_duplicated_key.json",
    "y_object_duplicated_key_and_value.json",
}
"""Files of the corpus that must parse, but that we refuse: a key is given twice."""


def test_json_that_must_be_refused_is_refused_in_words() -> None:
    files = _corpus("n")
    for file in files:
        with pytest.raises(ExperiencePackError) as caught:
            loads(file.read_bytes(), file.name)
        assert caught.value.exit_code == 4

    assert len(files) > 150


def test_json_that_must_be_read_is_read_but_for_duplicate_keys() -> None:
    refused = set()
    for file in _corpus("y"):
        try:
            loads(file.read_bytes(), file.name)
        except FormatError:
            refused.add(file.name)

    assert refused == DUPLICATES


def test_json_that_may_be_either_never_raises_anything_else() -> None:
    for file in _corpus("i"):
        with contextlib.suppress(RefusedError):
            loads(file.read_bytes(), file.name)


@pytest.mark.parametrize(
    "value", [2**53 + 1, -(2**53) - 1, 10**400, float("nan"), "\ud800", 1e400]
)
def test_what_has_no_canonical_form_is_refused(value: object) -> None:
    with pytest.raises(FormatError):
        digest([value])


def test_a_diff_names_each_field_and_aligns_lists() -> None:
    before = {"name": "a", "logic": {"path": [{"action": "x"}, {"action": "z"}]}}
    after = {
        "logic": {"path": [{"action": "x"}, {"action": "y"}, {"action": "z"}]},
        "notes": "n",
    }

    assert [(one.op, one.path) for one in diff(before, after)] == [
        ("removed", "name"),
        ("added", "logic.path[1]"),
        ("added", "notes"),
    ]


def test_a_diff_of_equal_documents_is_empty() -> None:
    assert diff({"a": [1, {"b": None}]}, {"a": [1, {"b": None}]}) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Publish a patch release", "publish-a-patch-release"),
        ("整理海豹文件夹的文档", "整理海豹文件夹的文档"),
        ("CON", "con-"),
        ("../../etc/passwd", "etc-passwd"),
        ("a/b\\c:d?e*f", "a-b-c-d-e-f"),
        ("...hidden", "hidden"),
        ("🦭", "unnamed"),
        ("", "unnamed"),
        ("\u202eabc", "abc"),
    ],
)
def test_a_slug_is_readable_and_safe(text: str, expected: str) -> None:
    assert slug(text) == expected


def test_a_slug_keeps_within_60_bytes() -> None:
    assert len(slug("文" * 200).encode()) <= 60
    assert len(slug("x" * 200)) == 60


def test_names_that_differ_only_in_case_get_different_cards() -> None:
    one = card_name("Release", "exp_" + "a" * 26)
    two = card_name("RELEASE", "exp_" + "b" * 26)

    assert path_key(one) != path_key(two)


def test_canonical_json_sorts_by_utf16_and_writes_numbers_as_es6() -> None:
    value = {"\U0001f600": 1e21, "\uffee": 1e-7, "a": 100.0}

    assert canonical(value) == '{"a":100,"\U0001f600":1e+21,"\uffee":1e-7}'


def test_what_is_written_answers_to_its_schema() -> None:
    with Store.in_memory().transaction() as tx:
        store = tx._store
        one = normalize_experience(json.loads(DOCUMENT.read_text("utf-8"))).experience
        experiences.save(tx, one)
    snapshot = snapshot_of(store, title="t")
    files = export_pack(store, PackInfo(name="p", version="1.0.0")).files
    documents = {
        "snapshot": snapshot,
        "snapshot-index": open_block(snapshot["index"]),
        "pack": json.loads(files["pack.json"]),
        "experience": one.to_dict(),
    }

    assert {name: faults_of(value, name) for name, value in documents.items()} == {
        name: [] for name in documents
    }


@pytest.mark.parametrize(
    "text", ['"' + "[,{" * 400_000 + '"', '["' + "\\\\," * 300_000 + '"]']
)
def test_brackets_inside_of_a_long_string_are_no_bomb(text: str) -> None:
    assert loads(text.encode(), "long.json")


def test_a_long_list_of_ordinary_rows_is_read() -> None:
    row = '{"price":0.3,"streak":{"success":1},"total_usage":3}'

    assert len(loads("[" + ",".join([row] * 20_000) + "]", "rows.json")) == 20_000


def test_a_card_has_the_same_bytes_however_its_inner_keys_were_ordered() -> None:
    def unordered(flip: int) -> dict[str, object]:
        pairs = [("z", 1), ("a", {"y": [{"q": 1, "b": 2}], "c": 0}), ("整", "x")]
        return dict(pairs[::flip])

    cards = set()
    for flip in (1, -1):
        one = Experience.from_dict(
            {
                "id": "exp_x",
                "kind": "result",
                "name": "x",
                "exec": {"template": unordered(flip)},
                "match": {"tags": ["t"], **unordered(flip)},
                "x-team": unordered(flip),
            }
        )
        cards.add(card.render_experience(one))
        again = Experience.from_dict(json.loads(canonical(one.to_dict())))
        cards.add(card.render_experience(again))

    assert len(cards) == 1
