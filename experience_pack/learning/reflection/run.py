"""One reflection: gates, one question, admission, and one transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from experience_pack.clock import days_before, seconds
from experience_pack.errors import ExperiencePackError
from experience_pack.learning.reflection import answers, gates
from experience_pack.learning.reflection.conversation import (
    RECENT,
    Message,
    Selected,
    select,
    selected_from,
)
from experience_pack.learning.reflection.gates import Situation
from experience_pack.learning.reflection.lessons import Admission, admit
from experience_pack.learning.review import VIEWS
from experience_pack.learning.served import is_served
from experience_pack.model import new_id
from experience_pack.model.replies import Model
from experience_pack.model.values import Json
from experience_pack.store import (
    Store,
    Transaction,
    experiences,
    outbox,
    reflections,
    sightings,
    tombstones,
)
from experience_pack.store.reflections import Run
from experience_pack.store.sightings import Sighting

NOTE_CHARS = 180
"""Of the note that a run leaves: a line in a status bar (upstream)."""

OPEN_DAYS = 7.0
"""Days that an unfinished run keeps its conversation, as long as analysed text."""

RECENT_EXCHANGES = RECENT // 2
"""Captured exchanges that make as many messages as are looked at."""

DISTILLED = "distilled"


class Outcome(NamedTuple):
    """What a run came to."""

    id: str
    status: str
    """`done`, `skipped`, `invalid`, or `open` if it can be resumed."""
    reason: str = ""
    """Why there are no lessons, one of `gates.MEANINGS`."""
    lessons: Sequence[Mapping[str, Json]] = ()
    """`id`, `text`, `polarity`, `quote`, `source`, and whether it is `new`."""
    dropped: Sequence[Mapping[str, Json]] = ()
    """`text` and `reason` of what was not admitted."""
    previews: Sequence[str] = ()
    note: str = ""
    error: ExperiencePackError | None = None
    """Why the model could not be asked."""

    def to_dict(self) -> dict[str, Json]:
        """Give it for programs, with the reason in words."""
        meaning = gates.MEANINGS.get(self.reason, "")
        error = str(self.error) if self.error else ""
        lists = {name: [*getattr(self, name)] for name in _LISTS}
        return {**self._asdict(), **lists, "meaning": meaning, "error": error}


_LISTS = ("lessons", "dropped", "previews")


def reflect(
    store: Store,
    model: Model | None,
    messages: Sequence[Message],
    settings: Mapping[str, Any],
    *,
    session: str = "",
    asked: bool = False,
) -> Outcome:
    """Reflect on a conversation that has ended; lessons wait for a person's review.

    `asked` says that a person wants this now, which passes the gates about being
    unasked. Whatever happens is a run that `learn status` lists. A run that the model
    failed stays open, with its redacted conversation, and `resume` goes on with it.
    """
    begun = _begun(store, messages, settings, session, asked=asked, model=model)
    if isinstance(begun, Outcome):
        return begun
    assert model is not None
    return resume(store, model, begun)


def queue(
    store: Store,
    messages: Sequence[Message],
    settings: Mapping[str, Any],
    session: str,
    model: Model | None,
) -> Outcome:
    """Leave a conversation for a later `resume`, where nobody can wait for a model.

    The gates of automatic reflection hold. A session has one such run at a time; its
    later end stands in place of its earlier one.
    """
    begun = _begun(store, messages, settings, session, asked=False, model=model)
    return begun if isinstance(begun, Outcome) else Outcome(begun.id, begun.status)


def _begun(
    store: Store,
    messages: Sequence[Message],
    settings: Mapping[str, Any],
    session: str,
    *,
    asked: bool,
    model: Model | None,
) -> Run | Outcome:
    """Pass the gates and open a run, or keep the reason why there is none."""
    situation = Situation(
        messages,
        enabled=bool(settings["reflection.enabled"]),
        automatic=bool(settings["reflection.automatic"]),
        has_model=model is not None,
        since_distilled=_since_distilled(store),
    )
    with store.transaction() as tx:
        reflections.remove_open_before(tx, days_before(store.clock(), OPEN_DAYS))
        waiting = reflections.listed(tx, status=reflections.OPEN)
        same = [one.id for one in waiting if session and one.data["session"] == session]
        identity = same[0] if same else new_id("refl")
        if reason := gates.refused(situation, asked=asked):
            identity = new_id("refl")
            reflections.put(tx, identity, "skipped", _data(reason, session))
            return Outcome(identity, "skipped", reason)
        kept = {**_data("", session), "input": select(messages).to_json()}
        reflections.put(tx, identity, reflections.OPEN, kept)
        begun = reflections.get(tx, identity)
    assert begun is not None
    return begun


def resume(store: Store, model: Model | None, run: Run) -> Outcome:
    """Go on with an open run, from the conversation that it kept."""
    if model is None:
        return Outcome(run.id, run.status, "no model")
    selected = selected_from(run.data["input"])
    return _finish(store, model, run.id, str(run.data["session"]), selected)


def open_runs(store: Store) -> list[Run]:
    """Give the runs that can be resumed, the oldest first."""
    return reflections.listed(store, status=reflections.OPEN)[::-1]


def _finish(
    store: Store, model: Model, identity: str, session: str, selected: Selected
) -> Outcome:
    try:
        reply = answers.asked(model, selected)
    except ExperiencePackError as error:
        return Outcome(identity, reflections.OPEN, "model failed", error=error)
    with store.transaction() as tx:
        run = reflections.get(tx, identity)
        if run is None or run.status != reflections.OPEN:
            return Outcome(identity, run.status if run else "skipped")
        if reply.answer is None:
            status = "invalid" if reply.previews else "skipped"
            outcome = Outcome(identity, status, reply.reason, previews=reply.previews)
        else:
            source = f"conversation of {run.created_at[:10]}"
            found = _admitted(tx, reply.answer, selected, source)
            outcome = _stored(tx, identity, found)
        reflections.put(tx, identity, outcome.status, _kept(outcome, session))
    return outcome


def _admitted(
    tx: Transaction, answer: answers.Answer, selected: Selected, source: str
) -> Admission:
    stones = tombstones.all_of(tx)
    return admit(
        answer,
        selected.messages,
        source,
        turned_down=stones.__contains__,
        is_served=lambda text: is_served(tx, text),
    )


def _stored(tx: Transaction, identity: str, found: Admission) -> Outcome:
    """Store lessons and sightings; what is known already is only seen once more."""
    known = experiences.digests(tx)
    made = [one.experience for one in found.admitted]
    experiences.save_all(tx, [one for one in made if one.id not in known], "reflected")
    sightings.put_all(
        tx,
        [
            Sighting(one.experience.id, identity, one.quote, 1, tx.now, tx.now)
            for one in found.admitted
        ],
    )
    lessons = [
        {
            "id": one.id,
            "text": one.text,
            "polarity": one.polarity,
            "quote": one.quote,
            "source": one.source,
            "new": one.id not in known,
        }
        for one in made
    ]
    dropped = [one._asdict() for one in found.dropped]
    if not made:
        return Outcome(identity, "skipped", "nothing admitted", dropped=dropped)
    outbox.put(tx, outbox.LESSONS, [VIEWS])
    note = made[0].text[:NOTE_CHARS]
    return Outcome(identity, "done", "", lessons, dropped, note=note)


def _data(reason: str, session: str) -> dict[str, Json]:
    return {"reason": reason, "session": session}


def _kept(outcome: Outcome, session: str) -> dict[str, Json]:
    """Give what stays of a run: ids and reasons, not the conversation."""
    return {
        **_data(outcome.reason, session),
        "lessons": [one["id"] for one in outcome.lessons],
        "dropped": [*outcome.dropped],
        "previews": [*outcome.previews],
    }


def _since_distilled(store: Store) -> float:
    runs = reflections.listed(store, status=DISTILLED, limit=1)
    then = seconds(runs[0].created_at) if runs else 0.0
    return store.clock() - then
