"""Jinja templates of `site_templates/`, always escaping, never guessing."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from experience_pack.model.record import Json
from experience_pack.resources import resource

if TYPE_CHECKING:
    from jinja2 import Environment


def render(name: str, **values: Json) -> str:
    """Give a template's text; a name that it uses and does not get is an error."""
    return environment().get_template(name).render(values)


@cache
def environment() -> Environment:
    """Give the one environment; Jinja is loaded on first use."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    return Environment(
        loader=FunctionLoader(_source),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )


def _source(name: str) -> str | None:
    found = resource("site_templates", name)
    return found.read_text("utf-8") if found.is_file() else None
