from __future__ import annotations

import io
import lzma
import tarfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from experience_pack.errors import ExperiencePackError
from experience_pack.store import Store, copies
from tests.shared_data import shared


def images() -> Iterator[tuple[str, bytes]]:
    """Give the damaged databases that SQLite's own fuzzing found."""
    raw = lzma.decompress(shared("hostile_sqlite.tar.xz").read_bytes())
    with tarfile.open(fileobj=io.BytesIO(raw)) as archive:
        for member in archive:
            file = archive.extractfile(member)
            if file is not None:
                yield member.name, file.read()


def test_no_hostile_database_is_taken_for_a_store(tmp_path: Path) -> None:
    found: Counter[str] = Counter()
    path = tmp_path / "exp.db"
    for name, data in images():
        path.write_bytes(data)
        with pytest.raises(ExperiencePackError) as refused:
            copies.check_copy(path)
        assert refused.value.exit_code in (3, 8), name
        assert path.read_bytes() == data, name
        found[f"restore: exit {refused.value.exit_code}"] += 1
        with pytest.raises(ExperiencePackError) as refused:
            Store.open(path).close()
        assert path.read_bytes() == data, name
        found[f"open: exit {refused.value.exit_code}"] += 1
    print(f"hostile databases: {dict(found)}")  # noqa: T201
    assert found.total() > 0
