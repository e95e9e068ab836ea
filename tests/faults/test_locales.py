"""The program in a terminal whose locale is not UTF-8."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.figures import figure

ROOT = Path(__file__).parents[2]
LOCALES = {
    "zh_CN.GBK": ("zh_CN", "GBK", "整理文件夹"),
    "en_US.CP1252": ("en_US", "CP1252", "Café à la carte"),
}


@pytest.fixture(scope="module")
def locales(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the locales; few machines have them."""
    if shutil.which("localedef") is None:
        pytest.skip("there is no localedef to make a locale with")
    place = tmp_path_factory.mktemp("locales")
    for name, (language, charmap, _) in LOCALES.items():
        words = ["localedef", "-i", language, "-f", charmap, str(place / name)]
        done = subprocess.run(words, capture_output=True, check=False)
        if not (place / name).exists():
            pytest.skip(f"there is no source of {name}: {done.stderr.decode()[:200]}")
    return place


def told(
    name: str, locales: Path, project: Path, *words: str, given: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """Run the program with its words in the bytes of a locale."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "LOCPATH": str(locales)}
    environment |= {"LC_ALL": name, "PYTHONUTF8": "0"}
    program = [sys.executable, "-m", "experience_pack"]
    charmap = LOCALES[name][1]
    return subprocess.run(
        [*map(os.fsencode, program), *(word.encode(charmap) for word in words)],
        cwd=project,
        env=environment,
        input=given,
        capture_output=True,
        check=False,
    )


@pytest.mark.parametrize("name", LOCALES)
def test_names_contents_and_output_are_utf8(
    name: str, locales: Path, tmp_path: Path
) -> None:
    text = LOCALES[name][2]
    for words in (
        ("init",),
        ("add", "--name", text, "--step", text),
        ("pack", "new", "all", "--kind", "process"),
        ("pack", "commit", "all", "-m", text),
        ("pack", "export", "all", "-o", f"{text}.xpack"),
        ("pack", "import", f"{text}.xpack"),
        ("snapshot", "-o", f"{text}.html"),
        ("backup", "create"),
        ("site", "build", "-o", "site"),
        ("sync",),
    ):
        done = told(name, locales, tmp_path, *words)
        assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    shown = told(name, locales, tmp_path, "list", "--json")
    (card,) = (tmp_path / ".experience" / "experiences").rglob("*.md")

    assert text in [one["name"] for one in json.loads(shown.stdout.decode("utf-8"))]
    assert text in told(name, locales, tmp_path, "list").stdout.decode("utf-8")
    assert (tmp_path / f"{text}.xpack").exists()
    assert text.split()[0].lower() in card.name
    assert f"# {text}\n" in card.read_text("utf-8")
    for path in tmp_path.rglob("*"):
        os.fsencode(path).decode("utf-8")
    figure(f"files under {name}", "names, contents and output are UTF-8")


@pytest.mark.parametrize("name", LOCALES)
def test_text_that_the_locale_cannot_say_comes_in_and_out(
    name: str, locales: Path, tmp_path: Path
) -> None:
    told(name, locales, tmp_path, "init")
    title = "鎌倉 🎉 Ωμέγα привет"
    card = f'---\nid: "exp_x"\nkind: "process"\n---\n\n# {title}\n'
    (tmp_path / "card.md").write_text(card, "utf-8")
    done = told(name, locales, tmp_path, "add", "card.md")
    piped = told(name, locales, tmp_path, "add", "-", given=card.encode())

    assert done.returncode == 0, done.stderr
    assert piped.returncode == 2, piped.stderr  # it is here already
    assert title in told(name, locales, tmp_path, "show", "exp_x").stdout.decode()
    (found,) = (tmp_path / ".experience" / "experiences").rglob("*.md")
    assert found.read_text("utf-8").endswith(f"# {title}\n")


@pytest.mark.parametrize("name", LOCALES)
def test_a_server_speaks_utf8_under_every_locale(
    name: str, locales: Path, tmp_path: Path
) -> None:
    told(name, locales, tmp_path, "init")
    told(name, locales, tmp_path, "add", "--name", LOCALES[name][2], "--step", "x")
    start = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "host", "version": "1"},
    }
    asked = {"name": "experience_request", "arguments": {"text": LOCALES[name][2]}}
    odd = {"name": "experience_request", "arguments": {"text": "a\xa0b 鎌倉 \ud83d"}}
    lines: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": start},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": asked},
        {"id": 3, "method": "tools/call", "params": odd},
        {"id": 4, "method": "tools/list"},
    ]
    given = "".join(json.dumps({"jsonrpc": "2.0", **one}) + "\n" for one in lines)
    done = told(name, locales, tmp_path, "mcp", given=given.encode("ascii"))
    answers = [json.loads(line) for line in done.stdout.decode("utf-8").splitlines()]

    assert [one["id"] for one in answers] == [1, 2, 3, 4], done.stderr
    assert LOCALES[name][2] in json.dumps(answers[1], ensure_ascii=False)


def test_a_file_that_has_its_name_in_the_locale_is_found(
    locales: Path, tmp_path: Path
) -> None:
    name = "zh_CN.GBK"
    folder = os.fsencode(tmp_path) + "/目录".encode("gbk")
    os.mkdir(folder)  # noqa: PTH102  # a name in bytes
    told(name, locales, tmp_path, "init")
    told(name, locales, tmp_path, "add", "--name", "整理", "--step", "x")
    done = told(name, locales, tmp_path, "pack", "export", "-o", "目录/包.xpack")
    again = told(name, locales, tmp_path, "pack", "import", "目录/包.xpack")

    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    assert again.returncode == 0, again.stderr.decode("utf-8", "replace")
    assert os.listdir(folder) == ["包.xpack".encode("gbk")]  # noqa: PTH208
