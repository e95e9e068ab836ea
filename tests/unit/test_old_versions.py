"""One file a released version, kept for ever: each has to be read by every release."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from experience_pack.errors import VersionError
from experience_pack.formats import versions
from experience_pack.formats.card import parse, render_experience
from experience_pack.packs import membership
from experience_pack.packs.certificate import told
from experience_pack.packs.export import ExportOptions, export_pack
from experience_pack.packs.incoming import Incoming, incoming_of
from experience_pack.packs.install import apply
from experience_pack.packs.page import read_page
from experience_pack.packs.plan import ImportOptions, make_plan
from experience_pack.packs.source import files_of_bundle
from experience_pack.site.inline import render_snapshot
from experience_pack.store import Store
from experience_pack.workspace.config import Config
from experience_pack.workspace.folder import Folder

KEPT = Path(__file__).parents[1] / "fixtures" / "versions"
PRESERVE = ImportOptions(mode="preserve")


def document(name: str) -> Any:
    return json.loads((KEPT / name).read_text("utf-8"))


def pack() -> Incoming:
    return incoming_of(files_of_bundle(document("pack-1.0.json"), "pack-1.0.json"))


def test_a_pack_1_0_comes_out_with_the_same_content() -> None:
    files = files_of_bundle(document("pack-1.0.json"), "pack-1.0.json")
    store = Store.in_memory()
    apply(store, make_plan(store, pack(), PRESERVE))
    again = export_pack(store, pack().info, options=ExportOptions(episodes=True))

    kept = {path: data for path, data in files.items() if path.startswith("cards/")}
    assert kept.items() <= again.files.items()
    assert incoming_of(again.files).content_digest == pack().content_digest


def test_a_certificate_1_0_is_read_and_told() -> None:
    files = files_of_bundle(document("pack-1.0.json"), "pack-1.0.json")
    certificate = (KEPT / "certificate-1.0.json").read_bytes()
    found = incoming_of({**files, "certificate.json": certificate})

    assert found.certificate is not None
    (verdict, *_) = told(found.certificate, found.content_digest, found.pack_digest)
    assert "another state" not in verdict


def test_a_page_1_0_is_the_pack_1_0() -> None:
    files = files_of_bundle(document("pack-1.0.json"), "pack-1.0.json")

    assert read_page(KEPT / "page-1.0.html") == files


def test_a_card_1_0_is_read_and_written_to_the_byte() -> None:
    text = (KEPT / "card-1.0.md").read_text("utf-8")

    assert render_experience(parse(text)) == text
    assert parse(text) == pack().experiences[0]


def test_a_card_of_a_newer_minor_version_is_read() -> None:
    text = (KEPT / "card-1.0.md").read_text("utf-8")

    assert parse(text.replace("card: [1, 0]", "card: [1, 9]")) == parse(text)


def test_a_card_of_a_newer_major_version_is_refused() -> None:
    text = (KEPT / "card-1.0.md").read_text("utf-8")

    with pytest.raises(VersionError, match=r"2\.0"):
        parse(text.replace("card: [1, 0]", "card: [2, 0]"))


def test_a_membership_1_0_is_read(folder: Folder) -> None:
    target = folder.path / "packs" / "fixture.json"
    target.parent.mkdir()
    shutil.copyfile(KEPT / "membership-1.0.json", target)

    assert membership.load(folder, "fixture").query == {"tag": "文档"}


def test_a_configuration_1_0_is_read_and_keeps_unknown_keys(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    shutil.copyfile(KEPT / "workspace-1.0.json", path)
    config = Config(path)
    config.set("mask_len", 10)

    assert config["name"] == "fixture"
    assert json.loads(path.read_text("utf-8"))["x-team"] == 1


def test_a_snapshot_1_0_is_shown() -> None:
    assert "整理文档" in render_snapshot(document("snapshot-1.0.json"))


def test_an_older_major_version_is_brought_up_a_step_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def to_2(old: dict[str, Any]) -> dict[str, Any]:
        return {**old, "two": True}

    def to_3(old: dict[str, Any]) -> dict[str, Any]:
        return {**old, "three": old["two"]}

    monkeypatch.setattr(versions, "CURRENT", {"pack": (3, 0)})
    steps = {("pack", 1): to_2, ("pack", 2): to_3}
    monkeypatch.setattr(versions, "UPGRADES", steps)

    found = versions.upgraded({"format": "pack", "version": [1, 4]}, "pack", "p")
    assert found["three"] is True
