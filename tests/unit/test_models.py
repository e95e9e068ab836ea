from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import pytest

from experience_pack.errors import (
    AccessError,
    ExperiencePackError,
    FormatError,
    NotFoundError,
    RefusedError,
    StorageError,
    UsageError,
)
from experience_pack.learning.models import Limits, ask, asking, configured
from experience_pack.learning.models.command import CommandModel
from experience_pack.learning.models.endpoint import EndpointModel
from experience_pack.model.settings import BY_KEY
from experience_pack.workspace.config import Config
from tests.model_server import ANSWERS, model_server

TOKEN = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
KEY = "sk-canary-1234567890abcdef"
GOOD = "a good answer · 一个好答案"


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "PAUSE", 0.0)
    monkeypatch.setenv("A_MODEL_KEY", KEY)


def endpoint(url: str, *, timeout: float = 5.0, key: str = "A_MODEL_KEY") -> Any:
    return EndpointModel(url, "small", key, timeout)


def asked_twice(*answers: str, timeout: float = 5.0) -> str:
    with model_server(*answers) as server:
        return ask(endpoint(server.url, timeout=timeout), "What? 什么？")


class TestEndpoint:
    @pytest.mark.parametrize("name", ["good", "padded"])
    def test_an_answer_comes_without_the_space_around_it(self, name: str) -> None:
        assert asked_twice(name) == GOOD

    @pytest.mark.parametrize("name", ["empty", "no content"])
    def test_an_empty_answer_is_empty(self, name: str) -> None:
        assert asked_twice(name) == ""

    def test_one_user_message_is_sent_and_nothing_else(self) -> None:
        with model_server("good") as server:
            ask(endpoint(server.url), "什么?")
        (body,) = server.asked
        assert body == {
            "model": "small",
            "messages": [{"role": "user", "content": "什么?"}],
            "stream": False,
        }

    def test_a_system_text_goes_before_the_prompt(self) -> None:
        with model_server("good") as server:
            ask(endpoint(server.url), "What?", system="Judge.")
        roles = [one["role"] for one in server.asked[0]["messages"]]
        assert roles == ["system", "user"]

    @pytest.mark.parametrize("first", ["server error", "busy", "cut off"])
    def test_what_fails_on_the_way_is_tried_once_more(self, first: str) -> None:
        assert asked_twice(first, "good") == GOOD

    def test_a_second_failure_is_told(self) -> None:
        with model_server("server error") as server:
            with pytest.raises(StorageError, match=r"answered 503: overloaded"):
                ask(endpoint(server.url), "What?")
            assert len(server.asked) == 2

    @pytest.mark.parametrize(
        ("name", "error"),
        [
            ("wrong key", AccessError),
            ("unknown model", RefusedError),
            ("redirect", RefusedError),
            ("no choices", RefusedError),
            ("choices of another type", RefusedError),
            ("content of another type", RefusedError),
            ("a list", RefusedError),
            ("no json", FormatError),
            ("truncated json", FormatError),
            ("giant answer", RefusedError),
            ("giant reply", RefusedError),
        ],
    )
    def test_any_other_answer_is_refused_at_once(
        self, name: str, error: type[ExperiencePackError]
    ) -> None:
        with model_server(name) as server:
            with pytest.raises(error) as caught:
                ask(endpoint(server.url), "What?")
            assert len(server.asked) == 1
        assert KEY not in f"{caught.value} {caught.value.hint}"

    def test_deep_json_is_refused(self) -> None:
        with (
            model_server({"body": "[" * 200_000}) as server,
            pytest.raises(FormatError),
        ):
            ask(endpoint(server.url), "What?")

    def test_a_redirect_does_not_get_the_key(self) -> None:
        with model_server("good") as other:
            moved = {**ANSWERS["redirect"], "headers": {"Location": other.url}}
            with model_server(moved) as server, pytest.raises(RefusedError):
                ask(endpoint(server.url), "What?")
            assert other.asked == []

    def test_a_dripping_server_is_cut_off(self) -> None:
        started = time.monotonic()
        with pytest.raises(StorageError, match="gave no answer"):
            asked_twice("drips", timeout=0.3)
        assert time.monotonic() - started < 3

    def test_a_server_that_is_not_there_is_told(self) -> None:
        with model_server("good") as server:
            gone = server.url
        with pytest.raises(StorageError, match="gave no answer"):
            ask(endpoint(gone), "What?")

    def test_the_key_is_sent_and_never_comes_back(self) -> None:
        with model_server("reflects the key") as server:
            answer = ask(endpoint(server.url), "What?")
        assert server.headers[0]["Authorization"] == f"Bearer {KEY}"
        assert KEY not in answer

    def test_without_a_key_none_is_sent(self) -> None:
        with model_server("good") as server:
            ask(endpoint(server.url, key=""), "What?")
        assert "Authorization" not in server.headers[0]

    @pytest.mark.parametrize("value", ["", "  ", "钥匙", "a\nb"])
    def test_a_variable_without_a_key_is_named(
        self, value: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("A_MODEL_KEY", value)
        with pytest.raises(UsageError, match="A_MODEL_KEY holds no key"):
            ask(endpoint("http://127.0.0.1:1/v1"), "What?")

    @pytest.mark.parametrize(
        "url",
        [
            "http://example.org/v1",
            "http://127.0.0.1.example.org/v1",
            "http://localhost.example.org/v1",
            "ftp://127.0.0.1/v1",
            "https://user:secret@example.org/v1",
            "https://example.org/v1?key=1",
            "https://example.org:99999/v1",
            "https://",
            "example.org",
        ],
    )
    def test_an_address_that_no_key_may_go_to_is_refused(self, url: str) -> None:
        with pytest.raises(UsageError, match=r"model\.endpoint") as caught:
            endpoint(url)
        assert "secret" not in str(caught.value)


def program(folder: Path, text: str) -> str:
    script = folder / "model.py"
    script.write_text(text, "utf-8")
    return f"'{sys.executable}' '{script}'"


class TestCommand:
    def test_the_prompt_goes_in_on_stdin_and_the_answer_comes_out(
        self, tmp_path: Path
    ) -> None:
        echo = program(
            tmp_path,
            "import sys\n"
            "sys.stdout.buffer.write(sys.stdin.buffer.read().upper() + b'\\n')",
        )
        assert ask(CommandModel(echo, 10), "what? 什么？") == "WHAT? 什么？"

    def test_it_runs_in_an_empty_folder(self, tmp_path: Path) -> None:
        look = program(tmp_path, "import os\nprint(os.listdir())")
        assert ask(CommandModel(look, 10), "What?") == "[]"

    def test_no_shell_reads_the_command_line(self, tmp_path: Path) -> None:
        show = program(tmp_path, "import sys\nprint(sys.argv[1:])")
        model = CommandModel(f"{show} '$HOME' ; echo x", 10)
        assert ask(model, "What?") == "['$HOME', ';', 'echo', 'x']"

    def test_a_large_prompt_and_a_program_that_reads_nothing(
        self, tmp_path: Path
    ) -> None:
        deaf = program(tmp_path, "print('done')")
        assert ask(CommandModel(deaf, 10), "x" * 200_000) == "done"

    def test_a_failure_shows_its_last_words_without_secrets(
        self, tmp_path: Path
    ) -> None:
        fail = program(
            tmp_path,
            f"import sys\nprint('key {TOKEN}', file=sys.stderr)\nsys.exit(3)",
        )
        with pytest.raises(StorageError, match="ended with 3: key") as caught:
            ask(CommandModel(fail, 10), "What?")
        assert "ghp_" not in str(caught.value)

    def test_a_late_program_is_stopped_with_all_that_it_started(
        self, tmp_path: Path
    ) -> None:
        mark = tmp_path / "child"
        slow = program(
            tmp_path,
            "import subprocess, sys, time\n"
            "child = subprocess.Popen([sys.executable, '-c', 'import time; "
            "time.sleep(60)'])\n"
            f"open({str(mark)!r}, 'w').write(str(child.pid))\n"
            "time.sleep(60)",
        )
        with pytest.raises(StorageError, match=r"no answer in 1 seconds"):
            CommandModel(slow, 1)("", "What?")
        assert not _alive(int(mark.read_text()))

    def test_an_endless_program_is_stopped(self, tmp_path: Path) -> None:
        endless = program(tmp_path, "while True: print('x' * 10_000)")
        with pytest.raises(RefusedError, match="wrote more than"):
            ask(CommandModel(endless, 20), "What?")

    def test_a_missing_program_is_named(self) -> None:
        with pytest.raises(NotFoundError, match="no program no-such-program"):
            ask(CommandModel("no-such-program -p", 10), "What?")

    @pytest.mark.parametrize("line", ["", "   ", "'open"])
    def test_a_line_that_is_none_is_refused(self, line: str) -> None:
        with pytest.raises(UsageError, match=r"model\.command"):
            CommandModel(line, 10)


def _alive(process: int) -> bool:
    for _ in range(50):
        try:
            state = Path(f"/proc/{process}/stat").read_text()
        except OSError:
            return False
        if state.rpartition(")")[2].split()[0] == "Z":
            return False
        time.sleep(0.02)
    return True


class TestHostModel:
    @pytest.mark.parametrize("answer", ["text", {"success": True, "text": "text"}])
    def test_both_shapes_of_a_host_are_taken(self, answer: object) -> None:
        assert ask(lambda _, __: answer, "What?") == "text"

    @pytest.mark.parametrize("answer", [None, 5, {"success": False, "text": "x"}, {}])
    def test_anything_else_has_failed(self, answer: object) -> None:
        with pytest.raises(StorageError, match="gave no text"):
            ask(lambda _, __: answer, "What?")

    def test_what_it_raises_is_told_without_its_words(self) -> None:
        def broken(_: str, __: str) -> str:
            raise ValueError(f"bad key {KEY}")

        with pytest.raises(StorageError, match="ValueError") as caught:
            ask(broken, "What?")
        assert KEY not in str(caught.value)

    def test_a_slow_failure_is_not_tried_again(self) -> None:
        tries = []

        def late(_: str, __: str) -> str:
            tries.append(1)
            raise StorageError("late")

        with pytest.raises(StorageError):
            ask(late, "What?", limits=Limits(retry_within=-1))
        assert len(tries) == 1

    def test_too_long_a_question_is_not_asked(self) -> None:
        with pytest.raises(RefusedError, match="the question has"):
            ask(_never, "x" * 200_001)


def _never(_: str, __: str) -> str:
    raise AssertionError("asked")


class TestConfigured:
    @pytest.mark.parametrize(
        ("given", "kind"),
        [
            ({}, type(None)),
            ({"model.command": "claude -p"}, CommandModel),
            ({"model.endpoint": "http://localhost:1/v1"}, EndpointModel),
            (
                {"model.command": "x", "model.endpoint": "http://localhost:1/v1"},
                CommandModel,
            ),
        ],
    )
    def test_a_command_stands_over_an_endpoint(
        self, given: dict[str, str], kind: type
    ) -> None:
        defaults = {key: setting.default for key, setting in BY_KEY.items()}
        assert isinstance(configured({**defaults, **given}), kind)

    @pytest.mark.parametrize("key", [key for key in BY_KEY if key.startswith("model.")])
    def test_a_project_cannot_name_what_is_run_or_asked(
        self, key: str, tmp_path: Path
    ) -> None:
        value = "1.0" if key == "model.timeout" else '"evil"'
        project = tmp_path / "config.json"
        project.write_text(
            f'{{"format": "workspace", "version": [1, 0], "{key}": {value}}}', "utf-8"
        )
        found = Config(project, Config(tmp_path / "none.json", own=True))
        assert found[key] == BY_KEY[key].default
