"""Writers that work as a person does, and say each write once it is acknowledged.

`python -m tests.faults.writing KIND PROJECT START` goes on from a number until it is
killed; `load` counts its operations and gives the seconds of each instead.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import time
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path
from typing import Any

from experience_pack.cli.run import run


def name_of(number: int) -> str:
    """Give the name of the thing that a write is about, in one of two languages."""
    return f"write {number:04d}" if number % 2 else f"写入 {number:04d}"


def identity_of(number: int) -> str:
    """Give its id, where a writer can choose it."""
    return f"exp_{number:026d}"


def document(numbers: range) -> dict[str, Any]:
    """Give experiences as a bundle of the document's format."""
    made = [
        {"id": identity_of(at), "kind": "process", "name": name_of(at)}
        for at in numbers
    ]
    return {"experiences": made}


def say(*words: str) -> str:
    """Run a command that has to succeed; give what it prints."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(words)
    if code:
        sys.stderr.write(f"{words}: exit {code}: {err.getvalue()}")
        sys.exit(code)
    return out.getvalue()


def save(number: int) -> str:
    say("add", "--name", name_of(number), "--step", "look at it 看一遍")
    return name_of(number)


def take_in(number: int) -> str:
    file = Path(f"{number}.json")
    file.write_text(json.dumps(document(range(number, number + 1))), "utf-8")
    say("pack", "import", file.name, "--mode", "preserve")
    file.unlink()
    return name_of(number)


def synchronise(number: int) -> str:
    card = Path(".experience", "experiences", f"by-hand-{number}.md")
    front = f'id: "{identity_of(number)}"\nkind: "process"\n'
    card.write_text(f"---\n{front}---\n\n# {name_of(number)}\n", "utf-8")
    say("sync")
    return name_of(number)


def give_feedback(number: int) -> str:
    asked = json.loads(say("request", name_of(number % 3), "--json"))
    say("feedback", asked["decision_id"], "--good")
    return str(asked["decision_id"])


def approve(number: int) -> str:
    say("review", "approve", identity_of(number))
    return identity_of(number)


WRITES: Mapping[str, Callable[[int], str]] = {
    "save": save,
    "import": take_in,
    "sync": synchronise,
    "feedback": give_feedback,
    "review": approve,
}


def mixed(who: str, number: int) -> None:
    """Do one of what a person and a host do all day."""
    word = f"{who} {number}"
    if number % 5 == 4:
        say("request", f"{who} 请求")
    elif number % 5 == 3:
        say("edit", f"{who} {number - 1}", "--file", f"{who}.md")
    else:
        say("add", "--name", word, "--step", "做 it")
        if number % 5 == 2:
            write_edit(who, word)


def write_edit(who: str, name: str) -> None:
    """Write a card with other notes, for the next operation to take in."""
    (card,) = (
        one
        for one in Path(".experience", "experiences").rglob(f"{who}-*.md")
        if f"# {name}\n" in one.read_text("utf-8")
    )
    text = card.read_text("utf-8") + "\n## Notes\n\nchanged 改过\n"
    Path(f"{who}.md").write_text(text, "utf-8")


def load(who: str, most: int) -> None:
    """Do so many operations, and print how many seconds each took."""
    seconds = []
    for number in range(most):
        start = time.perf_counter()
        mixed(who, number)
        seconds.append(time.perf_counter() - start)
    sys.stdout.write(json.dumps(seconds))


def main(kind: str, number: str, who: str) -> None:
    """Write until killed, or work through a load."""
    if kind == "load":
        load(who, int(number))
        return
    for at in count(int(number)):
        sys.stdout.write(f"{WRITES[kind](at)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:4])
