"""What a call of a tool did, in words that two sessions have in common."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

_COMMANDS = ("command", "cmd")
"""Arguments in which hosts hand over a command line."""

_SHELLS = ("bash", "sh", "zsh")
_PASSED = ("cd", "sudo", "env", "time")
"""Commands that say where or how another one runs."""

ERROR_CHARS = 300
"""Characters of an error that are kept, the last: there it says what went wrong."""

OURS = "experience_"
"""How our own tools begin: asking us is no step of the work."""


def is_ours(tool: str) -> bool:
    """Tell whether a tool belongs to this program."""
    return tool.rpartition("__")[2].startswith(OURS)


def action_of(tool: str, arguments: Any) -> str:
    """Give the action of a call: program and subcommand, else the tool's name.

    Paths, flags and values are left out, for they differ each time.
    """
    given = _object(arguments)
    lines = (given[key] for key in _COMMANDS if given.get(key))
    line = next(lines, "")
    if isinstance(line, list):
        line = _unwrapped([one for one in line if isinstance(one, str)])
    return (_program(line) if isinstance(line, str) else "") or tool


def tail(text: str) -> str:
    """Give the end of an error."""
    return text.strip()[-ERROR_CHARS:]


def _object(arguments: Any) -> Mapping[str, Any]:
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except (ValueError, RecursionError):
            return {}
    return arguments if isinstance(arguments, dict) else {}


def _unwrapped(words: list[str]) -> str:
    """Give the command line of an argument list, out of its shell."""
    if len(words) == 3 and words[0].rpartition("/")[2] in _SHELLS:
        return words[2]
    return " ".join(words)


def _program(line: str) -> str:
    """Give program and subcommand of the first command that does something."""
    for part in line.replace("&&", "\n").replace(";", "\n").splitlines():
        words = [word for word in part.split() if "=" not in word]
        while words and words[0] in _PASSED[1:]:
            words.pop(0)
        if words and words[0] not in _PASSED and not words[0].startswith("#"):
            name = words[0].rpartition("/")[2]
            return " ".join([name, *filter(_is_subcommand, words[1:2])])
    return ""


def _is_subcommand(word: str) -> bool:
    return word.isascii() and word.replace("-", "").isalpha() and word[0] != "-"
