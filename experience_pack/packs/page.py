"""One HTML file that is a page and a pack: the pack stands in one block of the page.

The block is an inert `<script type="application/json">` whose text holds nothing but
ASCII letters, digits and a few signs, so nothing in it can end the element. Reading
takes the text between the one marker and the next end tag; no HTML is parsed.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from pathlib import Path

from experience_pack.errors import DigestError, FormatError, RefusedError
from experience_pack.formats.canonical import digest
from experience_pack.formats.strict_json import loads
from experience_pack.formats.versions import header, upgraded
from experience_pack.model import Json
from experience_pack.packs.archive import archive_files, write_archive
from experience_pack.packs.layout import HINT, MOST_BYTES, Files

BEGIN = '<script type="application/json" data-experience-pack>'
END = "</script>"

LARGEST_PAGE = 300_000_000
MOST_RATIO = 100
"""Times its size that a block may grow: packs grow threefold, one of nothing but
repetition fiftyfold, a bomb a thousandfold."""

_STARTS = (b"<!doctype html", b"<html")
_LEVEL = 6
_PIECE = 1 << 20


def is_page(start: bytes) -> bool:
    """Tell whether a file that begins so is a web page."""
    return start.removeprefix(b"\xef\xbb\xbf").lstrip().lower().startswith(_STARTS)


def page_block(files: Files) -> str:
    """Give the element by which a page is the pack with these files, too."""
    archive = write_archive(files)
    squeezed = _deflated(archive, _LEVEL)
    if len(archive) > MOST_RATIO * len(squeezed):
        squeezed = _deflated(archive, 0)
    document = {
        **header("page"),
        "size": len(archive),
        "archive": b64encode(squeezed).decode("ascii"),
    }
    return f"{BEGIN}{_written({**document, 'digest': digest(document)})}{END}"


def read_page(path: Path) -> Files:
    """Give the files of the pack that a page is, as unverified as those of an archive.

    A page that is no pack is a `FormatError`, a changed block a `DigestError`, two
    blocks or one that grows too much a `RefusedError`.
    """
    if path.stat().st_size > LARGEST_PAGE:
        raise RefusedError(f"{path.name} is larger than {LARGEST_PAGE:,} bytes")
    text = path.read_bytes()
    start, end = _place(text, path.name)
    return archive_files(_archive(text[start:end], path.name), path.name)


def with_block(page: bytes, files: Files, subject: str) -> bytes:
    """Give a page with another pack in place of the one that it is."""
    start, end = _place(page, subject)
    start -= len(BEGIN)
    return page[:start] + page_block(files).encode() + page[end + len(END) :]


def _place(page: bytes, subject: str) -> tuple[int, int]:
    """Give where the text of the block begins and ends."""
    marker = BEGIN.encode()
    count = page.count(marker)
    if not count:
        raise FormatError(
            subject,
            [("", "this is a web page, and no pack is in it")],
            hint="`experience-pack snapshot --pack NAME` writes pages that are packs.",
        )
    if count > 1:
        text = f"{subject} holds {count} packs; which one is meant cannot be told"
        raise RefusedError(text, hint=HINT)
    start = page.index(marker) + len(marker)
    end = page.find(END.encode(), start)
    if end < 0:
        raise FormatError(subject, [("", "its pack is cut short")], hint=HINT)
    return start, end


def _archive(block: bytes, subject: str) -> bytes:
    document = upgraded(loads(block, subject), "page", subject)
    unsigned = {key: value for key, value in document.items() if key != "digest"}
    if (
        digest(unsigned) != document.get("digest")
        or _written(document).encode() != block
    ):
        raise DigestError(f"{subject}: its pack was changed after it was made")
    try:
        squeezed = b64decode(document["archive"], validate=True)
    except (KeyError, TypeError, Base64Error, ValueError) as error:
        fault = ("archive", "expected base64")
        raise FormatError(subject, [fault], hint=HINT) from error
    return _inflated(squeezed, document.get("size"), subject)


def _deflated(data: bytes, level: int) -> bytes:
    return zlib.compress(data, level, wbits=-zlib.MAX_WBITS)


def _inflated(squeezed: bytes, size: Json, subject: str) -> bytes:
    """Inflate piece by piece, and no further than the size that is stated."""
    if type(size) is not int or not 0 <= size <= MOST_BYTES * 2:
        raise FormatError(subject, [("size", "expected a size in bytes")], hint=HINT)
    if size > MOST_RATIO * len(squeezed):
        raise RefusedError(f"{subject}: its pack grows too much", hint=HINT)
    stream = zlib.decompressobj(wbits=-zlib.MAX_WBITS)
    try:
        found = stream.decompress(squeezed, size + 1)
    except zlib.error as error:
        raise RefusedError(f"{subject}: its pack is damaged", hint=HINT) from error
    if len(found) != size or not stream.eof or stream.unused_data:
        raise RefusedError(f"{subject}: its pack is not of the stated size", hint=HINT)
    return found


def _written(document: Json) -> str:
    return json.dumps(document, separators=(",", ":"), sort_keys=True)
