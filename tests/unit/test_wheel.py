from __future__ import annotations

import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.wheel

ROOT = Path(__file__).parents[2]
DATA = ("schemas", "site_templates", "viewer", "examples")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--outdir", str(target)]
    subprocess.run([*command, str(ROOT)], check=True, capture_output=True)
    (built,) = target.glob("*.whl")
    return built


def test_the_data_folders_travel_in_the_wheel(wheel: Path) -> None:
    tracked = subprocess.run(
        ["git", "-c", "core.quotePath=false", "ls-files", "-z", *DATA],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout.split("\0")  # fmt: skip
    start = "experience_pack/_bundled/"
    with zipfile.ZipFile(wheel) as archive:
        bundled = {
            name.removeprefix(start)
            for name in archive.namelist()
            if name.startswith(start)
        }

    assert bundled == {name for name in tracked if name}


def test_the_installed_program_runs_far_from_the_checkout(
    wheel: Path, tmp_path: Path
) -> None:
    place = tmp_path / "venv"
    venv.create(place, with_pip=True, system_site_packages=False)
    python = place / "bin" / "python"
    install = [str(python), "-m", "pip", "install", "-q", str(wheel)]
    subprocess.run(install, check=True, capture_output=True)
    shown = subprocess.run(
        [str(place / "bin" / "xpack"), "demo", "--out", str(tmp_path / "demo")],
        cwd=tmp_path, check=False, capture_output=True, text=True,
    )  # fmt: skip

    assert shown.returncode == 0, shown.stderr
    assert "round trip" in shown.stdout
    assert (tmp_path / "demo" / "snapshot.html").stat().st_size > 50_000
