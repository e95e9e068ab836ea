"""What a vector of multilingual-e5-small owes to the language of its text alone.

In a store of two languages a request is nearer to any text of its own language than
to its meaning in the other. The 20 directions in which 79 languages differ on the
same sentences (those of Django's translations) hold that, and are taken out. Of 30
targets among as many of the request's own language, the right one came first for
0.83 of the requests in 78 languages, where it had been 0.39.
"""

from __future__ import annotations

from importlib.resources import files

from experience_pack.matching.embedder.graph import Subspace


def subspace(width: int) -> Subspace:
    """Give the mean of all languages and the directions in which they differ."""
    import numpy as np

    data = files(__package__ or "").joinpath("languages.f32").read_bytes()
    rows = np.frombuffer(data, "<f4").reshape(-1, width)
    return Subspace(rows[0], rows[1:])
