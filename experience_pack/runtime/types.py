"""What passes between the steps of a request; cheap to load, for a hook waits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from experience_pack.formats.strict_json import read_back
from experience_pack.matching.similarity import Parts
from experience_pack.store.candidates import CandidateRow

Watch = Callable[[Sequence[int]], Iterable[int]]
"""Gives the items it gets, one after another; a person may look on."""


class State(NamedTuple):
    """A request as the matcher and the gate see it."""

    text: str
    """What was asked, as it was asked."""
    terms: tuple[str, ...] = ()
    """Distinct search terms of the text and of the tags."""
    tokens: tuple[str, ...] = ()
    """Words of the task, in order."""
    tags: frozenset[str] = frozenset()
    """Tags of the context, case folded."""
    context: Mapping[str, Any] = {}
    """What the host said besides, as it said it."""
    numbers: tuple[str, ...] = ()
    """Numbers of the text in plain form (`1,000.50` is `1000.50`), in order."""
    event: str = ""
    """The event that the host names, case folded."""

    def task_tokens(self) -> list[str]:
        """Give the words of the task, in order."""
        return list(self.tokens)


class Meant(NamedTuple):
    """Who is meant by a request, as far as meaning can tell."""

    probability: Mapping[int, float]
    """Of the nearest experiences by number, that the request means them."""
    nearness: Mapping[int, float]
    """Their best agreement in meaning, 0 to 1."""
    vouchers: Mapping[int, int]
    """How many utterances vouch for each."""
    refused: frozenset[int]
    """Experiences for which a nearer utterance was turned down."""
    first: int = 0
    """The likeliest by number, where there are probabilities."""
    features: bytes = b""
    """What its probability rests on, to learn from when it is known who was meant."""


class Candidate:
    """An experience that may answer a request, with how well it matches.

    `seq`, `id`, `kind`, `name`, `family`, `parent_id`, `category` and `digest` are
    the store's; `standing` is the canonical JSON of what this installation has seen
    of it, empty if nothing. `similarity` and its parts `rule`, `tags` and `vector`
    go from 0 to 1, `vector` is None without vectors. `bm25` goes from 0 up; it
    breaks ties and never moves the similarity. `probability` that the request means
    it is None where words had to do; `vouchers` are the utterances that it rests on,
    and `refused` says that a nearer one was turned down.
    """

    __slots__ = (
        "_content",
        "_text",
        "bm25",
        "category",
        "digest",
        "family",
        "id",
        "kind",
        "name",
        "parent_id",
        "probability",
        "refused",
        "rule",
        "seq",
        "similarity",
        "standing",
        "tags",
        "vector",
        "vouchers",
    )

    def __init__(
        self, row: CandidateRow, similarity: float, parts: Parts, bm25: float
    ) -> None:
        (
            self.seq,
            self.id,
            self.kind,
            self.name,
            self.family,
            self.parent_id,
            self.category,
            self.digest,
            self._text,
            self.standing,
            *_,
        ) = row
        self._content: dict[str, Any] | None = None
        self.similarity = similarity
        self.rule, self.tags, self.vector = parts
        self.bm25 = bm25
        self.probability: float | None = None
        self.vouchers = 0
        self.refused = False

    @property
    def content(self) -> dict[str, Any]:
        """Give the content, parsed when first asked for; most never are."""
        if self._content is None:
            self._content = read_back(self._text, self.id)
        return self._content

    @property
    def matched_by(self) -> tuple[str, ...]:
        """Give the names of the signals that spoke for it."""
        names = ("rule", "tags", "vector", "bm25")
        return tuple(name for name in names if getattr(self, name))

    @property
    def degraded(self) -> bool:
        """Tell whether meaning had no say, since there was no vector."""
        return self.vector is None

    def __repr__(self) -> str:
        return f"<Candidate {self.name!r} {self.similarity:.3f}>"
