"""The table of hosts: which files they read, and the form of what goes in."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from experience_pack.hosts.installers.launch import NAME, Launch
from experience_pack.model.values import Json

PROJECT, USER = "project", "user"
SCOPES = (PROJECT, USER)

Shape = Callable[[Launch], Json]


class Place(NamedTuple):
    """A file of a host, and where in it an entry goes."""

    files: Mapping[str, Callable[[Path], Path]]
    """By scope; gives the file for a project's folder."""
    path: tuple[str, ...] = ()
    """Keys on the way to the entry; none: the whole file is ours."""


class Hooks(NamedTuple):
    """The hooks of a host: its file, events, and the form of one entry."""

    place: Place
    asking: tuple[str, ...]
    ending: str
    shape: Shape
    head: Mapping[str, Json]
    """What a new file begins with."""


class Host(NamedTuple):
    """One host."""

    name: str
    title: str
    server: Place
    shape: Shape
    hooks: Hooks | None = None
    script: Place | None = None
    """A script of ours that the host loads, in place of hooks."""
    source: str = ""
    """The script's file in the package."""
    contract: str = ""
    """File in the project that the host's model always reads."""
    note: str = ""
    """What a person has to know or do."""
    prints: bool = False
    """The file's place is uncertain: the snippet is printed, never written."""


def _stdio(launch: Launch) -> dict[str, Any]:
    found: dict[str, Any] = {"command": launch.words[0], "args": [*launch.words[1:]]}
    return {**found, "env": launch.environment} if launch.environment else found


def _typed(launch: Launch) -> Json:
    return {"type": "stdio", **_stdio(launch)}


def _opencode(launch: Launch) -> Json:
    found = {"type": "local", "command": [*launch.words], "enabled": True}
    if launch.environment:
        found["environment"] = launch.environment
    return found


def _claude_hook(launch: Launch) -> Json:
    return {"hooks": [{"type": "command", "command": launch.line, "timeout": 10}]}


def _gemini_hook(launch: Launch) -> Json:
    named = {"type": "command", "name": NAME, "command": launch.line}
    return {"hooks": [{**named, "timeout": 10_000}]}


def _cursor_hook(launch: Launch) -> Json:
    return {"command": launch.line, "timeout": 10}


def _windsurf_hook(launch: Launch) -> Json:
    return {"command": launch.line, "show_output": True}


def _in(*parts: str) -> Callable[[Path], Path]:
    return lambda project: project.joinpath(*parts)


def _home(variable: str, *parts: str) -> Callable[[Path], Path]:
    """Give a file below a variable's folder, else below the first part at home."""

    def found(_: Path) -> Path:
        stated = os.environ.get(variable) if variable else None
        return Path(stated, *parts[1:]) if stated else Path.home().joinpath(*parts)

    return found


def _claude_json(_: Path) -> Path:
    stated = os.environ.get("CLAUDE_CONFIG_DIR")
    return (Path(stated) if stated else Path.home()) / ".claude.json"


def _claude_desktop(_: Path) -> Path:
    name = "claude_desktop_config.json"
    if sys.platform == "darwin":
        return Path.home() / "Library/Application Support/Claude" / name
    if os.name == "nt":
        return Path(os.environ.get("APPDATA", Path.home()), "Claude", name)
    return Path.home() / ".config/Claude" / name


_SERVERS = ("mcpServers", NAME)

HOSTS: tuple[Host, ...] = (
    Host(
        "claude-code",
        "Claude Code",
        Place({PROJECT: _in(".mcp.json"), USER: _claude_json}, _SERVERS),
        _typed,
        Hooks(
            Place(
                {
                    PROJECT: _in(".claude", "settings.json"),
                    USER: _home("CLAUDE_CONFIG_DIR", ".claude", "settings.json"),
                },
                ("hooks",),
            ),
            ("UserPromptSubmit",),
            "Stop",
            _claude_hook,
            {},
        ),
        contract="CLAUDE.md",
    ),
    Host(
        "codex",
        "Codex",
        Place(
            {
                PROJECT: _in(".codex", "config.toml"),
                USER: _home("CODEX_HOME", ".codex", "config.toml"),
            },
            ("mcp_servers", NAME),
        ),
        _stdio,
        Hooks(
            Place(
                {
                    PROJECT: _in(".codex", "hooks.json"),
                    USER: _home("CODEX_HOME", ".codex", "hooks.json"),
                },
                ("hooks",),
            ),
            ("UserPromptSubmit",),
            "Stop",
            _claude_hook,
            {},
        ),
        contract="AGENTS.md",
        note="Codex reads a project's settings only after you trusted its folder.",
    ),
    Host(
        "claude-desktop",
        "Claude Desktop",
        Place({USER: _claude_desktop}, _SERVERS),
        _stdio,
        note="Restart Claude Desktop.",
    ),
    Host(
        "cursor",
        "Cursor",
        Place(
            {
                PROJECT: _in(".cursor", "mcp.json"),
                USER: _home("", ".cursor", "mcp.json"),
            },
            _SERVERS,
        ),
        _stdio,
        Hooks(
            Place(
                {
                    PROJECT: _in(".cursor", "hooks.json"),
                    USER: _home("", ".cursor", "hooks.json"),
                },
                ("hooks",),
            ),
            ("beforeSubmitPrompt",),
            "afterAgentResponse",
            _cursor_hook,
            {"version": 1},
        ),
        contract="AGENTS.md",
    ),
    Host(
        "vscode",
        "VS Code",
        Place({PROJECT: _in(".vscode", "mcp.json")}, ("servers", NAME)),
        _typed,
        contract="AGENTS.md",
    ),
    Host(
        "trae",
        "TRAE",
        Place({PROJECT: _in(".trae", "mcp.json")}, _SERVERS),
        _stdio,
        note="Paste it under Settings → MCP → Add → Configure manually.",
        prints=True,
    ),
    Host(
        "gemini",
        "Gemini CLI",
        Place(
            {
                PROJECT: _in(".gemini", "settings.json"),
                USER: _home("", ".gemini", "settings.json"),
            },
            _SERVERS,
        ),
        _stdio,
        Hooks(
            Place(
                {
                    PROJECT: _in(".gemini", "settings.json"),
                    USER: _home("", ".gemini", "settings.json"),
                },
                ("hooks",),
            ),
            ("BeforeAgent", "BeforeModel"),
            "AfterAgent",
            _gemini_hook,
            {},
        ),
        contract="GEMINI.md",
        note="Gemini CLI asks before each tool; it runs hooks in trusted folders only.",
    ),
    Host(
        "opencode",
        "OpenCode",
        Place(
            {
                PROJECT: _in("opencode.json"),
                USER: _home("", ".config", "opencode", "opencode.json"),
            },
            ("mcp", NAME),
        ),
        _opencode,
        script=Place(
            {
                PROJECT: _in(".opencode", "plugin", f"{NAME}.js"),
                USER: _home("", ".config", "opencode", "plugin", f"{NAME}.js"),
            }
        ),
        source="opencode/plugin.js",
        contract="AGENTS.md",
    ),
    Host(
        "windsurf",
        "Windsurf",
        Place(
            {USER: _home("", ".codeium", "windsurf", "mcp_config.json")},
            _SERVERS,
        ),
        _stdio,
        Hooks(
            Place(
                {USER: _home("", ".codeium", "windsurf", "hooks.json")},
                ("hooks",),
            ),
            ("pre_user_prompt",),
            "post_cascade_response",
            _windsurf_hook,
            {},
        ),
    ),
    Host(
        "zed",
        "Zed",
        Place(
            {
                PROJECT: _in(".zed", "settings.json"),
                USER: _home("", ".config", "zed", "settings.json"),
            },
            ("context_servers", NAME),
        ),
        _stdio,
        contract="AGENTS.md",
    ),
    Host(
        "pi",
        "Pi",
        Place(
            {
                PROJECT: _in(".pi", "mcp.json"),
                USER: _home("PI_CODING_AGENT_DIR", ".pi/agent", "mcp.json"),
            },
            _SERVERS,
        ),
        _stdio,
        script=Place(
            {
                PROJECT: _in(".pi", "extensions", f"{NAME}.ts"),
                USER: _home(
                    "PI_CODING_AGENT_DIR", ".pi/agent", "extensions", f"{NAME}.ts"
                ),
            }
        ),
        source="pi/extension.ts",
        contract="AGENTS.md",
    ),
    Host(
        "omp",
        "OMP",
        Place(
            {
                PROJECT: _in(".omp", "mcp.json"),
                USER: _home("PI_CODING_AGENT_DIR", ".omp/agent", "mcp.json"),
            },
            _SERVERS,
        ),
        _stdio,
        script=Place(
            {
                PROJECT: _in(".omp", "extensions", f"{NAME}.ts"),
                USER: _home(
                    "PI_CODING_AGENT_DIR", ".omp/agent", "extensions", f"{NAME}.ts"
                ),
            }
        ),
        source="pi/extension.ts",
        contract="AGENTS.md",
    ),
)

BY_NAME: Mapping[str, Host] = {host.name: host for host in HOSTS}
