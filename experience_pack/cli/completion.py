"""`completion`: what a shell needs to complete our commands."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from experience_pack.cli import output

_SHELLS = ("bash", "zsh", "fish")


@click.command(name="completion")
@click.argument("shell", type=click.Choice(_SHELLS))
def completion_command(shell: str) -> None:
    """Print the completion script for SHELL.

    \b
    eval "$(experience-pack completion bash)"
    """  # noqa: D301
    root = click.get_current_context().find_root()
    made = get_completion_class(shell)
    assert made is not None
    script = made(root.command, {}, "experience-pack", "_EXPERIENCE_PACK_COMPLETE")
    output.result(script.source())
