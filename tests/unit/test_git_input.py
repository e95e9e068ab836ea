from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from experience_pack.packs import git


def test_a_look_at_the_clock_loses_nothing_of_what_git_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git, "_LOOK_SECONDS", 0.0001)
    monkeypatch.setattr(git, "MOST_SECONDS", 20.0)
    data = bytes(8_000_000)
    git.run_git(tmp_path, "init", "--bare", "-q", ".")

    name = git.run_git(tmp_path, "hash-object", "--stdin", stdin=data)

    head = b"blob %d\0" % len(data)
    assert name.decode().strip() == hashlib.sha1(head + data).hexdigest()
