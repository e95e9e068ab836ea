"""Tables of the reference pages, made from the code by cog (`make schemas`)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import click

from experience_pack import errors
from experience_pack.cli.app import app
from experience_pack.formats.schemas import NAMES, file_name, schema
from experience_pack.hosts.installers.hosts import HOSTS
from experience_pack.hosts.mcp.tools import CORE, TOOLS
from experience_pack.model.settings import SETTINGS
from experience_pack.workspace.config import variable

ROOT = Path(__file__).parents[1]
OTHER_CODES = (
    (0, "It worked."),
    (130, "Interrupted; what was finished is kept."),
)


def commands() -> str:
    """Give the help of every command."""
    parts = []
    names = app.context_settings
    with click.Context(app, info_name="experience-pack", **names) as root:
        for name, command, context in _walk(app, root, "experience-pack"):
            text = command.get_help(context).rstrip()
            parts.append(f"## {name}\n\n```text\n{text}\n```\n")
    return "\n".join(parts)


def _walk(
    command: click.Command, context: click.Context, name: str
) -> Iterator[tuple[str, click.Command, click.Context]]:
    yield name, command, context
    if isinstance(command, click.Group):
        for part in command.list_commands(context):
            found = command.get_command(context, part)
            assert found is not None
            below = click.Context(found, info_name=part, parent=context)
            yield from _walk(found, below, f"{name} {part}")


def exit_codes() -> str:
    """Give the table of exit codes with the errors that have them."""
    kinds = {
        kind.exit_code: " ".join((kind.__doc__ or "").split("\n\n")[0].split())
        for kind in vars(errors).values()
        if isinstance(kind, type)
        and issubclass(kind, errors.ExperiencePackError)
        and kind is not errors.FormatError
    }
    kinds[1] = "A fault of ours; please report it."
    rows = sorted({**kinds, **dict(OTHER_CODES)}.items())
    lines = [f"| {code} | {text} |" for code, text in rows]
    return "| code | meaning |\n|---|---|\n" + "\n".join(lines)


def settings() -> str:
    """Give the table of settings."""
    lines = [
        f"| `{one.key}` | `{one.default!r}` | {one.text} | `{variable(one.key)}` |"
        for one in SETTINGS
    ]
    head = "| key | default | meaning | variable |\n|---|---|---|---|\n"
    return head + "\n".join(lines)


def schemas() -> str:
    """Give the table of published schemas."""
    lines = []
    for name in NAMES:
        document = schema(name)
        text = document["description"].split("\n\n")[0].replace("\n", " ")
        target = file_name(name)
        lines.append(f"| [{target}](../schemas/{target}) | {text} |")
    return "| schema | what it describes |\n|---|---|\n" + "\n".join(lines)


def figures() -> str:
    """Give the table of figures that the tests reached last (`make figures`)."""
    lines = (ROOT / "docs" / "figures.jsonl").read_text("utf-8").splitlines()
    rows = {one["figure"]: one["value"] for one in map(json.loads, lines)}
    shown = [f"| {name} | {rows[name]} |" for name in sorted(rows)]
    return "| what was tried | what came of it |\n|---|---|\n" + "\n".join(shown)


def fields(name: str) -> str:
    """Give the table of a format's fields."""
    lines = [
        f"| `{key}` | {field.get('description', '')} |"
        for key, field in schema(name)["properties"].items()
    ]
    return "| field | meaning |\n|---|---|\n" + "\n".join(lines)


def tools() -> str:
    """Give the table of all tools of the MCP server, by subject."""
    rows = ["| tool | in `core` | what it is for | arguments |", "|---|:-:|---|---|"]
    for tool in TOOLS:
        required = tool.takes.get("required", ())
        named = [
            f"`{name}`" if name in required else f"`{name}`?"
            for name in tool.takes["properties"]
        ]
        mark = "•" if tool.name in CORE else ""
        rows.append(f"| `{tool.name}` | {mark} | {tool.text} | {', '.join(named)} |")
    return "\n".join(rows)


def hosts() -> str:
    """Give the table of hosts, with the files that are written to."""
    rows = ["| host | name | scopes | before a model call | end of a turn |"]
    rows.append("|---|---|---|---|---|")
    for host in HOSTS:
        asking = (
            ", ".join(f"`{one}`" for one in host.hooks.asking) if host.hooks else ""
        )
        ending = f"`{host.hooks.ending}`" if host.hooks else ""
        if host.script:
            asking = ending = "our script"
        scopes = "printed only" if host.prints else ", ".join(host.server.files)
        cells = (host.title, f"`{host.name}`", scopes, asking, ending)
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)
