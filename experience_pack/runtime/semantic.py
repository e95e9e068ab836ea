"""Meaning in requests: vectors kept up with the store, and who is meant how surely."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from experience_pack.errors import ExperiencePackError
from experience_pack.formats.strict_json import read_back
from experience_pack.runtime import gate
from experience_pack.runtime.types import Meant
from experience_pack.store import Store, meanings
from experience_pack.store.meanings import Due

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from experience_pack.matching.embedder.e5 import Embedder
    from experience_pack.matching.views import Views

BATCH = 32
"""Experiences a transaction; what was made before an interruption stays."""

AT_ONCE = 8
"""Experiences that a request makes itself; more have to wait for a command."""

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
        if store.writable and meanings.count_due(store, embedder.id) <= AT_ONCE:
            refresh(store, embedder)
        known = self._renewed(store, embedder.id)
        return known.meant(text, embedder) if known.ids else None

    def keep_up(self, store: Store, watch: Watch = iter) -> int:
        """Make what is out of date, where that is more than a request makes itself."""
        waiting = meanings.count_stale(store)
        if waiting <= AT_ONCE or not store.writable:
            return 0
        embedder = self.embedder()
        return refresh(store, embedder, watch) if embedder else 0

    def _renewed(self, store: Store, model: str) -> _Known:
        version = meanings.version(store)
        if self._known is None or self._known.version != version:
            self._known = _Known(store, model, version)
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
        from experience_pack.matching.packed import unpack
        from experience_pack.matching.views import Utterance, Views

        self.version = version
        self.ids: list[int] = []
        utterances: list[Utterance] = []
        refused: list[tuple[int, NDArray[np.float32]]] = []
        for one in meanings.made(store, model):
            kept = [*unpack(one.data)]
            told = [each.asked for each in kept if each.means]
            if told:
                owner = len(self.ids)
                utterances += [Utterance(owner, *each) for each in told]
                self.ids.append(one.seq)
            refused += [
                (one.seq, each.asked.vector)
                for each in kept
                if not each.means and each.asked.vector is not None
            ]
        self._refused = refused
        self._views: Views | None = None
        if utterances:
            self._views = Views(utterances, len(self.ids))

    def meant(self, text: str, embedder: Embedder) -> Meant | None:
        """Compare a request with everything."""
        from experience_pack.matching.packed import asked
        from experience_pack.matching.ranking import rank, shares_of, shipped

        views = self._views
        if views is None:
            return None
        request = asked(text, embedder.vectors([text])[0])
        seen = views.see(request)
        ranked = rank(views, seen, shipped(semantic=True))
        best = seen.channels[:, views.names.index("best")]
        first = ranked.order[:NEAREST]
        chances = shares_of(ranked)
        return Meant(
            {self.ids[at]: chance for at, chance in zip(first, chances, strict=False)},
            {self.ids[at]: min(1.0, max(0.0, float(best[at]))) for at in first},
            {self.ids[at]: int(views.sizes[at]) for at in first},
            self._nearer_refused(request.vector, views, first),
        )

    def _nearer_refused(
        self, vector: NDArray[np.float32] | None, views: Views, first: Sequence[int]
    ) -> frozenset[int]:
        if vector is None or not self._refused:
            return frozenset()
        near = views.closest(vector)
        best = {self.ids[at]: float(near[at]) for at in first}
        return frozenset(
            seq
            for seq, turned in self._refused
            if seq in best and float(turned @ vector) >= best[seq]
        )
