"""The real programs: where they are, how they are started, what they call a tool."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

MODULES = Path(
    os.environ.get("HOST_PROGRAMS", Path(__file__).parents[2] / ".venv" / "hosts")
).absolute()
SERVER = "experience-pack"


class Place(NamedTuple):
    """Where one run happens: a home of its own, a project, the model's port."""

    home: Path
    project: Path
    port: int


class Program(NamedTuple):
    """One host program as its user starts it."""

    host: str
    package: str
    """Folder of the npm package that has to be there."""
    tool: str
    """How its model names a tool of our server."""
    prepare: Callable[[Place], None]
    words: Callable[[Place, str], list[str]]
    environment: Callable[[Place], Mapping[str, str]]
    scope: str = "project"
    shows_answer: bool = True
    """It can show an answer in place of the model's; else that is handed to it."""

    @property
    def there(self) -> bool:
        return (MODULES / "node_modules" / self.package).is_dir()

    def run(self, place: Place, prompt: str) -> subprocess.CompletedProcess[str]:
        """Start it with a prompt and wait for its end."""
        return subprocess.run(
            self.words(place, prompt),
            cwd=place.project,
            env=self.surroundings(place),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def surroundings(self, place: Place) -> dict[str, str]:
        """Give the environment of a run; nothing of ours but what a shell has."""
        temporary = place.home / "tmp"
        temporary.mkdir(exist_ok=True)
        bins = MODULES / "node_modules" / ".bin"
        return {
            "PATH": f"{bins}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(place.home),
            "TMPDIR": str(temporary),
            "XDG_DATA_HOME": str(place.home / "data"),
            **self.environment(place),
        }

    def command(self, place: Place, *words: str) -> subprocess.CompletedProcess[str]:
        """Run our own program as its user would."""
        return subprocess.run(
            [sys.executable, "-m", "experience_pack", *words],
            cwd=place.project,
            env={
                **self.surroundings(place),
                "PYTHONPATH": str(Path(__file__).parents[2]),
            },
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )


def _bin(name: str) -> str:
    return str(MODULES / "node_modules" / ".bin" / name)


def _claude(package: str) -> Program:
    def prepare(place: Place) -> None:
        (place.home / "cfg").mkdir()

    def words(place: Place, prompt: str) -> list[str]:
        _ = place
        program = str(MODULES / "node_modules" / package / "bin/claude.exe")
        allowed = ["--allowedTools", f"mcp__{SERVER}", "--mcp-config", ".mcp.json"]
        return [program, "-p", prompt, *allowed]

    def environment(place: Place) -> dict[str, str]:
        return {
            "CLAUDE_CONFIG_DIR": str(place.home / "cfg"),
            "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{place.port}",
            "ANTHROPIC_API_KEY": "dummy",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
        }

    return Program(
        "claude-code", package, f"mcp__{SERVER}__{{}}", prepare, words, environment
    )


def _codex() -> Program:
    def prepare(place: Place) -> None:
        (place.home / "codex").mkdir()
        (place.home / "codex/config.toml").write_text(
            f"""\
model = "scripted"
model_provider = "scripted"
check_for_update_on_startup = false
[model_providers.scripted]
name = "scripted"
base_url = "http://127.0.0.1:{place.port}/v1"
wire_api = "responses"
[features]
hooks = true
daemon_auto_start = false
[analytics]
enabled = false
""",
            "utf-8",
        )

    def words(place: Place, prompt: str) -> list[str]:
        _ = place
        off = ["--disable", "plugins", "--disable", "apps"]
        return [_bin("codex"), "exec", "--skip-git-repo-check", *off, prompt]

    def environment(place: Place) -> dict[str, str]:
        return {"CODEX_HOME": str(place.home / "codex")}

    return Program(
        "codex",
        "@openai/codex",
        "mcp__experience_pack/{}",
        prepare,
        words,
        environment,
        scope="user",
        shows_answer=False,
    )


def _gemini() -> Program:
    def prepare(place: Place) -> None:
        settings = {
            "security": {"auth": {"selectedType": "gemini-api-key"}},
            "general": {
                "enableAutoUpdate": False,
                "enableAutoUpdateNotification": False,
            },
            "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False},
        }
        (place.home / ".gemini").mkdir()
        (place.home / ".gemini/settings.json").write_text(json.dumps(settings), "utf-8")

    def words(place: Place, prompt: str) -> list[str]:
        _ = place
        allowed = ["--allowed-mcp-server-names", SERVER]
        return [_bin("gemini"), "-m", "gemini-2.5-flash", *allowed, "-p", prompt]

    def environment(place: Place) -> dict[str, str]:
        return {
            "GEMINI_API_KEY": "dummy",
            "GOOGLE_GEMINI_BASE_URL": f"http://127.0.0.1:{place.port}",
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        }

    return Program(
        "gemini",
        "@google/gemini-cli",
        f"mcp_{SERVER}_{{}}",
        prepare,
        words,
        environment,
        scope="user",
    )


def _pi() -> Program:
    def prepare(place: Place) -> None:
        agent = place.home / "agent"
        agent.mkdir()
        model = {"id": "scripted"}
        provider = {
            "baseUrl": f"http://127.0.0.1:{place.port}/v1",
            "api": "openai-completions",
            "apiKey": "dummy",
            "models": [model],
        }
        found = json.dumps({"providers": {"scripted": provider}})
        (agent / "models.json").write_text(found, "utf-8")

    def words(place: Place, prompt: str) -> list[str]:
        _ = place
        named = ["--provider", "scripted", "--model", "scripted"]
        return [_bin("pi"), "-p", *named, prompt]

    def environment(place: Place) -> dict[str, str]:
        return {"PI_CODING_AGENT_DIR": str(place.home / "agent"), "PI_OFFLINE": "1"}

    return Program(
        "pi",
        "@earendil-works/pi-coding-agent",
        "",
        prepare,
        words,
        environment,
        scope="user",
    )


def _omp() -> Program:
    def prepare(place: Place) -> None:
        agent = place.home / "agent"
        agent.mkdir()
        (agent / "config.yml").write_text("setupVersion: 2\n", "utf-8")
        (agent / "models.yml").write_text(
            f"""\
providers:
  scripted:
    baseUrl: http://127.0.0.1:{place.port}/v1
    api: openai-completions
    apiKey: dummy
    models:
      - id: scripted
        name: scripted
        reasoning: false
        input: [text]
        contextWindow: 128000
        maxTokens: 4096
        cost: {{input: 0, output: 0, cacheRead: 0, cacheWrite: 0}}
""",
            "utf-8",
        )

    def words(place: Place, prompt: str) -> list[str]:
        _ = place
        return [_bin("omp"), "-p", "--model", "scripted/scripted", prompt]

    def environment(place: Place) -> dict[str, str]:
        return {"PI_CODING_AGENT_DIR": str(place.home / "agent")}

    return Program(
        "omp",
        "@oh-my-pi/pi-coding-agent",
        "mcp__experience_pack_{}",
        prepare,
        words,
        environment,
        scope="user",
    )


def _opencode() -> Program:
    def prepare(place: Place) -> None:
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "name": "Scripted",
            "options": {
                "baseURL": f"http://127.0.0.1:{place.port}/v1",
                "apiKey": "dummy",
            },
            "models": {"scripted": {"name": "Scripted"}},
        }
        settings = {
            "$schema": "https://opencode.ai/config.json",
            "autoupdate": False,
            "share": "disabled",
            "model": "scripted/scripted",
            "small_model": "scripted/scripted",
            "provider": {"scripted": provider},
        }
        (place.project / "opencode.json").write_text(json.dumps(settings), "utf-8")

    def words(place: Place, prompt: str) -> list[str]:
        _ = place
        return [_bin("opencode"), "run", prompt]

    def environment(place: Place) -> dict[str, str]:
        return {
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
            "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
            "npm_config_registry": f"http://127.0.0.1:{place.port}/",
        }

    return Program(
        "opencode",
        "opencode-ai",
        f"{SERVER}_{{}}",
        prepare,
        words,
        environment,
        shows_answer=False,
    )


PROGRAMS = (
    _claude("@anthropic-ai/claude-code"),
    _claude("claude-old"),
    _codex(),
    _gemini(),
    _pi(),
    _omp(),
    _opencode(),
)
"""Every program that is tried; a tool without a name cannot be called there."""
