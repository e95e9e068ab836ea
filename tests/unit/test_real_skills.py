from __future__ import annotations

from pathlib import Path

from experience_pack.packs.destination import write_pack
from experience_pack.packs.export import export_pack
from experience_pack.packs.incoming import read_incoming
from experience_pack.packs.install import apply
from experience_pack.packs.interchange.install import plan_of_skills
from experience_pack.packs.interchange.skill import read_skills
from experience_pack.packs.membership import whole_workspace
from experience_pack.packs.plan import ImportOptions, make_plan
from experience_pack.site.inline import render_snapshot
from experience_pack.snapshot import snapshot_of
from experience_pack.store import Store, episodes, experiences
from experience_pack.workspace.folder import Folder
from experience_pack.workspace.mirror import drain, sync
from tests.shared_data import shared


def test_real_skills_go_through_every_station_and_lose_no_line(
    folder: Folder, tmp_path: Path
) -> None:
    source = shared("real", "skills-superpowers", "skills")
    conversion = read_skills(source, source="skills")
    apply(folder.store, plan_of_skills(folder.store, conversion, "skills"))
    drain(folder)
    bundle = tmp_path / "skills.xpack"
    write_pack(export_pack(folder.store, whole_workspace(folder)).files, bundle)
    other = Store.in_memory()
    apply(other, make_plan(other, read_incoming(bundle), ImportOptions(mode="remap")))
    arrived = experiences.get_many(other, list(experiences.digests(other)))

    lines: set[str] = set()
    for one in arrived.values():
        lines.update(one.notes.split("\n"), [one.description])
        lines.update(str(value) for value in one.extra["skill"].values())
        for document in episodes.get_many(other, one.episodes()).values():
            lines.update(document.text.split("\n"))
    missing = [
        (file.name, line)
        for file in source.rglob("*.md")
        for line in file.read_text("utf-8").split("\n")
        if line not in lines and not _is_front_matter(line, lines)
    ]
    assert len(arrived) == 14
    assert missing == []
    assert sync(folder).findings == []
    page = render_snapshot(snapshot_of(other, title="skills"))
    assert all(one.name in page for one in arrived.values() if one.name.isascii())


def _is_front_matter(line: str, lines: set[str]) -> bool:
    """Tell whether a line is `---`, or a `key: value` whose value has arrived."""
    value = line.partition(": ")[2].strip().strip('"')
    return line == "---" or (value != "" and any(value in one for one in lines))
