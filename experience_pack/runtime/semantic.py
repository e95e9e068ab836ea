"""Meaning in requests: vectors kept up with the store, and who is meant how surely."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from experience_pack.errors import ExperiencePackError
from experience_pack.formats.strict_json import read_back
from experience_pack.runtime import gate
from experience_pack.runtime.types import Meant
from experience_pack.store import Store, meanings
from experience_pack.store.meanings import Due, Made

if TYPE_CHECKING:
    from experience_pack.matching.embedder.e5 import Embedder
    from experience_pack.matching.nearest import Nearest
    from experience_pack.matching.views import Floats, Views

BATCH = 32
"""Experiences a transaction; what was made before an interruption stays."""

AT_ONCE = 8
"""Experiences that a request makes itself; more have to wait for a command."""

MANY = 2_000
"""Experiences beyond which nearness alone is compared, and the document's thresholds
decide: all views of so many would take longer than the model itself."""

LEAST_NEAR = 0.3
"""Cosine to the nearest utterance below which nobody is meant: probabilities are
learnt among several experiences, and where there is only one, they find it likely
whatever is asked. Of requests for something else 93 in 100 assisted then and 16 do now,
of those for it 97 and 91 (CLINC150 and xSID zh, three utterances)."""

NEAREST = 20
"""Experiences that meaning adds to those that share words."""

Watch = Callable[[Sequence[int]], Iterable[int]]
"""Gives the items it gets, one after another; a person may look on."""


class Semantic:
    """The model and the store's utterances, loaded when first asked."""

    def __init__(self, open_model: Callable[[], Embedder | None]) -> None:
        """Take what opens the model; it may give None or raise, and is asked once."""
        self._open = open_model
        self._embedder: Embedder | None = None
        self._opened = False
        self.fault = ""
        """Why the model is not used, though it was prepared."""
        self._known: _Known | None = None

    def embedder(self) -> Embedder | None:
        """Give the model, None where there is none or it is damaged."""
        if not self._opened:
            self._opened = True
            try:
                self._embedder = self._open()
            except ExperiencePackError as error:
                self.fault = str(error)
        return self._embedder

    def meant(self, store: Store, text: str) -> Meant | None:
        """Say who is meant; None where words have to do."""
        embedder = self.embedder()
        if embedder is None or not text.strip():
            return None
        known = self._renewed(store, embedder)
        return known.meant(text, embedder) if known.ids else None

    def keep_up(self, store: Store, watch: Watch = iter) -> int:
        """Make what is out of date, where that is more than a request makes itself."""
        waiting = meanings.count_stale(store)
        if waiting <= AT_ONCE or not store.writable:
            return 0
        embedder = self.embedder()
        return refresh(store, embedder, watch) if embedder else 0

    def _renewed(self, store: Store, embedder: Embedder) -> _Known:
        """Give what is known, made anew where the store has changed."""
        if self._known is not None and self._known.version == meanings.version(store):
            return self._known
        waiting = meanings.count_due(store, embedder.id)
        if store.writable and 0 < waiting <= AT_ONCE:
            refresh(store, embedder)
        self._known = _Known(store, embedder.id, meanings.version(store))
        return self._known


def refresh(store: Store, embedder: Embedder, watch: Watch = iter) -> int:
    """Make what is out of date; give how many experiences that were."""
    waiting = meanings.due(store, embedder.id)
    for start in watch(range(0, len(waiting), BATCH)):
        batch = waiting[start : start + BATCH]
        rows = [(one, _made(store, one, embedder)) for one in batch]
        with store.transaction(durable=False) as tx:
            meanings.put_all(tx, embedder.id, rows)
            meanings.moved(tx)
    return len(waiting)


def _made(store: Store, one: Due, embedder: Embedder) -> bytes:
    from experience_pack.matching.packed import Kept, asked, pack

    content = read_back(one.content, one.id)
    learnt = meanings.learnt(store, one.id)
    means = dict.fromkeys(gate.exemplars(content), True)
    means |= {each.text: each.means for each in learnt}
    texts = [text for text in means if text.strip()]
    return pack(
        Kept(means[text], asked(text, embedder.vectors([text])[0])) for text in texts
    )


class _Known:
    """All utterances at one state of the store."""

    def __init__(self, store: Store, model: str, version: tuple[int, ...]) -> None:
        self.version = version
        self.ids: list[int] = []
        self._refused: list[tuple[int, Floats]] = []
        self._views: Views | None = None
        self._nearest: Nearest | None = None
        if meanings.count_made(store, model) > MANY:
            self._nearest = self._by_vectors(meanings.made(store, model))
        else:
            self._views = self._in_views(meanings.made(store, model))

    def meant(self, text: str, embedder: Embedder) -> Meant | None:
        """Compare a request with everything."""
        vector = embedder.vectors([text])[0]
        if self._nearest is not None:
            return self._by_nearness(self._nearest.best(vector, NEAREST))
        return self._by_views(text, vector, self._views) if self._views else None

    def _in_views(self, made: Iterable[Made]) -> Views | None:
        from experience_pack.matching.packed import unpack
        from experience_pack.matching.views import Utterance, Views

        listed = []
        for one in made:
            kept = [*unpack(one.data)]
            told = [each.asked for each in kept if each.means]
            listed += [Utterance(len(self.ids), *each) for each in told]
            self.ids += [one.seq] if told else []
            self._refused += [
                (one.seq, each.asked.vector)
                for each in kept
                if each.asked.vector is not None and not each.means
            ]
        return Views(listed, len(self.ids)) if listed else None

    def _by_vectors(self, made: Iterable[Made]) -> Nearest:
        from experience_pack.matching.nearest import Nearest
        from experience_pack.matching.packed import vectors_of

        found = ((one.seq, [*vectors_of(one.data)]) for one in made)
        told = ((seq, vectors) for seq, vectors in found if vectors)

        def kept() -> Iterable[Sequence[Floats]]:
            for seq, vectors in told:
                self.ids.append(seq)
                yield vectors

        return Nearest(kept())

    def _by_nearness(self, near: Mapping[int, float]) -> Meant:
        """Give nearness alone; the document's thresholds decide by it."""
        shown = {self.ids[at]: min(1.0, max(0.0, one)) for at, one in near.items()}
        return Meant({}, shown, dict.fromkeys(shown, 0), frozenset())

    def _by_views(self, text: str, vector: Floats, views: Views) -> Meant:
        from experience_pack.matching.packed import asked
        from experience_pack.matching.ranking import rank, shares_of, shipped

        seen = views.see(asked(text, vector))
        ranked = rank(views, seen, shipped(semantic=True))
        best = seen.channels[:, views.names.index("best")]
        first = ranked.order[:NEAREST]
        near = views.closest(vector)
        shares = zip(first, shares_of(ranked), strict=False)
        return Meant(
            {
                self.ids[at]: one if near[at] >= LEAST_NEAR else 0.0
                for at, one in shares
            },
            {self.ids[at]: min(1.0, max(0.0, float(best[at]))) for at in first},
            {self.ids[at]: int(views.sizes[at]) for at in first},
            self._nearer_refused(
                vector, {self.ids[at]: float(near[at]) for at in first}
            ),
        )

    def _nearer_refused(
        self, vector: Floats, best: Mapping[int, float]
    ) -> frozenset[int]:
        return frozenset(
            seq
            for seq, turned in self._refused
            if seq in best and float(turned @ vector) >= best[seq]
        )
