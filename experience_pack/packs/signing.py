"""Signatures of a pack: who vouches for the bytes of its `pack.json`.

A signature is in the SSHSIG form (OpenSSH, PROTOCOL.sshsig) and is made and checked
by `ssh-keygen -Y`. Since `pack.json` binds every other file, so does a signature.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple

from experience_pack.errors import (
    DigestError,
    FormatError,
    NotFoundError,
    RefusedError,
    StorageError,
    UsageError,
)
from experience_pack.packs.layout import HINT, MANIFEST, SIGNATURES, Files
from experience_pack.packs.manifest import read_manifest

NAMESPACE = "experience-pack"
"""What a signature is for; one that was made for mail or git does not count here."""

MOST_SIGNATURES = 32  # each costs a process or two, and a stranger chooses how many
_SECONDS = 60.0  # enough to touch a hardware key; a hanging agent ends sometime

# no pattern characters of ssh-keygen(1), "ALLOWED SIGNERS", and a file name anywhere
_PRINCIPAL = re.compile(r"\w[\w.+@-]{0,99}")

STATES = {
    "good": "signed by a known signer",
    "unknown": "fits, but its key is not among the known signers of that name",
    "invalid": "does not fit pack.json",
}
"""What can be said of a signature."""


class Signature(NamedTuple):
    """One signature of a pack."""

    principal: str
    """Who it claims to be from."""
    state: str
    """A key of `STATES`."""


def sign(files: Files, key: Path, principal: str = "") -> tuple[str, Files]:
    """Give the principal and the files of a pack with its signature by a key.

    Without a principal the comment of the public key beside it is taken. A pack
    whose files do not fit its manifest is a `DigestError` and is not signed.
    """
    read_manifest(files)
    if not key.is_file():
        raise NotFoundError(f"there is no key at {key}")
    who = principal or _comment_of(key)
    if not _PRINCIPAL.fullmatch(who):
        raise UsageError(
            f"{who!r} cannot name a signer",
            hint="Name one with --as, such as an address: letters, digits, . + @ -",
        )
    arguments = ["-Y", "sign", "-f", str(key.absolute()), "-n", NAMESPACE]
    done = _ssh_keygen(arguments, files[MANIFEST])
    if done.returncode:
        raise UsageError(f"the key did not sign: {_said(done)}")
    return who, {**files, f"{SIGNATURES}{who}.sig": done.stdout}


def signatures(files: Files, signers: Path | None = None) -> tuple[Signature, ...]:
    """Give every signature of a pack with what it is worth, by principal.

    `signers` is a file of allowed signers (ssh-keygen(1), "ALLOWED SIGNERS");
    without one no signer is known. More than `MOST_SIGNATURES` are refused.
    """
    if signers is not None and not signers.is_file():
        raise NotFoundError(f"there is no file of allowed signers at {signers}")
    paths = sorted(path for path in files if path.startswith(SIGNATURES))
    if len(paths) > MOST_SIGNATURES:
        text = f"{len(paths)} signatures; at most {MOST_SIGNATURES} are looked at"
        raise RefusedError(text, hint=HINT)
    return tuple(
        _judged(_principal_of(path), files[path], files[MANIFEST], signers)
        for path in paths
    )


def require(
    found: Sequence[Signature], *, known: bool, required: Collection[str] = ()
) -> None:
    """Refuse a pack whose signatures do not suffice; the `DigestError` names each.

    An invalid signature never passes. The `required` signers all have to be good;
    with none required but signers `known`, there has to be a signature and every
    one has to be of a known signer.
    """
    good = {one.principal for one in found if one.state == "good"}
    bad = ("invalid", "unknown") if known and not required else ("invalid",)
    faults = [
        f"{one.principal}: the signature {STATES[one.state]}"
        for one in found
        if one.state in bad or (one.state == "unknown" and one.principal in required)
    ]
    named = {one.principal for one in found}
    faults += [f"{who}: has not signed it" for who in required if who not in named]
    if known and not (good or faults):
        faults.append("nobody has signed it")
    if faults:
        raise DigestError("not signed as it has to be\n  " + "\n  ".join(faults))


def _comment_of(key: Path) -> str:
    public = key if key.suffix == ".pub" else key.with_name(f"{key.name}.pub")
    try:
        words = public.read_text("utf-8").split(None, 2)
    except (OSError, UnicodeDecodeError):
        return ""
    return words[2].strip() if len(words) > 2 else ""


def _principal_of(path: str) -> str:
    principal = path.removeprefix(SIGNATURES).removesuffix(".sig")
    if not (path.endswith(".sig") and _PRINCIPAL.fullmatch(principal)):
        fault = "is no signature; expected signatures/NAME.sig"
        raise FormatError(path, [("", fault)], hint=HINT)
    return principal


def _judged(
    principal: str, signature: bytes, signed: bytes, signers: Path | None
) -> Signature:
    with tempfile.TemporaryDirectory(prefix="experience-pack-") as folder:
        file = Path(folder, "signature")
        file.write_bytes(signature)
        shared = ["-n", NAMESPACE, "-s", str(file)]
        fits = _ssh_keygen(["-Y", "check-novalidate", *shared], signed)
        if fits.returncode:
            return Signature(principal, "invalid")
        if signers is None:
            return Signature(principal, "unknown")
        asked = ["-f", str(signers.absolute()), "-I", principal]
        known = _ssh_keygen(["-Y", "verify", *asked, *shared], signed)
        return Signature(principal, "unknown" if known.returncode else "good")


_KEPT = ("PATH", "SYSTEMROOT", "HOME", "SSH_AUTH_SOCK", "SSH_ASKPASS", "DISPLAY")
"""Of the environment: where programs are, and how a key is unlocked."""


def _ssh_keygen(
    arguments: Sequence[str], stdin: bytes
) -> subprocess.CompletedProcess[bytes]:
    """Run ssh-keygen on bytes; that it says no is for the caller to judge."""
    try:
        return subprocess.run(  # noqa: S603  # fixed words, no shell
            ["ssh-keygen", *arguments],  # noqa: S607
            env={key: os.environ[key] for key in _KEPT if key in os.environ},
            input=stdin,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except FileNotFoundError as error:
        raise StorageError(
            "ssh-keygen is not installed, so no signature can be made or checked",
            hint="Install OpenSSH 8.2 or later.",
        ) from error
    except subprocess.TimeoutExpired as error:
        raise StorageError("ssh-keygen did not answer in a minute") from error


def _said(done: subprocess.CompletedProcess[bytes]) -> str:
    return done.stderr.decode("utf-8", "replace").strip()[:500]
