"""`mcp`: serve the workspace to hosts that speak the Model Context Protocol."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import click

from experience_pack.cli.session import Session, command
from experience_pack.errors import NotFoundError, UsageError
from experience_pack.workspace.folder import find_folder, open_folder
from experience_pack.workspace.location import FOLDER


@command(name="mcp")
@click.option(
    "--db", type=click.Path(path_type=Path), help="Serve the store at this path."
)
@click.option(
    "--profile",
    type=click.Choice(["core", "full"]),
    default="core",
    show_default=True,
    help="The few tools that the contract names, or all of them.",
)
def mcp_command(session: Session, db: Path | None, profile: str) -> None:
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
    from experience_pack.hosts.mcp.tool import UnattendedRuntime
    from experience_pack.hosts.mcp.tools import PROFILES

    def opened() -> UnattendedRuntime:
        found = db or open_folder(session.start, user=session.user)
        return UnattendedRuntime(found)

    serve(opened, PROFILES[profile], _folder(session, db))


def _folder(session: Session, db: Path | None) -> Path | None:
    """Give the workspace's folder, None where there is none yet."""
    if db is not None:
        return db.parent if db.parent.name == FOLDER else None
    try:
        return find_folder(session.start, user=session.user)
    except NotFoundError:
        return None
