from __future__ import annotations

import hashlib
import json
import stat
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from experience_pack.errors import IntegrityError
from experience_pack.matching.embedder.tokenizer import Tokenizer
from experience_pack.matching.embedder.weights import Weights
from experience_pack.workspace import models
from tests.semantic import FOLDER, embedder

FIXTURES = Path(__file__).parents[1] / "fixtures"
REFERENCE = [
    json.loads(line)
    for line in (FIXTURES / "tokenizer" / "reference.jsonl")
    .read_text("utf-8")
    .splitlines()
]


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    embedder()
    data = (FOLDER / models.IDENTITY / models.WEIGHTS).read_bytes()
    return Tokenizer(Weights(memoryview(data)).pieces)


@pytest.mark.parametrize("row", REFERENCE, ids=lambda row: row["text"][:20])
def test_texts_are_cut_as_the_reference_tokenizer_cuts_them(
    tokenizer: Tokenizer, row: dict[str, object]
) -> None:
    assert tokenizer.numbers(f"query: {row['text']}", 512) == row["numbers"]


def test_a_long_text_is_cut_off_and_still_ends(tokenizer: Tokenizer) -> None:
    numbers = tokenizer.numbers("word " * 500, 128)

    assert len(numbers) == 128
    assert numbers[-1] == tokenizer.numbers("word", 128)[-1]


def test_the_same_meaning_is_nearer_than_another_in_both_languages() -> None:
    german, english, chinese, other = embedder().vectors(
        ["Passwort zurücksetzen", "reset my password", "重置密码", "今天天气很好"]
    )

    assert english @ chinese > 0.4 > english @ other
    assert german @ chinese > 0.4 > german @ other


def test_a_vector_does_not_depend_on_what_is_read_beside_it() -> None:
    alone = embedder().vectors(["publish a release"])[0]
    beside = embedder().vectors(["整理文件", "publish a release"])[1]

    assert np.array_equal(alone, beside)
    assert np.linalg.norm(alone) == pytest.approx(1, abs=1e-5)


def test_no_file_is_readable_by_others(tmp_path: Path) -> None:
    made = models.prepare(tmp_path / "models")

    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in _all(tmp_path)}
    assert modes.pop("models") == 0o700
    assert modes.pop(made.id) == 0o700
    assert set(modes.values()) == {0o600}


def test_what_is_cancelled_leaves_nothing(tmp_path: Path) -> None:
    def cancel(steps: Sequence[int]) -> Iterator[int]:
        yield from steps[:3]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        models.prepare(tmp_path, cancel)

    assert list(tmp_path.iterdir()) == []
    assert models.status(tmp_path).state == models.ABSENT


@pytest.mark.parametrize("name", models.PINS)
def test_one_changed_byte_is_noticed_and_mended(tmp_path: Path, name: str) -> None:
    made = models.prepare(tmp_path)
    path = made.folder / name
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)

    assert models.status(tmp_path).state == models.DAMAGED
    with pytest.raises(IntegrityError, match="damaged"):
        models.opened(tmp_path)
    assert models.prepare(tmp_path).state == models.READY


def test_removing_frees_everything(tmp_path: Path) -> None:
    size = models.prepare(tmp_path / "models").size

    assert models.remove(tmp_path / "models") == size
    assert models.opened(tmp_path / "models") is None
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_prepared_by_looking(tmp_path: Path) -> None:
    found = models.status(tmp_path / "models")

    assert found.state == models.ABSENT
    assert found.weights is not None
    assert list(tmp_path.iterdir()) == []


def test_preparing_opens_no_socket(tmp_path: Path) -> None:
    script = (
        "import socket, sys, pathlib\n"
        "def refuse(*_, **__): raise SystemExit('a socket was opened')\n"
        "socket.socket.__init__ = refuse\n"
        "from experience_pack.workspace import models\n"
        "folder = pathlib.Path(sys.argv[1])\n"
        "models.prepare(folder)\n"
        "print(len(models.opened(folder).vectors(['重置密码'])))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, tmp_path], check=True, capture_output=True
    )

    assert done.stdout.strip() == b"1"


def test_the_graph_is_made_to_the_byte() -> None:
    embedder()
    graph = (FOLDER / models.IDENTITY / models.ENCODER).read_bytes()

    assert hashlib.sha256(graph).hexdigest() == models.PINS[models.ENCODER]


def _all(folder: Path) -> Iterator[Path]:
    return folder.rglob("*")
