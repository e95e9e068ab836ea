"""The prepared model, made once for all tests of a run."""

from __future__ import annotations

import os
import tempfile
from functools import cache
from pathlib import Path

from experience_pack.matching.embedder.e5 import Embedder
from experience_pack.workspace import models

FOLDER = Path(tempfile.gettempdir()) / f"experience-pack-tests-{os.getuid()}"


@cache
def embedder() -> Embedder:
    """Give the real model; it is prepared where no run before did it."""
    models.prepare(FOLDER)
    found = models.opened(FOLDER)
    assert found is not None
    return found
