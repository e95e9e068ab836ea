"""Every kind of page before the Nu Html Checker, which knows the standard by heart."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from experience_pack.site.dashboard import write_dashboard
from experience_pack.workspace.folder import open_folder
from tests.browser.test_site_pages import filled

ROOT = Path(__file__).parents[2]
JAR = Path(
    os.environ.get("VNU_JAR", ROOT / ".venv/node_modules/vnu-jar/build/dist/vnu.jar")
)
"""Where `make html` puts it, from the npm registry."""


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_nu_html_checker_finds_no_error(tmp_path: Path, language: str) -> None:
    java = shutil.which("java")
    if java is None or not JAR.exists():
        pytest.skip("the Nu Html Checker needs java and `make html`")
    site = filled(tmp_path, language)
    folder = open_folder(tmp_path)
    write_dashboard(folder, tmp_path / "dashboard.html")
    folder.close()
    words = [java, "-jar", str(JAR), "--skip-non-html", "--errors-only"]
    done = subprocess.run(
        [*words, "--format", "json", str(site), str(tmp_path / "dashboard.html")],
        capture_output=True,
        text=True,
        check=False,
    )
    found = json.loads(done.stderr)["messages"]
    assert [(one["url"], one["message"]) for one in found] == []
