"""Planted secrets are in no byte of what a workspace writes or gives away."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

TAIL = "Zq8Xv3Lm9Rt2Kw7Pn4Bs6Hd1Yc5Gf0JeUaTi"
CANARIES = {
    "aws": ("AKIA" + "Q7ZP3MXK9TRW2LHV", "use {} for the upload"),
    "github": ("ghp_" + TAIL, "push with {}"),
    "openai": ("sk-proj-" + TAIL, "令牌 {} 已过期"),
    "assigned": ("Vx71-canary-Qm", 'password = "{}"'),
    "chinese": ("Kz82canaryWn", "密码是 {} 请保存"),
    "url": ("Rt93canaryLp", "postgres://bob:{}@db.local/app"),
    "header": (TAIL[::-1], "curl -H 'Authorization: Bearer {}' https://a.io"),
    "jwt": (f"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.{TAIL}", "cookie {}"),
    "key": (TAIL * 2, "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----"),
    "mail": ("canary.person@corp-mail.io", "write to {} about it"),
}


def reflect_on(folder: Path, text: str) -> None:
    """Have a model that leaks learn from a text: it says all of it again."""
    place = folder.parent / "told"
    place.mkdir(exist_ok=True)
    talk = [{"role": "user", "content": f"请记住，please remember: {text}"}]
    lesson = {"text": f"always {text}", "quote": f"please remember: {text}"}
    (place / "talk.json").write_text(json.dumps(talk), "utf-8")
    (place / "answer.json").write_text(json.dumps({"fixes": [lesson]}), "utf-8")
    model = {"EXPERIENCE_PACK_MODEL_COMMAND": f"cat '{place / 'answer.json'}'"}
    told = ["learn", "now", str(place / "talk.json")]
    assert "always" in program(folder, *told, variables=model)


def program(
    folder: Path, *words: str, variables: Mapping[str, str] | None = None
) -> str:
    """Run the program in a folder and give what it printed."""
    home = {"XDG_DATA_HOME": str(folder / "home"), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", "experience_pack", *words],
        cwd=folder,
        env={**os.environ, **home, **(variables or {})},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return done.stdout


def session(text: str, number: int) -> str:
    """Give a turn of Claude Code in which everything says the text."""
    call = {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": text}}
    failed = {"type": "tool_result", "tool_use_id": "t", "is_error": True}
    records = [
        {"type": "user", "uuid": f"u{number}", "message": {"content": text}},
        {"type": "assistant", "message": {"content": [call]}},
        {"type": "user", "message": {"content": [{**failed, "content": text}]}},
        {"type": "assistant", "message": {"content": f"turn {number}: {text}"}},
    ]
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records)


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("canaries")
    program(folder, "init")
    texts = [around.format(secret) for secret, around in CANARIES.values()]
    for text in texts:
        program(folder, "request", "--", text)
        program(folder, "episode", "add", "note", "--meta", f"said={text}", "--", text)
        reflect_on(folder, text)
    log = tmp_path_factory.mktemp("host") / "s.jsonl"
    log.write_text("".join(map(session, texts * 2, range(2 * len(texts)))), "utf-8")
    program(folder, "episode", "import", "claude-code", str(log))
    kept = json.loads(program(folder, "episode", "list", "--limit", "99", "--json"))
    program(folder, "episode", "validate", *(one["id"] for one in kept))
    program(folder, "compile", "--min-episodes", "2", "--limit", "99")
    program(folder, "snapshot", "-o", "page.html")
    made = json.loads(program(folder, "list", "--json"))
    program(folder, "pack", "new", "mine", *(one["id"] for one in made))
    program(folder, "pack", "commit", "mine")
    program(folder, "pack", "export", "mine", "-o", "mine.xpack")
    return folder


@pytest.mark.parametrize("name", CANARIES)
def test_a_planted_secret_is_in_no_byte(name: str, planted: Path) -> None:
    secret, _ = CANARIES[name]
    files = [one for one in planted.rglob("*") if one.is_file()]
    assert files
    assert not [one for one in files if secret.encode() in one.read_bytes()]


def test_the_planted_work_was_compiled(planted: Path) -> None:
    made = json.loads(program(planted, "list", "--json"))
    assert "auto_compiled" in {one["origin"]["type"] for one in made}
    assert [*(planted / ".experience/experiences").rglob("*.md")]


def test_what_stood_around_is_kept(planted: Path) -> None:
    assert "push with ‹secret:github token›" in program(planted, "episode", "list")
