"""Readers of bytes: near what is sound (Hypothesis), and where code leads (atheris)."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.figures import figure
from tests.fuzz.readers import TARGETS, check

ROOT = Path(__file__).parents[2]
FOUND = sorted((ROOT / "tests" / "fixtures" / "fuzz").glob("*"))
EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "300"))
SECONDS = int(os.environ.get("FUZZ_SECONDS", "5"))
"""Of each reader; `make fuzz` takes ten minutes."""
PIECES = st.binary(max_size=30) | st.sampled_from(
    [b"[" * 3_000, b'{"a":' * 3_000, b"((" * 500, b"- " * 3_000, b"9" * 5_000,
     b"**9" * 50, b"1e999", b"NaN", b"\xff", b"\xed\xa0\x80", b"\0", b"\r\n", b'"',
     b"\\u", b"---\n", "整".encode(), b"{", b"}", b": ", b"\n", b"&a *a", b"PK\x03\x04"]
)  # fmt: skip


@st.composite
def near(draw: st.DrawFn, name: str) -> bytes:
    """Give a sound text with pieces put in, taken out or turned."""
    data = draw(st.sampled_from([*TARGETS[name].seeds]))
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(data)))
        end = draw(st.integers(start, min(len(data), start + 40)))
        data = data[:start] + draw(PIECES) + data[end:]
    return data


@pytest.mark.parametrize("name", TARGETS)
def test_a_reader_gives_a_value_or_an_error_of_ours(name: str) -> None:
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        suppress_health_check=[*HealthCheck],
        database=None,
    )
    @given(near(name) | st.binary(max_size=200))
    def tried(data: bytes) -> None:
        check(name, data)

    tried()


@pytest.mark.skipif(
    importlib.util.find_spec("atheris") is None, reason="atheris is not to be had here"
)
@pytest.mark.parametrize("name", TARGETS)
def test_a_reader_stands_what_its_own_code_leads_to(name: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.guided", name, str(SECONDS)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    said = done.stdout + done.stderr
    units = re.search(r"number_of_executed_units:\s*(\d+)", said)

    assert done.returncode == 0, said[-3_000:]
    assert units is not None, said[-3_000:]
    figure(f"fuzzing: {name}", f"no find in {int(units[1]):,} inputs")


@pytest.mark.parametrize("file", FOUND, ids=lambda file: file.name)
def test_what_was_found_once_stays_mended(file: Path) -> None:
    check(file.name.partition("-")[0].replace("_", " "), file.read_bytes())
