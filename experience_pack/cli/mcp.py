"""`mcp`: serve the workspace to hosts that speak the Model Context Protocol.

A host waits for its first word, so it takes less from this package than other
commands do, and the rest when it is needed.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

import click

from experience_pack.errors import UsageError
from experience_pack.workspace import location

if TYPE_CHECKING:
    from experience_pack.hosts.mcp.tool import UnattendedRuntime

_PATH = click.Path(path_type=Path)


@click.command(name="mcp")
@click.option("--db", type=_PATH, help="Serve the store at this path.")
@click.option(
    "--profile",
    type=click.Choice(["core", "full"]),
    default="core",
    show_default=True,
    help="The few tools that the contract names, or all of them.",
)
@click.option(
    "--workspace",
    type=_PATH,
    metavar="DIR",
    help="Use the workspace of this folder instead of the current one.",
)
@click.option("--user", is_flag=True, help="Use your own workspace.")
def mcp_command(
    db: Path | None, profile: str, workspace: Path | None, user: bool
) -> None:
    """Serve the workspace on standard input and output, as hosts start it.

    \b
    experience-pack host install claude-code    writes this into a host's settings
    experience-pack mcp --profile full          all 40 tools

    It needs the extra: pip install 'experience-pack[mcp]'.
    """  # noqa: D301
    if importlib.util.find_spec("mcp") is None:
        raise UsageError(
            "the MCP server needs the official SDK, which is not installed",
            hint="pip install 'experience-pack[mcp]'",
        )
    from experience_pack.hosts.mcp.server import serve

    start = workspace or Path.cwd()

    def opened() -> UnattendedRuntime:
        from experience_pack.hosts.mcp.tool import UnattendedRuntime
        from experience_pack.workspace.folder import open_folder

        return UnattendedRuntime(db or open_folder(start, user=user))

    serve(opened, profile, _folder(db) if db else _found(start, user=user))


def _folder(db: Path) -> Path | None:
    """Give the workspace that a store belongs to, None for one of its own."""
    return db.parent if db.parent.name == location.FOLDER else None


def _found(start: Path, *, user: bool) -> Path | None:
    """Give the workspace's folder, None where there is none yet."""
    path = location.user_folder() if user else location.find(start)
    return path if path is not None and path.is_dir() else None
