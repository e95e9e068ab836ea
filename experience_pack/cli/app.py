"""The table of all commands; a command's module is imported when it is called."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import NamedTuple

import click

from experience_pack import __version__


class Entry(NamedTuple):
    """Where a command is, and the line that the help shows."""

    module: str
    text: str
    section: str


_START = "Start"
_DAILY = "Look and edit"
_ASK = "Ask"
_PACKS = "Share"
_SHOW = "Show"
_HOSTS = "Connect"

COMMANDS: Mapping[str, Entry] = {
    "init": Entry("workspace", "Make a workspace in a project folder.", _START),
    "sync": Entry("workspace", "Take in edited cards and write waiting ones.", _START),
    "status": Entry("workspace", "Say what is here and what waits.", _START),
    "undo": Entry("workspace", "Take the last import back.", _START),
    "backup": Entry("backup", "Keep the workspace in one file, put it back.", _START),
    "doctor": Entry("doctor", "Look for damage, and mend what can be.", _START),
    "demo": Entry("demo", "Try everything in a folder of its own.", _START),
    "model": Entry("model", "Prepare the model that compares meanings.", _START),
    "config": Entry("config", "Read and set the configuration.", _START),
    "completion": Entry("completion", "Print the completion for a shell.", _START),
    "add": Entry("edit", "Add an experience.", _DAILY),
    "list": Entry("read", "List experiences.", _DAILY),
    "show": Entry("read", "Show one experience.", _DAILY),
    "edit": Entry("edit", "Edit an experience in your editor.", _DAILY),
    "delete": Entry("edit", "Delete an experience; a tombstone stays.", _DAILY),
    "forget": Entry("forget", "Erase an experience for good.", _DAILY),
    "versions": Entry("read", "List the versions of an experience.", _DAILY),
    "restore": Entry("edit", "Make an older version the newest.", _DAILY),
    "link": Entry("edit", "Relate two experiences.", _DAILY),
    "review": Entry("review", "See what waits for your word, and give it.", _DAILY),
    "category": Entry("category", "List, set and register categories.", _DAILY),
    "families": Entry("read", "Show families as trees.", _DAILY),
    "evidence": Entry("read", "Show what an experience rests on.", _DAILY),
    "request": Entry("request", "Ask what is known about a task.", _ASK),
    "feedback": Entry("request", "Say what came of an answer.", _ASK),
    "why": Entry("request", "Explain a decision.", _ASK),
    "why-score": Entry("request", "Show the terms of a confidence.", _ASK),
    "related": Entry("request", "Find what is related, and why.", _ASK),
    "authorize": Entry("request", "Allow an experience to execute.", _ASK),
    "audit": Entry("audit", "Look through decisions.", _ASK),
    "stats": Entry("stats", "Say in numbers what is here.", _ASK),
    "tick": Entry("stats", "Let recent use fade.", _ASK),
    "goal": Entry("goal", "Keep long-term goals.", _ASK),
    "reflect": Entry("learn", "Learn from a conversation that has ended.", _ASK),
    "learn": Entry("learn", "Learn from work, and see what helped.", _ASK),
    "episode": Entry("episode", "Keep evidence of finished work.", _ASK),
    "suggest": Entry("compile", "Show what came up often enough to be kept.", _ASK),
    "compile": Entry("compile", "Make experiences of finished work.", _ASK),
    "pack": Entry("pack", "Make, export, import and verify packs.", _PACKS),
    "merge-card": Entry("merge_card", "Merge a card for git, field by field.", _PACKS),
    "convert": Entry("convert", "Convert from and to other formats.", _PACKS),
    "snapshot": Entry("snapshot", "Write everything into one HTML file.", _SHOW),
    "site": Entry("site", "Make a static site of everything.", _SHOW),
    "host": Entry("host", "Connect the agents that you work with.", _HOSTS),
    "mcp": Entry("mcp", "Serve the workspace to hosts (MCP).", _HOSTS),
    "hook": Entry("hook", "Answer a host before a model call.", _HOSTS),
}
"""Every command, in the order of the help."""


class LazyGroup(click.Group):
    """A group whose commands are named in a table and imported when called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Give the names of all commands."""
        _ = ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        _ = ctx
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        module = importlib.import_module(f"experience_pack.cli.{entry.module}")
        name = f"{cmd_name.replace('-', '_')}_command"
        command: click.Command = getattr(module, name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command; an unknown one is answered with the nearest."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            import difflib

            near = difflib.get_close_matches(args[0], COMMANDS, 1)
            meant = f" Did you mean '{near[0]}'?" if near else ""
            raise click.UsageError(f"There is no command '{args[0]}'.{meant}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """Write the table by section, without importing a command."""
        _ = ctx
        for section in dict.fromkeys(entry.section for entry in COMMANDS.values()):
            rows = [
                (name, entry.text)
                for name, entry in COMMANDS.items()
                if entry.section == section
            ]
            with formatter.section(section):
                formatter.write_dl(rows)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="experience-pack %(version)s")
def app() -> None:
    """Keep what agents learn in the project, and share it as packs.

    \b
    experience-pack init                 make .experience/ in this folder
    experience-pack pack import X.xpack  take in what somebody shared
    experience-pack snapshot -o X.html   show everything in one file
    """  # noqa: D301  # \b keeps click from joining the lines
