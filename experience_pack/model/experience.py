"""The experience: what was learned, as its author wrote it (DESIGN §1, content)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from experience_pack.model.record import Json, Record, WrongTypeError

KINDS = ("reference", "process", "result", "reflex", "habit", "lesson")
"""The kinds of experience, from what is read to what acts."""

REUSE_MODES = ("", "assist_only", "delegate_only")
"""Known reuse modes; the empty one leaves it to the kind. Others are kept."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Step(Record):
    """One step of a path."""

    action: str
    """What is done."""
    tool: str = ""
    """What it is done with."""
    input: str = ""
    """What goes in."""
    expect: str = ""
    """What should come out."""
    verify: str = ""
    """How to see that it did."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Branch(Record):
    """What to do when something special is the case."""

    if_: str
    """The case."""
    then: str
    """What to do then."""
    why: str = ""
    """The reason, or what happened once."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Interface(Record):
    """What an experience takes and gives."""

    inputs: tuple[str, ...] = ()
    """Names of what it takes."""
    outputs: tuple[str, ...] = ()
    """Names of what it gives."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Logic(Record):
    """The method: a goal, a path to it, branches and references."""

    goal: str = ""
    """What is reached in the end."""
    triggers: tuple[str, ...] = ()
    """Words or situations that call for it."""
    path: tuple[Step, ...] = ()
    """The steps in order."""
    branches: tuple[Branch, ...] = ()
    """What to do in special cases."""
    references: tuple[str, ...] = ()
    """Files and addresses that the method leans on."""
    io: Interface = field(default_factory=Interface)
    """What it takes and gives."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Trigger(Record):
    """When the experience is due."""

    event: str = ""
    """Name of the event."""
    frequency: str = ""
    """How often it comes (`recurring`, `once` …)."""
    condition: str = ""
    """Expression that must hold."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Match(Record):
    """What a request is compared with."""

    tags: tuple[str, ...] = ()
    """Tags of the context it belongs to."""
    keywords: tuple[str, ...] = ()
    """Words of the task."""
    embedding: tuple[float, ...] = ()
    """Vector given by the author's host; ours lives in the store."""


@dataclass(frozen=True, kw_only=True, slots=True)
class WorkflowStep(Record):
    """One call of a host's data provider."""

    name: str
    """Name under which the result is kept."""
    provider: str
    """Which provider is called."""
    params: Mapping[str, Json] = field(default_factory=dict)
    """What it is called with."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Rule(Record):
    """An expression and what follows when it holds."""

    if_: str
    """Expression over the state."""
    then: str
    """`warning:…`, `delegate`, or another named outcome."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Execution(Record):
    """How the experience runs without a model."""

    template: Mapping[str, Json] = field(default_factory=dict)
    """Texts with `{name}` placeholders, by name (`reply` is the answer)."""
    workflow: tuple[WorkflowStep, ...] = ()
    """Provider calls in order."""
    decision_rules: tuple[Rule, ...] = ()
    """Checked after the workflow; they add warnings."""
    exception_rules: tuple[Rule, ...] = ()
    """Checked before anything acts; they stop it."""
    code: Json = None
    """Kept for hosts that had it; never run."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Requests(Record):
    """Requests that say what the experience is for, and what not."""

    must_match: tuple[str, ...] = ()
    """Requests it must be found for."""
    must_not_match: tuple[str, ...] = ()
    """Requests it must not be found for."""
    must_not_execute: tuple[str, ...] = ()
    """Requests it must never execute on, however near."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Link(Record):
    """A named relation to another experience."""

    relation: str
    """`see_also`, `alternative_to`, `contradicts`, or a name of your own."""
    target: str
    """Id of the other experience."""
    note: str = ""
    """Why they are related."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Evidence(Record):
    """Where a claim can be checked."""

    episode_id: str = ""
    """Episode in the store."""
    ref: str = ""
    """Path, address or node."""
    type: str = "episode"
    """`episode`, `file`, `url` or `node`."""
    note: str = ""
    """What it shows."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Origin(Record):
    """Who or what made the experience, and from what."""

    type: str = ""
    """`user_confirmed`, `auto_compiled`, `llm_compiled`, `imported_skill` …"""
    source: str = ""
    """What it was made from."""
    reason: str = ""
    """Why it was kept."""
    episode_ids: tuple[str, ...] = ()
    """Episodes it was compiled from."""
    evidence: tuple[Evidence, ...] = ()
    """What it can be checked against."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Experience(Record):
    """One thing that was learned. Only content; standing is kept elsewhere."""

    id: str
    """Stable identity; not part of the content digest."""
    kind: str
    """One of `KINDS`."""
    name: str
    """Short title."""
    description: str = ""
    """What it is and when it helps, in a sentence or two."""
    category: str = ""
    """Area of work; the empty one is worked out from the family."""
    family: str = ""
    """Group of variants of the same task."""
    parent_id: str = ""
    """The more general variant."""
    prerequisites: tuple[str, ...] = ()
    """Ids or names of what it builds on and needs first."""
    extends: str = ""
    """Id or name of what it goes beyond."""
    links: tuple[Link, ...] = ()
    """Other relations."""
    reuse_mode: str = ""
    """How it may be used at most."""
    requires: tuple[str, ...] = ()
    """Values the state must have."""
    trigger: Trigger = field(default_factory=Trigger)
    """When it is due."""
    match: Match = field(default_factory=Match)
    """What requests are compared with."""
    logic: Logic = field(default_factory=Logic)
    """The method."""
    exec: Execution = field(default_factory=Execution)
    """How it runs without a model."""
    when: str = ""
    """Habit: the exact condition."""
    do: str = ""
    """Habit: the exact behaviour."""
    polarity: str = ""
    """Habit and lesson: `do` or `avoid`."""
    text: str = ""
    """Lesson: the lesson itself."""
    quote: str = ""
    """Lesson: the passage that grounds it."""
    source: str = ""
    """Lesson: where the passage stands."""
    exemplars: tuple[str, ...] = ()
    """Confirmed utterances that mean it."""
    tests: Requests = field(default_factory=Requests)
    """Requests that a receiver tries before it may execute."""
    notes: str = ""
    """Free Markdown."""
    origin: Origin = field(default_factory=Origin)
    """Where it comes from."""

    def __post_init__(self) -> None:
        """Refuse a kind that there is not."""
        if self.kind not in KINDS:
            known = f"one of {', '.join(KINDS)}"
            raise WrongTypeError("kind", known, self.kind)

    def content(self) -> dict[str, Json]:
        """Give everything but the identity; this is what the digest covers."""
        found = self.to_dict()
        del found["id"]
        return found

    def references(self) -> tuple[tuple[str, str], ...]:
        """Give `(relation, id or name)` for every experience it points to."""
        found = [("parent", self.parent_id)] if self.parent_id else []
        found += [("prerequisite", target) for target in self.prerequisites]
        if self.extends:
            found.append(("extends", self.extends))
        found += [(link.relation, link.target) for link in self.links]
        return tuple(found)

    def episodes(self) -> tuple[str, ...]:
        """Give the ids of all episodes it cites, in order, each once."""
        cited = [*self.origin.episode_ids]
        cited += [item.episode_id for item in self.origin.evidence if item.episode_id]
        return tuple(dict.fromkeys(cited))

    def renamed(
        self, ids: Mapping[str, str], episodes: Mapping[str, str]
    ) -> Experience:
        """Give the same experience with every id in it replaced where mapped."""

        def new(name: str) -> str:
            return ids.get(name, name)

        def new_episode(name: str) -> str:
            return episodes.get(name, name)

        links, origin = self.links, self.origin
        if any(link.target in ids for link in links):
            links = tuple(replace(link, target=new(link.target)) for link in links)
        if any(episode in episodes for episode in self.episodes()):
            origin = replace(
                origin,
                episode_ids=tuple(map(new_episode, origin.episode_ids)),
                evidence=tuple(
                    replace(item, episode_id=new_episode(item.episode_id))
                    for item in origin.evidence
                ),
            )
        return replace(
            self,
            id=new(self.id),
            parent_id=new(self.parent_id),
            prerequisites=tuple(map(new, self.prerequisites)),
            extends=new(self.extends),
            links=links,
            origin=origin,
        )
