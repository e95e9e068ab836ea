"""Jinja templates of `site_templates/`, always escaping, never guessing."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experience_pack.model.record import Json
from experience_pack.resources import resource

if TYPE_CHECKING:
    from jinja2 import BaseLoader, Environment


def render(name: str, **values: Json) -> str:
    """Give a template's text; a name that it uses and does not get is an error."""
    return environment().get_template(name).render(values)


@cache
def environment() -> Environment:
    """Give the one environment; Jinja is loaded on first use."""
    from jinja2 import Environment

    return Environment(loader=_bundled(), autoescape=True, **_options())


def themed(folder: Path) -> Environment:
    """Give an environment in which a folder's templates stand before the site's.

    A theme may come with somebody else's project, so it is sandboxed: it can show
    what a page has and reach nothing else.
    """
    from jinja2 import ChoiceLoader, FileSystemLoader, PrefixLoader
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    own = PrefixLoader({"site": FileSystemLoader(folder)})
    loader = ChoiceLoader([own, _bundled()])
    return ImmutableSandboxedEnvironment(loader=loader, autoescape=True, **_options())


def _options() -> dict[str, Any]:
    from jinja2 import StrictUndefined

    return {
        "undefined": StrictUndefined,
        "trim_blocks": True,
        "lstrip_blocks": True,
        "auto_reload": False,
    }


def _bundled() -> BaseLoader:
    from jinja2 import FunctionLoader

    return FunctionLoader(_source)


def _source(name: str) -> str | None:
    found = resource("site_templates", *name.split("/"))
    return found.read_text("utf-8") if found.is_file() else None
