"""Changes to files of others: a text goes in at one place, and comes out again."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from experience_pack.errors import FormatError, UsageError
from experience_pack.hosts.installers import jsonc
from experience_pack.hosts.installers.jsonc import Insertion
from experience_pack.hosts.installers.launch import NAME
from experience_pack.model.values import Json
from experience_pack.workspace.files import file_errors, write_file

JSON, LISTED, TOML, BLOCK, WHOLE = "json", "listed", "toml", "block", "whole"
"""How an entry stands in its file: a member; an element of a list; a table; a fenced
piece of Markdown; the file itself."""

_FENCES = {
    TOML: (f"# {NAME}: begin", f"# {NAME}: end"),
    BLOCK: (f"<!-- {NAME}: begin -->", f"<!-- {NAME}: end -->"),
}


class Entry(NamedTuple):
    """What is to stand in a file."""

    file: Path
    form: str
    path: tuple[str, ...] = ()
    value: Json = None
    """The value at the path; for a block or a whole file its text."""
    head: Mapping[str, Json] = {}
    """What the file begins with where there is none yet."""


class Done(NamedTuple):
    """What went into a file."""

    file: str
    form: str
    path: tuple[str, ...]
    text: str
    """Exactly what was inserted."""
    base: str | None
    """What the file was made of where there was none, else None."""


def put(entry: Entry) -> Done:
    """Put an entry into its file; what stands there already is left as it is."""
    before = read(entry.file)
    base = _base(entry) if before is None else None
    text = before if before is not None else str(base)
    made = _FORMS[entry.form](entry, text)
    if "\r\n" in text:
        made = Insertion(made.at, made.text.replace("\n", "\r\n"))
    write(entry.file, made.into(text))
    return Done(str(entry.file), entry.form, entry.path, made.text, base)


def take_out(done: Done) -> str:
    """Take an entry out again; give what happened, in a word or two."""
    path = Path(done.file)
    text = read(path)
    if text is None:
        return "was gone already"
    rest = rest_of(done, text)
    if done.base is not None and rest == done.base:
        _remove(path)
        return "removed"
    if rest == text:
        return "was gone already"
    write(path, rest)
    return "taken out"


def rest_of(done: Done, text: str) -> str:
    """Give a file's text without an entry; what was written last comes out first.

    Where a person changed the entry itself, it is found by its place.
    """
    if text.count(done.text) == 1:
        return text.replace(done.text, "")
    return _without(done, text)


def read(path: Path) -> str | None:
    """Give a file's text as it is, None where there is none."""
    if not path.exists():
        return None
    with file_errors(path):
        data = path.read_bytes()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FormatError(str(path), [("", f"byte {error.start}: not UTF-8")]) from None


def write(path: Path, text: str) -> None:
    """Write a file of somebody's: through links, and with the rights that it had."""
    target = path.resolve()
    mode = target.stat().st_mode & 0o7777 if target.exists() else None
    write_file(target, text.encode("utf-8"))
    if mode is not None:
        target.chmod(mode)


def _remove(path: Path) -> None:
    with file_errors(path):
        path.unlink()
        for folder in list(path.parents)[:2]:
            if any(folder.iterdir()) or not folder.name.startswith("."):
                break
            folder.rmdir()


def _base(entry: Entry) -> str:
    if entry.form not in (JSON, LISTED):
        return ""
    return json.dumps(dict(entry.head), indent=2) + "\n"


def _json(entry: Entry, text: str) -> Insertion:
    if jsonc.value_at(text or "{}", str(entry.file), entry.path) is not None:
        raise _taken(entry)
    return jsonc.insertion(text, str(entry.file), entry.path, entry.value)


def _listed(entry: Entry, text: str) -> Insertion:
    there = jsonc.value_at(text, str(entry.file), entry.path)
    value = entry.value if there is not None else [entry.value]
    return jsonc.insertion(text, str(entry.file), entry.path, value)


def _toml(entry: Entry, text: str) -> Insertion:
    known = _parsed(entry, text)
    for key in entry.path:
        known = known.get(key, {}) if isinstance(known, dict) else {}
    if known:
        raise _taken(entry)
    made = _fenced(TOML, text, table_of(entry))
    _parsed(entry, made.into(text))
    return made


def table_of(entry: Entry) -> str:
    """Give an entry as tables of TOML."""
    return "\n".join(_tables(entry.path, entry.value))


def _parsed(entry: Entry, text: str) -> Json:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FormatError(str(entry.file), [("", str(error))]) from error


def _tables(path: tuple[str, ...], value: Mapping[str, Json]) -> list[str]:
    """Give a table in TOML, and the tables in it after it."""
    plain = {key: one for key, one in value.items() if not isinstance(one, dict)}
    lines = [f"[{'.'.join(map(_key, path))}]"]
    lines += [f"{_key(key)} = {_plain(one)}" for key, one in plain.items()]
    for key, one in value.items():
        if key not in plain:
            lines += _tables((*path, key), one)
    return lines


def _key(name: str) -> str:
    bare = name.replace("-", "").replace("_", "")
    return name if bare.isascii() and bare.isalnum() else _plain(name)


def _plain(value: Json) -> str:
    """Give texts, numbers, booleans and lists of them, which are JSON's in TOML."""
    return json.dumps(value, ensure_ascii=False)


def _block(entry: Entry, text: str) -> Insertion:
    if _FENCES[BLOCK][0] in text:
        raise _taken(entry)
    return _fenced(BLOCK, text, str(entry.value).strip())


def _fenced(form: str, text: str, body: str) -> Insertion:
    begin, end = _FENCES[form]
    before = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    return Insertion(len(text), f"{before}{begin}\n{body}\n{end}\n")


def _whole(entry: Entry, text: str) -> Insertion:
    if text:
        raise _taken(entry)
    return Insertion(0, str(entry.value))


_FORMS: Mapping[str, Callable[[Entry, str], Insertion]] = {
    JSON: _json,
    LISTED: _listed,
    TOML: _toml,
    BLOCK: _block,
    WHOLE: _whole,
}


def _taken(entry: Entry) -> UsageError:
    where = f" at {'.'.join(entry.path)}" if entry.path else ""
    return UsageError(
        f"{entry.file} has an entry of ours{where} that this program did not write",
        hint="Remove it by hand, or compare it with `experience-pack host print`.",
    )


def _without(done: Done, text: str) -> str:
    """Give a text without an entry that was changed since, found by its place."""
    if done.form in _FENCES:
        begin, end = _FENCES[done.form]
        head, found, rest = text.partition(begin)
        return head + rest.partition(f"{end}\n")[2] if found else text
    return jsonc.without(text, done.file, done.path) if done.form == JSON else text
