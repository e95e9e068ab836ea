"""No record of a session, however strange, stops an import."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from experience_pack.learning.sessions.bring import bring
from experience_pack.learning.sessions.hosts import HOSTS
from experience_pack.store import Store

SESSIONS = Path(__file__).parents[1] / "fixtures/sessions"

odd = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.just("\ud800"),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "text", "id", "x"]), inner, max_size=3
        )
    ),
    max_leaves=6,
)


def records_of(host: str) -> list[dict[str, Any]]:
    lines = (
        line
        for path in sorted(SESSIONS.glob(f"{host}-*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    )
    found = (json.loads(line) for line in lines if line.endswith("}"))
    return [one for one in found if isinstance(one, dict)]


def paths(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(value, dict | list):
        keys = value if isinstance(value, dict) else range(len(value))
        return [at, *(path for key in keys for path in paths(value[key], (*at, key)))]
    return [at]


def replaced(value: Any, path: tuple[Any, ...], other: Any) -> Any:
    if not path:
        return other
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = replaced(copy[path[0]], path[1:], other)
    return copy


@pytest.mark.parametrize("host", HOSTS)
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_any_value_in_any_place_is_passed_by(host: str, data: st.DataObject) -> None:
    records: list[Any] = records_of(host)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(records) - 1))
        path = data.draw(st.sampled_from(paths(records[at])))
        records[at] = replaced(records[at], path, data.draw(odd))
    with TemporaryDirectory() as folder:
        file = Path(folder) / "s.jsonl"
        file.write_text("".join(f"{json.dumps(one)}\n" for one in records), "utf-8")
        store = Store.in_memory()
        (done,) = bring(store, HOSTS[host], [file])
        (again,) = bring(store, HOSTS[host], [file])

    assert done.failure == ""
    assert (again.new, again.changed) == (0, 0)
