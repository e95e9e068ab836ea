"""Where schemas, templates and the viewer are, in a checkout and in a wheel."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_CHECKOUT = Path(__file__).parent.parent


def _package() -> Traversable:
    """Give the package's own folder."""
    # four milliseconds, for which a hook that reads no data file need not wait
    from importlib.resources import files

    return files("experience_pack")


def resource(*parts: str) -> Traversable:
    """Give the data file at `schemas/…`, `site_templates/…` or `viewer/…`."""
    bundled = _package().joinpath("_bundled")
    root = bundled if bundled.is_dir() else _CHECKOUT
    return root.joinpath(*parts)


def read_resource(*parts: str) -> str:
    """Give the text of a data file."""
    return resource(*parts).read_text("utf-8")


def script(*parts: str) -> str:
    """Give the text of a script that a host loads, at `hosts/…` in the package."""
    return _package().joinpath("hosts", *parts).read_text("utf-8")
