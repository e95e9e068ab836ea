from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from experience_pack.errors import FormatError
from experience_pack.model import Experience, PackInfo
from experience_pack.packs.export import export_pack
from experience_pack.packs.incoming import incoming_of, read_incoming
from experience_pack.packs.layout import CARDS
from experience_pack.packs.manifest import make_manifest, read_manifest
from experience_pack.store import Store, experiences

REFUSED = json.loads(
    (Path(__file__).parents[1] / "fixtures" / "incoming" / "refused.json").read_text(
        "utf-8"
    )
)


@pytest.mark.parametrize("row", REFUSED, ids=lambda row: row["case"])
def test_a_document_that_contradicts_itself_is_refused_with_every_fault(
    row: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "bundle.json"
    path.write_text(json.dumps(row["document"]), "utf-8")

    with pytest.raises(FormatError) as refused:
        read_incoming(path)

    assert [[*fault] for fault in refused.value.faults] == row["faults"]


@pytest.mark.parametrize("name", ["Tag a release", "给版本打标签"])
def test_two_cards_with_one_id_are_refused_with_both_named(name: str) -> None:
    store = Store.in_memory()
    with store.transaction() as tx:
        experiences.save(tx, Experience(id="exp_a", kind="process", name=name))
    info = PackInfo(name="doubled", version="1.0.0")
    files = dict(export_pack(store, info).files)
    (first,) = (path for path in files if path.startswith(CARDS))
    second = first.replace(".md", "-again.md")
    files[second] = files[first]
    known = read_manifest(dict(export_pack(store, info).files)).experiences
    files["pack.json"] = make_manifest(info, known, files)

    with pytest.raises(FormatError) as refused:
        incoming_of(files)

    assert {first, second} == {
        refused.value.subject,
        refused.value.faults[0][1].removesuffix(" has it too"),
    }
