"""Every kind of page before the Nu Html Checker, which knows the standard by heart."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from experience_pack.hosts.dashboard import shell
from experience_pack.site.dashboard import write_dashboard
from experience_pack.workspace.folder import open_folder
from tests.browser.test_site_pages import filled

ROOT = Path(__file__).parents[2]
JAR = Path(
    os.environ.get("VNU_JAR", ROOT / ".venv/node_modules/vnu-jar/build/dist/vnu.jar")
)
"""Where `make html` puts it, from the npm registry."""


def _written(folder: Path) -> list[str]:
    return [str(folder / name) for name in ("dashboard.html", "live.html")]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_nu_html_checker_finds_no_error(tmp_path: Path, language: str) -> None:
    java = shutil.which("java")
    if java is None or not JAR.exists():
        pytest.skip("the Nu Html Checker needs java and `make html`")
    site = filled(tmp_path, language)
    folder = open_folder(tmp_path)
    write_dashboard(folder, tmp_path / "dashboard.html")
    folder.close()
    (tmp_path / "live.html").write_text(shell.page("Know-how", language), "utf-8")
    words = [java, "-jar", str(JAR), "--skip-non-html", "--errors-only"]
    done = subprocess.run(
        [*words, "--format", "json", str(site), *_written(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    found = json.loads(done.stderr)["messages"]
    assert [(one["url"], one["message"]) for one in found] == []
