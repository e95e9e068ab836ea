"""What a start of the program costs, beside a bare click group of the same size."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Iterator
from pathlib import Path

from bench.harness import Aim, Figure, process_seconds

AIM = Aim(most=1.3)
"""Issue 2: whoever calls us in a loop should not notice our imports."""

_REPEATS = 15

_ROOT = Path(__file__).parent.parent

_BARE = '''
import click

COMMANDS = {commands!r}


class Lazy(click.Group):
    def list_commands(self, ctx):
        return list(COMMANDS)

    def get_command(self, ctx, name):
        return click.Command(name, short_help=COMMANDS[name])


@click.group(cls=Lazy, context_settings={{"help_option_names": ["-h", "--help"]}})
def app():
    """A group of commands that are imported when they are called."""


app()
'''


def figures(size: int, folder: Path) -> Iterator[Figure]:
    """Give the cost of `--help`; the number of experiences plays no part."""
    _ = size
    bare = folder / "bare_click"
    bare.mkdir()
    (bare / "__init__.py").touch()
    (bare / "__main__.py").write_text(_BARE.format(commands=_commands()), "utf-8")
    ours = [sys.executable, "-m", "experience_pack", "--help"]
    anchor = [sys.executable, "-m", "bare_click", "--help"]
    runs: list[tuple[float, float]] = [
        (process_seconds(ours, _ROOT), process_seconds(anchor, folder))
        for _ in range(_REPEATS + 1)
    ][1:]  # the first run compiles
    yield Figure(
        name="start help",
        value=1000 * statistics.median(ours for ours, _ in runs),
        unit="ms",
        aim=AIM,
        anchor="bare click group --help",
        anchor_value=1000 * statistics.median(bare for _, bare in runs),
    )


def _commands() -> dict[str, str]:
    from experience_pack.cli.app import COMMANDS

    return {name: entry.text for name, entry in COMMANDS.items()}
