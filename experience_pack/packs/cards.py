"""Merge three states of a card, as git asks a merge driver to (gitattributes(5))."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher
from pathlib import Path
from typing import NamedTuple

from experience_pack.errors import ExperiencePackError
from experience_pack.formats import card
from experience_pack.model import Experience
from experience_pack.packs.git import run_git
from experience_pack.packs.merge import merge
from experience_pack.workspace.files import file_errors, write_file
from experience_pack.workspace.folder import Folder

DRIVER = "experience-card"
_ATTRIBUTE = f"experiences/**/*.md merge={DRIVER}\n"
_SETTINGS = {
    f"merge.{DRIVER}.name": "field by field, by Experience Pack",
    f"merge.{DRIVER}.driver": "experience-pack merge-card %O %A %B %P",
}


class MergedCard(NamedTuple):
    """What came of three states of a card."""

    text: str
    conflicts: tuple[str, ...]
    """Paths of the fields that both sides changed; they stand between markers."""


def merge_cards(base: str, ours: str, theirs: str) -> MergedCard:
    """Merge field by field; what both changed stands between conflict markers.

    An empty `base` is a card that both sides added. What cannot be read as one card
    stands between markers as a whole.
    """
    try:
        before = {"": card.parse(base)} if base.strip() else {}
        mine, yours = {"": card.parse(ours)}, {"": card.parse(theirs)}
    except ExperiencePackError:
        return MergedCard(_marked(ours, theirs), ("",))
    if len({one[""].id for one in (before, mine, yours) if one}) > 1:
        return MergedCard(_marked(ours, theirs), ("",))
    found, other = merge(before, mine, yours), merge(before, yours, mine)
    kept = _rendered(mine[""], found.experiences[""])
    if not found.conflicts:
        return MergedCard(_like(ours, kept), ())
    text = _marked(kept, _rendered(yours[""], other.experiences[""]))
    paths = tuple(one.path for one in found.conflicts)
    return MergedCard(_like(ours, text), paths)


def install_driver(folder: Folder) -> Path | None:
    """Have git merge the cards of this project by us; give the file that says so.

    The attribute goes into the workspace's `.gitattributes`, which the project
    shares; the command into the configuration of this clone alone. None where there
    is no clone whose configuration could be found.
    """
    attributes = folder.path / ".gitattributes"
    with file_errors(attributes):
        text = attributes.read_text("utf-8") if attributes.exists() else ""
        if _ATTRIBUTE not in text:
            write_file(attributes, (text + _ATTRIBUTE).encode("utf-8"))
    repository = folder.path.parent / ".git"
    config = repository / "config"
    if not config.is_file():
        return None
    for key, value in _SETTINGS.items():
        run_git(repository, "config", "--file", str(config), key, value)
    return config


def driver_commands() -> list[str]:
    """Give the commands that tell a clone of the driver."""
    return [f'git config {key} "{value}"' for key, value in _SETTINGS.items()]


def _rendered(read: Experience, merged: Experience) -> str:
    return card.render(read.id, merged.content())


def _like(ours: str, text: str) -> str:
    """Give a text the line ends that ours has throughout."""
    converted = "\r" in ours and ours.count("\r\n") == ours.count("\n")
    return text.replace("\n", "\r\n") if converted else text


def _marked(ours: str, theirs: str) -> str:
    """Give both, each line that differs between conflict markers."""
    return "".join(_hunks(_lines(ours), _lines(theirs)))


def _lines(text: str) -> list[str]:
    return [
        f"{line}\n" for line in card.unix_lines(text).removesuffix("\n").split("\n")
    ]


def _hunks(mine: list[str], yours: list[str]) -> Iterable[str]:
    matcher = SequenceMatcher(None, mine, yours, autojunk=False)
    for tag, m_from, m_to, y_from, y_to in matcher.get_opcodes():
        if tag == "equal":
            yield from mine[m_from:m_to]
            continue
        yield "<<<<<<< ours\n"
        yield from mine[m_from:m_to]
        yield "=======\n"
        yield from yours[y_from:y_to]
        yield ">>>>>>> theirs\n"
