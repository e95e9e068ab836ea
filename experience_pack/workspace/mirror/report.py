"""What a synchronisation found and did, in words."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from experience_pack.model.values import Json


class State(NamedTuple):
    """What a finding of one kind means."""

    text: str
    """What happened to one card."""
    attention: bool
    """A person has to do something."""
    hint: str = ""
    """What that is."""


STATES = {
    "added": State("a new card was taken in", attention=False),
    "edited": State("the edited card became a new version", attention=False),
    "written": State("the card was written", attention=False),
    "removed": State("the card of a deleted experience was removed", attention=False),
    "moved": State(
        "the card was moved by hand; its new place is kept", attention=False
    ),
    "missing": State(
        "the card is missing; nothing was deleted",
        attention=True,
        hint="`experience-pack sync --restore` writes them again, "
        "`experience-pack delete ID` deletes for good",
    ),
    "older": State(
        "the card holds an older version, as after checking out an older branch",
        attention=True,
        hint="`--take cards` makes the older text the newest version",
    ),
    "conflict": State(
        "the card was edited while the store changed too; both are kept",
        attention=True,
        hint="`experience-pack sync --take cards` or `--take store` decides",
    ),
    "deleted": State(
        "the card belongs to an experience that was deleted here",
        attention=True,
        hint="`--take cards` takes them in again, or remove the files",
    ),
    "duplicate": State(
        "the card carries the id of another one",
        attention=True,
        hint="remove the `id:` line of the copy to make it an experience of its own",
    ),
    "broken": State(
        "the card cannot be read; it was left as it is",
        attention=True,
        hint="mend the named lines, then run `experience-pack sync` again",
    ),
    "unreadable": State(
        "the file or folder may not be read",
        attention=True,
        hint="give yourself the right to read them; nothing was deleted",
    ),
}
"""Every kind of finding, in the order of a report."""


class Finding(NamedTuple):
    """One thing that was found about one card."""

    state: str
    path: str
    """Relative to the folder of the cards."""
    experience_id: str = ""
    detail: str = ""


@dataclass(slots=True)
class Report:
    """What was found; `check` says that nothing was changed."""

    check: bool = False
    cards: int = 0
    _findings: dict[tuple[str, str], Finding] = field(default_factory=dict)

    def add(self, state: str, path: str, identity: str = "", detail: str = "") -> None:
        """Note a finding about a card, once."""
        assert state in STATES
        finding = Finding(state, path, identity, detail)
        self._findings.setdefault((state, path), finding)

    def settle(self, state: str, path: str) -> None:
        """Take a finding back: it was seen to."""
        del self._findings[state, path]

    @property
    def findings(self) -> list[Finding]:
        """Give everything that was found."""
        return list(self._findings.values())

    def counts(self) -> dict[str, int]:
        """Give the number of findings by state, in the order of `STATES`."""
        found = Counter(finding.state for finding in self.findings)
        return {state: found[state] for state in STATES if found[state]}

    def to_dict(self) -> dict[str, Json]:
        """Give cards, counts by state and every finding, for programs."""
        return {
            "cards": self.cards,
            "counts": self.counts(),
            "findings": [finding._asdict() for finding in self.findings],
        }

    @property
    def attention(self) -> list[Finding]:
        """Give what a person has to look at."""
        return [one for one in self.findings if STATES[one.state].attention]
