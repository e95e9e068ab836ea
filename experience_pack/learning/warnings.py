"""What did harm more often than not is proposed as a warning; a person decides."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from experience_pack.formats.canonical import digest
from experience_pack.learning import additions
from experience_pack.model import (
    Experience,
    Link,
    Match,
    Origin,
    Proposal,
    derived_id,
    price_of,
)
from experience_pack.store import Reader, Store, Transaction, experiences, standings
from experience_pack.text.tokens import is_ideographic

LEAST, SHARE = 3, 0.5
"""Harmful uses, and their share of all uses, above which it is warned (row X20)."""

KINDS = ("lesson", "process")
"""Kinds that advise: what executes is stopped by its own failures."""

ORIGIN = "harmful_use"


class Harm(NamedTuple):
    """How often the use of an experience turned out harmful here."""

    harmful: int
    uses: int

    @property
    def is_proved(self) -> bool:
        """Tell whether it is enough for a warning."""
        return self.harmful >= LEAST and self.harmful > SHARE * self.uses


def harm_of(db: Reader, installation: str, identity: str) -> Harm:
    """Give how an experience did in one installation, by the feedback on its uses."""
    seen = standings.own(db, installation, identity)
    if seen is None:
        return Harm(0, 0)
    return Harm(seen.failure_count, seen.success_count + seen.failure_count)


def propose_warnings(
    store: Store, tx: Transaction, identities: Iterable[str]
) -> list[Proposal]:
    """Propose a warning for each experience that proved harmful; give what is new.

    A wording that a person has decided about is not proposed again.
    """
    found = []
    for one in experiences.get_many(tx, [*identities]).values():
        harm = harm_of(tx, store.installation, one.id)
        if one.kind in KINDS and one.polarity != "avoid" and harm.is_proved:
            subject = f"{ORIGIN}:{one.id}:{digest(one.content())}"
            warning = warning_about(one, harm, subject)
            found.append(additions.proposal_of(subject, warning, price_of(ORIGIN)))
    return [one for one in found if additions.propose(tx, one)]


def warning_about(one: Experience, harm: Harm, subject: str) -> Experience:
    """Give the lesson that warns of an experience, in its own language."""
    told = one.text or one.name
    form, reason = _FORMS[any(map(is_ideographic, told))]
    return Experience(
        id=derived_id("exp", subject),
        kind="lesson",
        name=form.format(one.name),
        category=one.category,
        polarity="avoid",
        text=f"{form.format(told)} {reason.format(*harm)}",
        quote=one.text or "; ".join(step.action for step in one.logic.path),
        source=one.id,
        match=Match(tags=one.match.tags, keywords=one.match.keywords),
        links=(Link(relation="contradicts", target=one.id),),
        origin=Origin(type=ORIGIN, source=subject, reason=reason.format(*harm)),
    )


_FORMS = {
    False: ("Avoid: {}", "{0} of {1} uses turned out harmful."),
    True: ("避免：{}", "共使用 {1} 次，其中 {0} 次有害。"),
}
"""How a warning begins and what it rests on, by whether the text is Chinese."""
