from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path
from typing import Any

import pytest

from experience_pack.errors import ExperiencePackError
from experience_pack.hosts.installers import doctor, edits, install, jsonc, ledger
from experience_pack.hosts.installers.hosts import HOSTS, PROJECT, Host
from experience_pack.hosts.installers.ledger import Options

FILES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "fixtures/hosts/files.json").read_text("utf-8")
)
WRITTEN = [host for host in HOSTS if not host.prints]


def options_of(host: Host, project: Path, **more: Any) -> Options:
    scope = PROJECT if PROJECT in host.server.files else "user"
    folder = str(project) if scope == PROJECT else ""
    return Options(host.name, scope, folder, **more)


def tree(*roots: Path) -> dict[str, bytes]:
    """Give every file below some folders, but for our own list."""
    found = {}
    for root in roots:
        for path in sorted(root.rglob("*")):
            if path.is_file() and path != ledger.path_of():
                found[str(path)] = path.read_bytes()
    return found


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("CODEX_HOME", "CLAUDE_CONFIG_DIR", "PI_CODING_AGENT_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    made = tmp_path / "我的项目"
    made.mkdir()
    return made


@pytest.mark.parametrize("host", WRITTEN, ids=lambda host: host.name)
def test_what_is_installed_comes_out_to_the_byte(host: Host, project: Path) -> None:
    home = Path.home()
    before = tree(project, home)
    hooks = host.hooks is not None or host.script is not None
    options = options_of(host, project, hooks=hooks, capture=hooks)
    made = install.install(options)
    within = tree(project, home)
    again = install.install(options)

    assert made == again
    assert tree(project, home) == within != before
    assert install.uninstall(*options[:3])
    assert tree(project, home) == before


@pytest.mark.parametrize("row", FILES, ids=lambda row: row["what"])
def test_a_file_of_somebody_keeps_every_byte(
    row: dict[str, Any], project: Path
) -> None:
    (host,) = (one for one in HOSTS if one.name == row["host"])
    file = host.server.files[PROJECT](project)
    file.parent.mkdir(parents=True, exist_ok=True)
    data = row["text"].encode("utf-8")
    file.write_bytes(data)
    file.chmod(0o640)
    options = options_of(host, project, hooks=row.get("hooks", False))
    install.install(options)
    text = file.read_bytes().decode("utf-8")

    for remark in row.get("keeps", ()):
        assert remark in text
    assert file.stat().st_mode & 0o777 == 0o640
    if file.suffix == ".toml":
        assert "experience-pack" in tomllib.loads(text)["mcp_servers"]
    else:
        assert jsonc.value_at(text, str(file), host.server.path) is not None
    install.uninstall(*options[:3])
    assert file.read_bytes() == data


@pytest.mark.parametrize("row", FILES, ids=lambda row: row["what"])
def test_a_file_that_was_edited_meanwhile_loses_only_our_part(
    row: dict[str, Any], project: Path
) -> None:
    (host,) = (one for one in HOSTS if one.name == row["host"])
    file = host.server.files[PROJECT](project)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(row["text"].encode("utf-8"))
    options = options_of(host, project)
    install.install(options)
    comment = "# mine\n" if file.suffix == ".toml" else "// mine\n"
    text = comment + file.read_bytes().decode("utf-8").replace("-m", "-mm")
    file.write_bytes(text.encode("utf-8"))
    install.uninstall(*options[:3])
    rest = file.read_bytes().decode("utf-8")

    assert rest.startswith(comment)
    assert "experience_pack" not in rest
    if file.suffix == ".toml":
        assert tomllib.loads(rest) == tomllib.loads(row["text"])
    else:
        jsonc.read(rest, "rest")


@pytest.mark.parametrize(
    "text", ['{"a": 1', "[1, 2]", '{"mcpServers": 7}', "{a: 1}", '{"a" 1}', "{} {}"]
)
def test_a_file_that_is_not_understood_is_left_alone(text: str, project: Path) -> None:
    (project / ".mcp.json").write_text(text, "utf-8")
    before = tree(project)

    with pytest.raises(ExperiencePackError):
        install.install(Options("claude-code", PROJECT, str(project), hooks=True))

    assert tree(project) == before
    assert ledger.installs() == []


def test_an_entry_that_somebody_else_wrote_is_not_replaced(project: Path) -> None:
    text = '{"mcpServers": {"experience-pack": {"command": "mine"}}}'
    (project / ".mcp.json").write_text(text, "utf-8")

    with pytest.raises(ExperiencePackError, match="did not write"):
        install.install(Options("claude-code", PROJECT, str(project)))

    assert (project / ".mcp.json").read_text("utf-8") == text


def test_a_link_stays_a_link(project: Path, tmp_path: Path) -> None:
    (tmp_path / "dotfiles.json").write_text("{}\n", "utf-8")
    (project / ".mcp.json").symlink_to(tmp_path / "dotfiles.json")
    options = Options("claude-code", PROJECT, str(project))
    install.install(options)

    assert (project / ".mcp.json").is_symlink()
    assert "experience-pack" in (tmp_path / "dotfiles.json").read_text("utf-8")
    install.uninstall(*options[:3])
    assert (tmp_path / "dotfiles.json").read_text("utf-8") == "{}\n"


def test_a_pause_takes_it_out_and_remembers(project: Path) -> None:
    options = Options("claude-code", PROJECT, str(project), hooks=True)
    before = tree(project)
    install.install(options)
    within = tree(project)
    install.pause(*options[:3])

    assert tree(project) == before
    install.resume(*options[:3])
    assert tree(project) == within


def test_other_options_take_the_old_ones_place(project: Path) -> None:
    options = Options("claude-code", PROJECT, str(project), hooks=True, capture=True)
    install.install(options)
    install.install(options._replace(capture=False, profile="full"))
    settings = (project / ".claude/settings.json").read_text("utf-8")

    assert "UserPromptSubmit" in settings
    assert "Stop" not in settings
    assert '"full"' in (project / ".mcp.json").read_text("utf-8")


def test_the_contract_leaves_the_rest_of_a_guide_alone(project: Path) -> None:
    text = "# 我们的规则\n\n- no tabs"
    (project / "CLAUDE.md").write_text(text, "utf-8")
    options = Options("claude-code", PROJECT, str(project))
    install.install(options)
    guide = (project / "CLAUDE.md").read_text("utf-8")

    assert guide.startswith(text)
    assert "experience_before_llm" in guide
    assert len(guide.splitlines()) <= 40
    install.uninstall(*options[:3])
    assert (project / "CLAUDE.md").read_text("utf-8") == text


def test_the_doctor_speaks_to_what_was_configured(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from experience_pack.api.workspace import Workspace

    monkeypatch.setenv("PATH", os.defpath)
    Workspace(project).init()
    made = install.install(Options("gemini", PROJECT, str(project)))
    found = doctor.examine(made)

    assert (found.version, found.tools, found.missing) == ("2025-11-25", 10, ())
    (project / ".gemini/settings.json").write_text("{}", "utf-8")
    assert doctor.examine(made).missing == (str(project / ".gemini/settings.json"),)


def test_the_list_of_what_was_written_is_the_persons_alone(project: Path) -> None:
    install.install(Options("zed", PROJECT, str(project)))

    assert ledger.path_of().stat().st_mode & 0o077 == 0
    ledger.path_of().write_text("{}", "utf-8")
    with pytest.raises(ExperiencePackError, match="not the list"):
        ledger.installs()


def test_every_form_can_be_pasted_by_hand(project: Path) -> None:
    for host in HOSTS:
        hooks = host.hooks is not None or host.script is not None
        text = install.snippet(options_of(host, project, hooks=hooks))

        assert "experience_pack" in text
    assert tree(project) == {}


@pytest.mark.parametrize("text", ["{}", "{\n}", '{"a": [1,], // x\n "b": 2,\n}'])
def test_an_insertion_is_undone_by_its_own_text(text: str) -> None:
    made = jsonc.insertion(text, "x", ["c", "d"], {"e": [1]})
    within = made.into(text)

    assert within.replace(made.text, "") == text
    assert jsonc.value_at(within, "x", ["c", "d", "e"]) is not None
    assert edits.LISTED != edits.JSON
