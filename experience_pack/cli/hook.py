"""`hook`: what hosts run; its own start is `hosts.hooks.run`, before this is loaded."""

from __future__ import annotations

import click

from experience_pack.hosts.hooks import run


@click.command(name="hook")
@click.argument("host")
@click.argument("event")
def hook_command(host: str, event: str) -> None:
    """Answer an EVENT of a HOST: it writes JSON on stdin and reads the answer.

    \b
    experience-pack host install claude-code --hooks    writes this into its settings

    It says nothing where nothing is known, and always lets the host go on.
    """  # noqa: D301
    run.main([host, event])
