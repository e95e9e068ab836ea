"""Where schemas, templates and the viewer are, in a checkout and in a wheel."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

_CHECKOUT = Path(__file__).parent.parent


def resource(*parts: str) -> Traversable:
    """Give the data file at `schemas/…`, `site_templates/…` or `viewer/…`."""
    bundled = files("experience_pack").joinpath("_bundled")
    root = bundled if bundled.is_dir() else _CHECKOUT
    return root.joinpath(*parts)


def read_resource(*parts: str) -> str:
    """Give the text of a data file."""
    return resource(*parts).read_text("utf-8")


def script(*parts: str) -> str:
    """Give the text of a script that a host loads, at `hosts/…` in the package."""
    return files("experience_pack").joinpath("hosts", *parts).read_text("utf-8")
