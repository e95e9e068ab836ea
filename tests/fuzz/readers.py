"""Every reader of bytes that others wrote, and what it may answer with.

A reader gives a value or an error of ours; anything else that it raises is a find. What
it read is written and read once more, where that has to come to the same.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from experience_pack.errors import ExperiencePackError
from experience_pack.formats import card
from experience_pack.formats.strict_json import loads
from experience_pack.hosts.hooks.transcripts import last_prompt
from experience_pack.hosts.mcp.framing import Fault, Frames, message_of
from experience_pack.packs.archive import archive_files
from experience_pack.packs.incoming import incoming_from, incoming_of
from experience_pack.packs.interchange.front_matter import split_front_matter
from experience_pack.packs.layout import MANIFEST
from experience_pack.packs.source import Source, files_of_bundle
from experience_pack.packs.unpacked import fault_of
from experience_pack.text.expressions import evaluate
from experience_pack.text.templates import fill_template
from experience_pack.workspace.sealed import check_sealed

KEPT = Path(__file__).parents[1] / "fixtures" / "versions"
NAMES = {"expense": 1200, "支出": 3.5, "s": "text", "l": [1, "x"], "d": {"k": 1}}


def _card(data: bytes) -> None:
    read = card.parse(data.decode("utf-8", "surrogateescape"))
    written = card.render_experience(read)
    assert card.render_experience(card.parse(written)) == written


def _document(data: bytes) -> None:
    value = loads(data, "document")
    if isinstance(value, dict) and value.get("format") == "bundle":
        incoming_of(files_of_bundle(value, "bundle"))
    else:
        incoming_from(Source({}, value), "document")


def _manifest(data: bytes) -> None:
    incoming_of({MANIFEST: data})


def _archive(data: bytes) -> None:
    incoming_of(archive_files(data, "fuzzed.xpack"))


def _backup(data: bytes) -> None:
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        check_sealed(Path(file.name))


def _objects(data: bytes) -> None:
    assert isinstance(fault_of(data), str)


def _expression(data: bytes) -> None:
    value = evaluate(data.decode("utf-8", "replace"), NAMES)
    assert isinstance(value, (bool, int, float, str, list, tuple, dict, type(None)))


def _template(data: bytes) -> None:
    fill_template(data.decode("utf-8", "replace"), NAMES)


def _frames(data: bytes) -> None:
    frames = Frames()
    middle = len(data) // 2
    parts = (data[:middle], data[middle:])
    found = [one for part in parts for one in frames.feed(part)]
    for one in (*found, *frames.end()):
        answer = one if isinstance(one, Fault) else message_of(one)
        assert isinstance(answer, (Fault, dict))


def _transcript(data: bytes) -> None:
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        for host in ("claude-code", "codex"):
            assert isinstance(last_prompt(host, {"transcript_path": file.name}), str)


def _front_matter(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    assert text.endswith(split_front_matter(text).body)


class Target(NamedTuple):
    """A reader, and texts near which it is tried."""

    read: Callable[[bytes], None]
    seeds: Iterable[bytes]


_PACK = (KEPT / "pack-1.0.json").read_bytes()
_PROMPT = b'{"type":"user","message":{"content":[{"type":"text","text":"\\u6574"}]}}\n'
_ITEM = b'{"payload":{"item":{"type":"UserMessage","content":[{"text":"x"}]}}}\n'
_CALL = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}'

TARGETS: Mapping[str, Target] = {
    "card": Target(_card, [(KEPT / "card-1.0.md").read_bytes()]),
    "bundle": Target(_document, [_PACK, (KEPT / "document-v2.json").read_bytes()]),
    "manifest": Target(_manifest, [_PACK[:4_000]]),
    "archive": Target(_archive, [b"PK\x03\x04" + bytes(26), b"PK\x05\x06" + bytes(18)]),
    "backup": Target(_backup, [b"PK\x03\x04\x14" + bytes(25) + b"backup.json{}"]),
    "git objects": Target(_objects, [b"PACK\0\0\0\2\0\0\0\1\x30x\x9c\3\0\0\0\0\1"]),
    "expression": Target(
        _expression, ["支出 * 2 > 3 and s in 'text'".encode(), b"len(l)", b"d['k']"]
    ),
    "template": Target(_template, [b"{expense} {{x}} {d.k}", "{支出}".encode()]),
    "frame": Target(_frames, [_CALL + b"\n", b"Content-Length: 3\r\n\r\n{}\n"]),
    "transcript": Target(_transcript, [_PROMPT, _ITEM]),
    "front matter": Target(_front_matter, [b"---\nname: x\nl:\n  - a\n---\n# T\n"]),
}


def check(name: str, data: bytes) -> None:
    """Have a reader read bytes; an error of ours is an answer."""
    with suppress(ExperiencePackError):
        TARGETS[name].read(data)
