"""Turns of a session: what a person asked, and what was done and said about it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from experience_pack.learning.sessions.events import (
    Aborted,
    Back,
    Called,
    Event,
    Record,
    Replied,
    Returned,
    Said,
)


class At(NamedTuple):
    """Where a line of a file begins."""

    offset: int = 0
    line: int = 1


class Turn(NamedTuple):
    """One finished exchange."""

    name: str
    """The same for the same turn, however often its session is read."""
    request: str
    reply: str
    """What the model said last."""
    trajectory: list[dict[str, Any]]
    """Steps as `{action, tool, ok, error}`."""
    at: str


class Turns:
    """Turns as they come up, record by record, as the tree that some hosts keep."""

    def __init__(self) -> None:
        self._turns: list[_Turn] = []
        self._of_record: dict[str, int] = {}
        self._now = _NONE
        self.session = ""
        self.place = ""
        self.reaches_back = False
        """A record takes back, or follows, what stands before all that was read."""

    def add(self, record: Record, at: At) -> None:
        """Take in a record and where it stands."""
        self.session = self.session or record.session
        self.place = self.place or record.place
        turn = self._of_record.get(record.parent, self._now)
        for event in record.events:
            if isinstance(event, Said):
                turn = self._begin(event, record, at)
            elif isinstance(event, Back):
                self._go_back(event)
            elif turn != _NONE:
                self._turns[turn].take(event)
        if record.name:
            self._of_record.setdefault(record.name, turn)

    def finished(self) -> list[Turn]:
        """Give the turns that a person typed, saw answered, and did not take back."""
        path: list[_Turn] = []
        at = self._now
        while at != _NONE:
            path.append(self._turns[at])
            at = self._parent(at)
        return [one.turn() for one in reversed(path) if one.is_finished]

    def names(self) -> Iterator[str]:
        """Give the names of all turns, finished or not."""
        return (one.name for one in self._turns)

    @property
    def last_start(self) -> At | None:
        """Give where the last turn begins; it may still grow."""
        return self._turns[-1].start if self._turns else None

    def _begin(self, said: Said, record: Record, at: At) -> int:
        if record.name in self._of_record:
            return self._of_record[record.name]
        last = self._turns[self._now] if self._now != _NONE else None
        if last and last.is_again(said):
            return self._now
        parent = self._of_record.get(record.parent, self._now)
        if record.parent and record.parent not in self._of_record:
            self.reaches_back |= bool(self._turns)
        self._turns.append(_Turn(said, record, at, parent))
        self._now = len(self._turns) - 1
        return self._now

    def _go_back(self, back: Back) -> None:
        if back.before:
            self.reaches_back |= back.before not in self._of_record
            self._now = self._parent(self._of_record.get(back.before, _NONE))
        for _ in range(back.turns):
            self.reaches_back |= self._now == _NONE
            self._now = self._parent(self._now)

    def _parent(self, turn: int) -> int:
        return _NONE if turn == _NONE else self._turns[turn].parent


_NONE = -1  # no turn has begun


class _Turn:
    """A turn that is still being read."""

    def __init__(self, said: Said, record: Record, start: At, parent: int) -> None:
        self.request = said.text
        self.typed = said.typed
        self.start = start
        self.parent = parent
        self.at = record.at
        self.name = record.name or f"{start.offset}"
        self.reply = ""
        self.steps: dict[str, dict[str, Any]] = {}
        self.aborted = False

    @property
    def is_finished(self) -> bool:
        return self.typed and bool(self.reply) and not self.aborted

    def is_again(self, said: Said) -> bool:
        """Tell whether this is the same request, in a host's second log."""
        return self.request == said.text and not (self.reply or self.steps)

    def turn(self) -> Turn:
        return Turn(
            self.name, self.request, self.reply, [*self.steps.values()], self.at
        )

    def take(self, event: Event) -> None:
        if isinstance(event, Replied):
            self.reply = event.text.strip() or self.reply
        elif isinstance(event, Called):
            self.steps[event.call or f"{len(self.steps)}"] = {
                "action": event.action,
                "tool": event.tool,
                "ok": True,
            }
        elif isinstance(event, Returned):
            self._returned(event)
        elif isinstance(event, Aborted):
            self.aborted = True

    def _returned(self, event: Returned) -> None:
        step = self.steps.get(event.call)
        if step is None or event.ok is None:
            return
        step["ok"] = event.ok
        if event.error:
            step.setdefault("error", event.error)  # the fuller log comes first
