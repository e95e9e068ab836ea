"""The program as a person in a project folder has it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from experience_pack.cli.run import run


class Shell:
    """Run commands in a project folder as a person would, and keep what they say."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.out = ""
        self.err = ""

    def __call__(self, *arguments: str, code: int = 0) -> str:
        found = run(arguments)
        self.out, self.err = self._capsys.readouterr()
        assert found == code, self.out + self.err
        assert "Traceback" not in self.err
        return self.out

    def json(self, *arguments: str, code: int = 0) -> Any:
        return json.loads(self(*arguments, "--json", code=code))
