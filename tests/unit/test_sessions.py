"""Sessions of hosts as episodes; `tests/fixtures/sessions` says what is kept of each.

A session is a `.jsonl` as its host writes it, named `<host>-<what>`, with a `.txt` of
the same name beside it that lists requests (`?`), replies (`!`), steps (`-`) and the
numbers of lines that cannot be read (`broken:`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from experience_pack.learning.sessions.bring import Brought, bring
from experience_pack.learning.sessions.events import Record
from experience_pack.learning.sessions.hosts import HOSTS
from experience_pack.model import Episode
from experience_pack.store import Store, episodes
from tests.dying import dying
from tests.runtime_host import host as runtime_host

FIXTURES = sorted((Path(__file__).parents[1] / "fixtures/sessions").glob("*.jsonl"))


@pytest.fixture
def store() -> Store:
    return Store.in_memory()


def host_of(path: Path) -> str:
    return path.stem.rpartition("-")[0]


def brought(store: Store, path: Path, **options: Any) -> Brought:
    name = options.pop("host", None) or host_of(path)
    (done,) = bring(store, HOSTS[name], [path], **options)
    return done


def kept(store: Store) -> list[Episode]:
    return [*reversed(episodes.entries(store))]


def told(one: Episode) -> Iterator[str]:
    yield f"? {one.meta['request']}"
    yield f"! {one.text}"
    for step in one.meta.get("trajectory", ()):
        outcome = "ok" if step["ok"] else step["error"]
        yield f"- {step['action']} | {step['tool']} | {outcome}"


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_a_session_is_read_as_its_neighbour_says(path: Path, store: Store) -> None:
    done = brought(store, path)
    found = [line for one in kept(store) for line in told(one)]
    found += [f"broken: {line}" for line in done.broken]
    expected = path.with_suffix(".txt").read_text("utf-8").splitlines()

    assert found == [line for line in expected if not line.startswith("#")]
    assert not any(one.user_validated for one in kept(store))


def test_each_host_has_a_session() -> None:
    assert {host_of(path) for path in FIXTURES} == {*HOSTS}


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_thoughts_and_injected_texts_are_not_stored(path: Path, store: Store) -> None:
    brought(store, path)
    stored = json.dumps([one.to_dict() for one in kept(store)], ensure_ascii=False)

    for word in ("SECRET-THOUGHT", "injected", "AGENTS.md", "reminder", "context"):
        assert word not in stored


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_twice_is_no_change(path: Path, store: Store) -> None:
    brought(store, path)
    before = store.stamp()
    done = brought(store, path)

    assert (done.new, done.changed, done.gone) == (0, 0, 0)
    assert store.stamp() == before


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_line_by_line_comes_to_the_same_as_at_once(
    path: Path, store: Store, tmp_path: Path
) -> None:
    growing = tmp_path / path.name
    growing.touch()
    for line in path.read_bytes().splitlines(keepends=True):
        with growing.open("ab") as file:
            file.write(line)
        brought(store, growing, host=host_of(path))
    at_once = Store.in_memory()
    brought(at_once, path)

    assert [[*told(one)] for one in sorted_by_turn(store)] == [
        [*told(one)] for one in sorted_by_turn(at_once)
    ]


def sorted_by_turn(store: Store) -> list[Episode]:
    return sorted(kept(store), key=lambda one: str(one.meta["turn"]))


CLAUDE: list[dict[str, Any]] = [
    {"type": "user", "uuid": "u1", "sessionId": "s", "message": {"content": "one"}},
    {"type": "assistant", "uuid": "a1", "message": {"content": "first"}},
    {"type": "user", "uuid": "u2", "parentUuid": "a1", "message": {"content": "二"}},
    {"type": "assistant", "uuid": "a2", "message": {"content": "第二"}},
]


def write(path: Path, *records: Any) -> Path:
    lines = [json.dumps(one, ensure_ascii=False) + "\n" for one in records]
    path.write_text("".join(lines), "utf-8")
    return path


def claude(store: Store, path: Path) -> Brought:
    return brought(store, path, host="claude-code")


def test_a_grown_file_is_read_from_where_it_stood(store: Store, tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", *CLAUDE)
    claude(store, path)
    with path.open("a", encoding="utf-8") as file:
        for one, parent in ((CLAUDE[0], "a2"), (CLAUDE[1], "u1x")):
            again = {**one, "uuid": f"{one['uuid']}x", "parentUuid": parent}
            file.write(json.dumps(again) + "\n")
    seen: list[str] = []
    reader = HOSTS["claude-code"]

    def counting(record: Mapping[str, Any]) -> Record:
        seen.append(record["uuid"])
        return reader.read(record)

    (done,) = bring(store, reader._replace(read=counting), [path])

    assert done.new == 1
    assert seen == ["u2", "a2", "u1x", "a1x"]


def test_a_line_that_is_still_written_waits(store: Store, tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", *CLAUDE[:3])
    whole = json.dumps(CLAUDE[3], ensure_ascii=False).encode()
    for part in (whole[:30], whole[30:], b"\n"):
        assert claude(store, path).broken == []
        with path.open("ab") as file:
            file.write(part)

    assert claude(store, path).new == 1


@pytest.mark.parametrize("how", ["replaced", "cut", "rewritten"])
def test_another_file_of_that_name_is_read_from_its_start(
    how: str, store: Store, tmp_path: Path
) -> None:
    path = write(tmp_path / "s.jsonl", *CLAUDE)
    claude(store, path)
    other = [{**one, "sessionId": "other"} for one in CLAUDE]
    if how == "replaced":
        write(tmp_path / "new", *other, *other)
        (tmp_path / "new").replace(path)
    elif how == "cut":
        write(path, *other[:2])
    else:
        write(path, *other, {"type": "unknown"})
    claude(store, path)

    assert "other" in {one.meta["session"] for one in kept(store)}


def test_another_file_with_the_same_end_is_read_from_its_start(
    store: Store, tmp_path: Path
) -> None:
    last = {**CLAUDE[3], "message": {"content": "long " * 500}}
    path = write(tmp_path / "s.jsonl", *CLAUDE[:3], last)
    claude(store, path)
    first = {**CLAUDE[1], "message": {"content": "other"}}
    write(tmp_path / "new", CLAUDE[0], first, CLAUDE[2], last, {"type": "x"})
    (tmp_path / "new").replace(path)
    claude(store, path)

    assert [one.text[:5] for one in kept(store)] == ["other", "long "]


def test_a_turn_that_is_taken_back_later_is_gone(store: Store, tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", *CLAUDE)
    claude(store, path)
    with path.open("a", encoding="utf-8") as file:
        other = {**CLAUDE[2], "uuid": "u3", "message": {"content": "three"}}
        file.write(json.dumps(other) + "\n")
        file.write(json.dumps({**CLAUDE[1], "uuid": "a3"}) + "\n")
    done = claude(store, path)

    assert (done.new, done.gone) == (1, 1)
    assert [one.meta["request"] for one in kept(store)] == ["one", "three"]


def test_what_a_hook_kept_gets_its_steps_and_keeps_the_persons_word(
    tmp_path: Path,
) -> None:
    with runtime_host() as rt:
        meta = {"host": "claude-code", "request": "one", "session": "s"}
        identity = rt.save_episode("conversation", "first", True, meta)
        done = claude(rt.store, write(tmp_path / "s.jsonl", *CLAUDE))
        found = rt.get_episode(identity)

        assert (done.new, done.changed) == (1, 1)
        assert found["user_validated"]
        assert found["meta"]["turn"] == "u1"


def test_half_a_character_is_stored_as_a_question_mark(
    store: Store, tmp_path: Path
) -> None:
    path = tmp_path / "s.jsonl"
    write(path, *CLAUDE[:2])
    path.write_text(path.read_text("utf-8").replace('"u1"', r'"u\ud800"'), "utf-8")

    assert claude(store, path).new == 1
    assert kept(store)[0].meta["turn"] == "u?"


def test_a_dry_run_writes_nothing(store: Store) -> None:
    before = store.stamp()
    done = brought(store, FIXTURES[0], write=False)

    assert done.new > 0
    assert store.stamp() == before


@pytest.mark.parametrize(
    ("secret", "around"),
    [
        ("AKIAQ7ZP3MXK9TRW2LHV", "use {} for the upload"),
        ("Kz82canaryWn", "密码是 {} 请保存"),
        ("Vx71-canary-Qm", 'password = "{}"'),
    ],
)
def test_a_secret_in_a_session_is_in_no_byte_of_the_store(
    secret: str, around: str, tmp_path: Path
) -> None:
    text = around.format(secret)
    call = {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": text}}
    failed = {
        "type": "tool_result", "tool_use_id": "t", "is_error": True, "content": text,
    }  # fmt: skip
    path = write(
        tmp_path / "s.jsonl",
        {"type": "user", "uuid": "u", "sessionId": "s", "message": {"content": text}},
        {"type": "assistant", "message": {"content": [call]}},
        {"type": "user", "message": {"content": [failed]}},
        {"type": "assistant", "message": {"content": f"done: {text}"}},
    )
    db = tmp_path / "exp.db"
    store = Store.open(db, create=True)
    assert claude(store, path).new == 1
    store.close()

    bytes_written = b"".join(one.read_bytes() for one in tmp_path.glob("exp.db*"))
    assert secret.encode() not in bytes_written
    assert "‹".encode() in bytes_written


def test_a_killed_import_leaves_a_file_whole_or_out(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", *CLAUDE)
    for steps in range(1, 40):
        store = Store.in_memory()
        try:
            with dying(steps):
                claude(store, path)
        except KeyboardInterrupt:
            assert store.row("SELECT count(*) FROM episodes") == (0,)
            assert store.row("SELECT count(*) FROM session_files") == (0,)
            assert claude(store, path).new == 2
        else:
            assert steps > 3
            return
    raise AssertionError("it never came to its end")
