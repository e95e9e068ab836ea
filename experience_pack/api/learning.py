"""Experiences made from finished work."""

from __future__ import annotations

from typing import Any

from experience_pack.api.core import Core
from experience_pack.learning import review
from experience_pack.learning.compile import Purpose, compile_source
from experience_pack.model.replies import Model
from experience_pack.runtime.feedback import request_of
from experience_pack.store import experiences, meta

CONFIRMED = "user_confirmed"


def compile_experience(  # noqa: PLR0913 - the document's signature
    core: Core,
    source: Any,
    source_type: str = "",
    origin_type: str = "llm_compiled",
    *,
    request: str = "",
    llm: Model | None = None,
    dry_run: bool = False,
) -> str | dict[str, Any]:
    """Make an experience from a text or structured data and give its id.

    With `dry_run` the experience itself is given and nothing is stored. `request`
    is what was asked and becomes an exemplar; without it, the request after which
    this text was fed back as the model's output. Of origin `user_confirmed` it counts
    as approved: the caller answers for its person. `llm` stands in for the host's.
    """
    if not request and isinstance(source, str):
        request = request_of(core.store, source)
    compiled = compile_source(
        source,
        Purpose(source_type, origin_type, request),
        llm or core.llm,
        core.settings["max_source_chars"],
    )
    if dry_run:
        return compiled.experience.to_dict()
    with core.saving() as tx:
        experiences.save(tx, compiled.experience, "compiled")
        meta.add(tx, "compile_count")
        if compiled.enhanced:
            meta.add(tx, "llm_compile_count")
        if origin_type == CONFIRMED:
            review.confirm(core.store, tx, compiled.experience)
    return compiled.experience.id
