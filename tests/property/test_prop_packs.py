from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from experience_pack.model import Experience, PackInfo, new_id
from experience_pack.packs.archive import read_archive, write_archive
from experience_pack.packs.export import ExportOptions, export_pack
from experience_pack.packs.incoming import incoming_of
from experience_pack.packs.install import apply
from experience_pack.packs.layout import Files
from experience_pack.packs.plan import ImportOptions, make_plan
from experience_pack.packs.source import bundle_of, files_of_bundle
from experience_pack.store import Store, experiences
from tests.shared_data import naughty_strings
from tests.strategies import filled_stores

pytestmark = pytest.mark.property

INFO = PackInfo(name="random", version="1.2.3", title="随机", authors=("a", "é"))
EVERYTHING = ExportOptions(episodes=True)
PRESERVE = ImportOptions(mode="preserve")


def exported(store: Store) -> Files:
    return export_pack(store, INFO, options=EVERYTHING).files


def imported(files: Files, options: ImportOptions) -> Store:
    store = Store.in_memory()
    apply(store, make_plan(store, incoming_of(files), options))
    return store


@settings(max_examples=200, deadline=None)
@given(filled_stores())
def test_export_import_export_gives_the_same_bytes(store: Store) -> None:
    first = exported(store)
    second = exported(imported(first, PRESERVE))

    assert second == first
    assert write_archive(second) == write_archive(first)


@settings(max_examples=100, deadline=None)
@given(filled_stores())
def test_every_form_of_a_pack_holds_the_same_files(store: Store) -> None:
    files = exported(store)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "random.xpack")
        path.write_bytes(write_archive(files))
        assert read_archive(path) == files
    bundle = json.loads(json.dumps(bundle_of(files)))

    assert files_of_bundle(bundle, "bundle") == files


@settings(max_examples=100, deadline=None)
@given(filled_stores(), st.sampled_from(["remap", "preserve"]))
def test_the_same_import_twice_changes_nothing(store: Store, mode: str) -> None:
    files = exported(store)
    options = ImportOptions(mode=mode)
    target = imported(files, options)
    before = "\n".join(target.connection.iterdump())
    again = apply(target, make_plan(target, incoming_of(files), options))

    assert again is None
    assert "\n".join(target.connection.iterdump()) == before


@settings(max_examples=100, deadline=None)
@given(filled_stores())
def test_a_remap_keeps_the_shape_and_leaves_no_old_id(store: Store) -> None:
    files = exported(store)
    target = imported(files, ImportOptions(mode="remap"))
    old = experiences.digests(store)
    new = experiences.digests(target)

    assert len(new) == len(old)
    assert not set(new) & set(old)
    for one in experiences.get_many(target, list(new)).values():
        targets = {name for _, name in one.references()}
        assert not targets & set(old)


def test_awkward_strings_in_every_field_survive_a_round_trip() -> None:
    store = Store.in_memory()
    with store.transaction() as tx:
        for text in naughty_strings():
            experiences.save(tx, awkward(text))
    files = exported(store)

    assert exported(imported(files, PRESERVE)) == files


def awkward(text: str) -> Experience:
    return Experience.from_dict(
        {
            "id": new_id(),
            "kind": "process",
            **dict.fromkeys(
                ("name", "description", "category", "family", "notes", "when", "do",
                 "text", "quote", "source", "reuse_mode"),
                text,
            ),
            "requires": [text],
            "exemplars": [text],
            "logic": {
                "goal": text,
                "triggers": [text],
                "path": [{"action": text, "tool": text, "expect": text}],
                "branches": [{"if": text, "then": text, "why": text}],
                "references": [text],
            },
            "match": {"tags": [text], "keywords": [text]},
            "tests": {"must_match": [text], "must_not_match": [text]},
            text: text,
        }
    )  # fmt: skip
