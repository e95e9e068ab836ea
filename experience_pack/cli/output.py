"""Everything that is printed passes here: results on stdout, the rest on stderr."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:  # the help needs no model
    from experience_pack.model.record import Json

T = TypeVar("T")


def use_utf8() -> None:
    """Write UTF-8 whatever the locale says; what cannot be shown is escaped."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")


def drop_stdout() -> None:
    """Let go of a pipe that nobody reads any more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def result(text: str = "") -> None:
    """Print a result."""
    click.echo(_visible(text))


def result_json(value: Json) -> None:
    """Print a result for programs."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


def note(text: str) -> None:
    """Say something that is not part of the result."""
    click.echo(_visible(text), err=True)


def failure(text: str, hint: str = "") -> None:
    """Say what went wrong and what to do next."""
    click.echo(click.style("error: ", fg="red", bold=True) + _visible(text), err=True)
    if hint:
        click.echo(click.style("hint: ", fg="cyan") + _visible(hint), err=True)


def heading(text: str) -> None:
    """Print a heading of a result."""
    click.echo(click.style(_visible(text), bold=True))


def table(rows: Iterable[Sequence[str]], widths: Sequence[int]) -> None:
    """Print columns; a width is in terminal cells, the last column is not cut."""
    for row in rows:
        cells = [
            _fit(_visible(cell), width)
            for cell, width in zip(row, widths, strict=False)
        ]
        cells += [_visible(cell) for cell in row[len(widths) :]]
        click.echo("  ".join(cells).rstrip())


def progress(items: Sequence[T], label: str) -> Iterator[T]:
    """Give the items, with a bar on stderr where a person looks on."""
    if len(items) < 3 or not sys.stderr.isatty():
        yield from items
        return
    with click.progressbar(items, label=label, file=sys.stderr) as bar:
        yield from bar


def counted(number: int, noun: str) -> str:
    """Give `1 file` or `2 files`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def cells(text: str) -> int:
    """Give how many terminal cells a text takes; CJK characters take two."""
    import unicodedata

    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def _fit(text: str, width: int) -> str:
    if cells(text) <= width:
        return text + " " * (width - cells(text))
    kept = ""
    for char in text:
        if cells(kept + char) > width - 1:
            break
        kept += char
    return kept + "…" + " " * (width - 1 - cells(kept))


def _visible(text: str) -> str:
    """Show control characters that could steer a terminal as escapes."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char == "\n" else ascii(char)[1:-1]
        for char in text
    )
