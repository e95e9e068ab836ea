"""Vectors kept up with a workspace, in the background of its commands."""

from __future__ import annotations

from experience_pack.runtime.calibration import rehearse
from experience_pack.runtime.semantic import Semantic
from experience_pack.runtime.types import Watch
from experience_pack.workspace import models
from experience_pack.workspace.folder import Folder


def keep_up(folder: Folder, watch: Watch = iter) -> int:
    """Make the vectors that wait, if a model was prepared; give for how many.

    Where they have become many more, the store is asked its own utterances too.

    A few are left to the next request, which makes them itself. A damaged model is
    not used, and what was made before stays.
    """
    if not folder.config["matching.semantic"]:
        return 0
    place = models.default_folder()
    made = Semantic(lambda: models.opened(place)).keep_up(folder.store, watch)
    rehearse(folder.store, watch)
    return made
