"""The live dashboard: who may ask it, what it gives, and the one thing it takes."""

from __future__ import annotations

import itertools
import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from experience_pack.errors import StorageError
from experience_pack.hosts.dashboard import Dashboard
from experience_pack.hosts.dashboard.guard import RULES
from experience_pack.hosts.dashboard.server import MOST_BYTES
from experience_pack.model import Experience
from experience_pack.snapshot.blocks import open_block
from experience_pack.store import experiences, standings
from experience_pack.workspace.folder import Folder, create
from tests.serving import serving

MATRIX = json.loads(
    (Path(__file__).parent.parent / "fixtures/dashboard/matrix.json").read_text("utf-8")
)
KNOWN = Experience(id="exp_known", kind="lesson", name="先备份", text="改之前先备份。")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Folder]:
    found = create(tmp_path_factory.mktemp("served"))
    with found.store.transaction() as tx:
        experiences.save(tx, KNOWN)
    yield found
    found.close()


@pytest.fixture(scope="module")
def reading(folder: Folder) -> Iterator[Dashboard]:
    with serving(folder) as dashboard:
        yield dashboard


@pytest.fixture
def writing(folder: Folder) -> Iterator[Dashboard]:
    with serving(folder, writable=True) as dashboard:
        yield dashboard


def ask(
    dashboard: Dashboard,
    path: str = "/api/snapshot",
    method: str = "GET",
    headers: dict[str, str] | None = None,
    body: bytes | None = None,
) -> tuple[HTTPResponse, bytes]:
    connection = HTTPConnection("127.0.0.1", dashboard.house.port, timeout=10)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    given = {"Host": f"127.0.0.1:{dashboard.house.port}", **(headers or {})}
    if body is not None:
        given["Content-Length"] = str(len(body))
    for name, value in given.items():
        if value:
            connection.putheader(name, value)
    connection.endheaders(body)
    answer = connection.getresponse()
    found = answer.read()
    connection.close()
    return answer, found


def code(dashboard: Dashboard) -> dict[str, str]:
    return {"Authorization": f"Bearer {dashboard.house.token}"}


def approve(dashboard: Dashboard, body: object, **more: str) -> tuple[int, Any]:
    headers = {**code(dashboard), "Content-Type": "application/json", **more}
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    answer, said = ask(dashboard, "/api/review", "POST", headers, text)
    return answer.status, said.decode()


def test_exactly_the_right_rows_of_the_matrix_pass(reading: Dashboard) -> None:
    port, token = str(reading.house.port), reading.house.token
    passed, right = [], []
    for host, origin, given, method in itertools.product(*map(list, MATRIX.values())):
        named = host.replace("PORT", port)
        headers = {
            "Host": named,
            "Origin": origin.replace("HOST", named),
            "Authorization": given.replace("TOKEN", token),
        }
        answer, said = ask(reading, method=method, headers=headers)
        assert token.encode() not in said
        row = (host, origin, given, method)
        passed += [row] if answer.status == 200 else []
        allowed = MATRIX["hosts"][host] and MATRIX["origins"][origin]
        good = allowed and MATRIX["codes"][given] and MATRIX["methods"][method] == 200
        right += [row] if good else []
    total = len([*itertools.product(*MATRIX.values())])
    print(f"matrix: {len(passed)} of {total} rows pass")  # noqa: T201
    assert passed == right
    assert len(right) == 8


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_what_a_browser_says_of_another_page_is_refused(
    reading: Dashboard, site: str
) -> None:
    headers = {**code(reading), "Sec-Fetch-Site": site}
    assert ask(reading, headers=headers)[0].status == 403


def test_two_host_headers_are_no_right_one(reading: Dashboard) -> None:
    port = reading.house.port
    with socket.create_connection(("127.0.0.1", port), timeout=10) as raw:
        host = f"Host: 127.0.0.1:{port}\r\n"
        raw.sendall(f"GET / HTTP/1.1\r\n{host}{host}\r\n".encode())
        assert raw.recv(100).startswith(b"HTTP/1.1 403")


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.status} {rule.says}")
def test_every_rule_says_what_it_refuses(rule: Any) -> None:
    assert 400 <= rule.status < 500
    assert rule.says


def test_the_page_itself_holds_no_word_of_the_workspace(reading: Dashboard) -> None:
    answer, said = ask(reading, "/")
    policy = answer.headers["Content-Security-Policy"]
    assert answer.status == 200
    assert "先备份" not in said.decode()
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_the_page_speaks_the_language_of_its_person(reading: Dashboard) -> None:
    said = ask(reading, "/", headers={"Accept-Language": "zh-CN,zh;q=0.9"})[1].decode()
    assert 'lang="zh-CN"' in said
    assert "终端里显示的代码" in said


def test_the_snapshot_names_blocks_that_can_be_had(
    reading: Dashboard,
) -> None:
    answer, said = ask(reading, headers=code(reading))
    document = json.loads(said)
    (block,) = document["blocks"]
    path = f"/{block['file']}"
    assert answer.headers["Cache-Control"] == "no-store"
    assert ask(reading, path)[0].status == 401
    (row,) = open_block(ask(reading, path, headers=code(reading))[1].decode())["rows"]
    assert row["content"]["text"] == KNOWN.text


def test_an_unchanged_workspace_is_not_sent_twice(
    reading: Dashboard, folder: Folder
) -> None:
    first, _ = ask(reading, headers=code(reading))
    again = {**code(reading), "If-None-Match": first.headers["ETag"]}
    assert ask(reading, headers=again)[0].status == 304
    with folder.store.transaction() as tx:
        experiences.save(
            tx, Experience(id="exp_new", kind="lesson", name="n", text="t")
        )
    answer, said = ask(reading, headers=again)
    assert answer.status == 200
    assert json.loads(said)["counts"]["experiences"] == 2


def test_reading_shows_what_waits_and_takes_nothing(
    reading: Dashboard, folder: Folder
) -> None:
    shown = json.loads(ask(reading, "/api/review", headers=code(reading))[1])
    item = next(one for one in shown["items"] if one["id"] == KNOWN.id)
    status, _ = approve(reading, {"id": KNOWN.id, "digest": item["digest"]})
    assert shown["writable"] is False
    assert status == 405
    assert KNOWN.id not in standings.seen_here(folder.store)


def test_an_approval_is_of_exactly_the_text_that_was_shown(
    writing: Dashboard, folder: Folder
) -> None:
    shown = json.loads(ask(writing, "/api/review", headers=code(writing))[1])
    item = next(one for one in shown["items"] if one["id"] == KNOWN.id)
    assert "改之前先备份。" in item["text"]
    assert approve(writing, {"id": KNOWN.id, "digest": "sha256:other"})[0] == 409
    assert approve(writing, {"id": KNOWN.id, "digest": item["digest"]})[0] == 200
    found = standings.seen_here(folder.store)[KNOWN.id]
    assert found.approved_digest == item["digest"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"[]", 400),
        (b'{"id": 1, "digest": "x"}', 400),
        (b'{"id": "exp_nowhere", "digest": "x"}', 404),
        (b'{"id": "a", "id": "b", "digest": "x"}', 400),
        (b"[" * 60_000, 400),
        (b" " * (MOST_BYTES + 1), 400),
        (b"\xff\xfe", 400),
    ],
    ids=["nothing", "half", "a list", "a number", "unknown", "twice", "deep", "long",
         "no UTF-8"],
)  # fmt: skip
def test_a_bad_approval_changes_nothing_and_says_why(
    writing: Dashboard, folder: Folder, body: bytes, status: int
) -> None:
    before = folder.store.stamp()
    found, said = approve(writing, body)
    assert found == status
    assert said
    assert "Traceback" not in said
    assert folder.store.stamp() == before


def test_an_approval_that_a_form_could_send_is_refused(writing: Dashboard) -> None:
    given = {"Content-Type": "text/plain"}
    assert approve(writing, {"id": KNOWN.id, "digest": "x"}, **given)[0] == 415


@pytest.mark.parametrize(
    "path", ["/api", "/api/", "/../exp.db", "/assets/../x", "/api/blocks/../snapshot"]
)
def test_what_is_not_there_is_not_found(reading: Dashboard, path: str) -> None:
    assert ask(reading, path, headers=code(reading))[0].status == 404


def test_a_port_in_use_says_how_to_get_another(
    reading: Dashboard, folder: Folder
) -> None:
    with pytest.raises(StorageError, match="in use") as refused:
        Dashboard(folder, reading.house.port, writable=False)
    assert "--port 0" in refused.value.hint


def test_another_code_is_drawn_each_time(folder: Folder, reading: Dashboard) -> None:
    with serving(folder) as other:
        assert other.house.token != reading.house.token
        assert len(other.house.token) >= 24


def test_the_command_serves_until_it_is_ended(folder: Folder) -> None:
    command = [sys.executable, "-m", "experience_pack", "site", "serve", "--port=0"]
    process = subprocess.Popen(
        [*command, "--json"],
        cwd=folder.path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        found = json.loads("".join(iter(process.stdout.readline, "}\n")) + "}")
        port = int(found["address"].rstrip("/").rpartition(":")[2])
        connection = HTTPConnection("127.0.0.1", port, timeout=10)
        given = {"Authorization": f"Bearer {found['code']}"}
        connection.request("GET", "/api/snapshot", headers=given)
        assert connection.getresponse().status == 200
        connection.close()
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=20)
    finally:
        process.kill()
        process.communicate()
    assert (process.returncode, said) == (0, "")


def test_closing_waits_for_what_is_being_answered(tmp_path: Path) -> None:
    busy = create(tmp_path)
    dashboard = Dashboard(busy, 0, writable=False)
    server = Thread(target=dashboard.serve)
    server.start()
    answered: list[int] = []

    def read() -> None:
        answered.append(ask(dashboard, headers=code(dashboard))[0].status)

    reader, closer = Thread(target=read), Thread(target=dashboard.close)
    with busy.store.transaction():  # the reader has to wait for its end
        reader.start()
        time.sleep(0.5)
        closer.start()
        closer.join(1)
        assert closer.is_alive()
    for thread in (reader, closer, server):
        thread.join()
    busy.close()  # would end the process under a thread that reads
    assert answered == [200]
