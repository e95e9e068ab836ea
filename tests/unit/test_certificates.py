from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from experience_pack.errors import DigestError, FormatError, VersionError
from experience_pack.formats.canonical import digest
from experience_pack.formats.validation import faults_of
from experience_pack.model import (
    Category,
    Episode,
    Experience,
    Goal,
    Origin,
    PackInfo,
    Standing,
    new_id,
)
from experience_pack.packs import census
from experience_pack.packs.census import of_store
from experience_pack.packs.certificate import read_certificate, told, written
from experience_pack.packs.export import ExportOptions, export_pack
from experience_pack.packs.incoming import incoming_of
from experience_pack.packs.layout import CERTIFICATE, MANIFEST, Files
from experience_pack.packs.manifest import encode, make_manifest, read_manifest
from experience_pack.packs.roundtrip import ON_REQUEST, STAYS, round_trip
from experience_pack.store import (
    Store,
    categories,
    episodes,
    experiences,
    goals,
    standings,
)
from experience_pack.store.census import OWNED, SHARED

CASES = json.loads(
    (Path(__file__).parents[1] / "fixtures" / "certificates" / "cases.json").read_text(
        "utf-8"
    )
)["rows"]
INFO = PackInfo(name="pack", version="1.0.0")


def stored(*given: Experience) -> Store:
    store = Store.in_memory()
    with store.transaction() as tx:
        experiences.save_all(tx, given)
    return store


def sealed(row: dict[str, Any]) -> Files:
    known = [
        Experience.from_dict({"id": new_id(), **one}) for one in row["experiences"]
    ]
    files = dict(export_pack(stored(*known), INFO).files)
    change = row.get("change", {})
    for start, text in change.get("append", {}).items():
        (path,) = (path for path in files if path.startswith(start))
        files[path] += text.encode()
    files |= {path: text.encode() for path, text in change.get("write", {}).items()}
    digests = read_manifest(export_pack(stored(*known), INFO).files).experiences
    files[MANIFEST] = make_manifest(INFO, digests, files)
    if "manifest" in change:
        document = {**json.loads(files[MANIFEST]), **change["manifest"]}
        del document["digest"]
        files[MANIFEST] = encode({**document, "digest": digest(document)})
    return files


@pytest.mark.parametrize("row", CASES, ids=lambda row: row["case"])
def test_a_round_trip_reports_what_it_lost(row: dict[str, Any]) -> None:
    certificate = round_trip(sealed(row))

    # pack.json lists every other file, so it differs with each
    others = [path for path in certificate.differing if path != MANIFEST]
    wanted = [path for path in row["differing"] if path != MANIFEST]
    assert len(others) == len(wanted)
    assert all(map(str.startswith, others, wanted))
    assert [one.table for one in certificate.losses] == row["lost"]
    assert bool(certificate.differing) == bool(row["differing"])
    assert certificate.lossy == bool(row["differing"] or row["lost"])


def workspace() -> Store:
    """A store with a row in every table that a pack could be made of."""
    store = stored(
        Experience(
            id="exp_a",
            kind="process",
            name="整理",
            category="合同",
            origin=Origin(type="user_confirmed", episode_ids=("ep_1", "ep_2")),
        ),
        Experience(id="exp_b", kind="process", name="other"),
        Experience(id="exp_c", kind="process", name="gone"),
    )
    with store.transaction() as tx:
        experiences.save(tx, replace(experiences.get(tx, "exp_a"), notes="v2"))
        experiences.delete(tx, "exp_c", "obsolete")
        episodes.put_all(
            tx,
            [
                Episode(id="ep_1", type="document", text="kept"),
                Episode(id="ep_2", type="weekly", text="stays"),
                Episode(id="ep_3", type="weekly", text="uncited"),
            ],
        )
        standings.put(tx, (store.installation, "exp_a"), Standing(success_count=2))
        categories.put(tx, Category(name="合同", assist_only=True))
        goals.put(tx, Goal(id="goal_1", title="tidy"))
    return store


def omissions(
    store: Store, members: list[str] | None, options: ExportOptions | None = None
) -> list[str]:
    asked = options or ExportOptions()
    files = export_pack(store, INFO, members, asked).files
    certificate = round_trip(files, of_store(store, members), asked)
    assert not certificate.lossy
    return [f"{one.table} {one.count}" for one in certificate.omissions]


def test_a_pack_of_a_workspace_says_what_stays_and_why() -> None:
    store = workspace()

    assert omissions(store, ["exp_a"]) == ["versions 1", "episodes 1", "categories 1"]
    assert omissions(store, ["exp_a"], ExportOptions(episodes=True)) == [
        "versions 1",
        "categories 1",
    ]
    assert omissions(store, ["exp_b"]) == []
    assert omissions(store, ["exp_a"], ExportOptions(standing=False)) == [
        "versions 1",
        "standing 1",
        "episodes 1",
        "categories 1",
    ]
    assert omissions(store, None) == [
        "versions 2",
        "episodes 2",
        "categories 1",
        "goals 1",
    ]


def test_every_table_that_can_stay_behind_has_its_reason() -> None:
    always = {"experiences", "tombstones"}

    assert {*OWNED, *SHARED} - always == {*STAYS, *ON_REQUEST}


def test_a_field_that_vanishes_on_the_way_is_lost_whatever_the_reasons_say(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = workspace()
    files = export_pack(store, INFO, ["exp_a"]).files
    thinner = of_store(Store.in_memory())
    monkeypatch.setattr(
        census,
        "of_store",
        lambda *_: {
            **thinner,
            "experiences": {"exp_a": '{"kind":"process","name":"整理"}'},
        },
    )
    certificate = round_trip(files, census.of_incoming(incoming_of(files)))
    lost = {f"{one.table}.{one.field}" for one in certificate.losses}

    assert {"experiences.notes", "experiences.category", "standing."} <= lost
    assert certificate.census["experiences"]["fields"]["notes"] == [1, 0]


def certified() -> dict[str, bytes]:
    files = dict(export_pack(workspace(), INFO, ["exp_a"]).files)
    return {**files, CERTIFICATE: written(round_trip(files))}


def test_a_certificate_comes_back_as_it_was_written() -> None:
    files = certified()
    found = read_certificate(files)

    assert found is not None
    assert written(found) == files[CERTIFICATE]
    assert faults_of(json.loads(files[CERTIFICATE]), "certificate") == []
    incoming = incoming_of(files)
    assert incoming.certificate == found
    assert told(found, incoming.content_digest, incoming.pack_digest) == [
        "certificate: nothing lost"
    ]


def test_a_certificate_of_another_state_proves_nothing() -> None:
    old = certified()[CERTIFICATE]
    other = dict(export_pack(workspace(), INFO, ["exp_b"]).files)
    incoming = incoming_of({**other, CERTIFICATE: old})

    assert incoming.certificate is not None
    (line,) = told(incoming.certificate, incoming.content_digest, incoming.pack_digest)
    assert "another state" in line


def test_every_byte_of_a_certificate_is_noticed() -> None:
    files = certified()
    sound = files[CERTIFICATE]
    for at, byte in enumerate(sound):
        turned = sound[:at] + bytes([byte ^ 1 << at % 8]) + sound[at + 1 :]
        with pytest.raises((DigestError, FormatError, VersionError)) as caught:
            incoming_of({**files, CERTIFICATE: turned})
        assert CERTIFICATE in str(caught.value)
