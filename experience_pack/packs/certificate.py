"""`certificate.json`: written after a round trip, read and told by whoever imports."""

from __future__ import annotations

from experience_pack.errors import DigestError
from experience_pack.formats.canonical import digest
from experience_pack.formats.strict_json import loads
from experience_pack.formats.versions import header, upgraded
from experience_pack.model import Certificate, Omission, read_record
from experience_pack.packs.layout import CERTIFICATE, HINT, Files
from experience_pack.packs.manifest import encode


def written(certificate: Certificate) -> bytes:
    """Give the file of a certificate, with its own digest."""
    document = {**header("certificate"), **certificate.to_dict()}
    document.pop("digest", None)
    return encode({**document, "digest": digest(document)})


def read_certificate(files: Files) -> Certificate | None:
    """Give the certificate of a pack, None where it has none.

    One that is malformed is a `FormatError`, one that was changed a `DigestError`.
    Whether it is about this pack is for `told` to say.
    """
    if CERTIFICATE not in files:
        return None
    raw = loads(files[CERTIFICATE], CERTIFICATE)
    document = upgraded(raw, "certificate", CERTIFICATE)
    plain = {key: document[key] for key in document if key not in ("format", "version")}
    found = read_record(Certificate, plain, CERTIFICATE)
    unsigned = {key: value for key, value in raw.items() if key != "digest"}
    if digest(unsigned) != found.digest or encode(raw) != files[CERTIFICATE]:
        raise DigestError(f"{CERTIFICATE} was changed after it was made", hint=HINT)
    return found


def told(certificate: Certificate, content_digest: str, pack_digest: str) -> list[str]:
    """Say what a certificate shows of the pack with these digests, a line each.

    The first line is the verdict.
    """
    if (certificate.content_digest, certificate.pack_digest) != (
        content_digest,
        pack_digest,
    ):
        return ["certificate: made for another state of this pack; it proves nothing"]
    lines = [f"  {path} came back otherwise" for path in certificate.differing]
    lines += [_line(one) for one in certificate.omissions]
    if certificate.lossy:
        return ["certificate: a round trip lost something", *lines]
    if lines:
        return ["certificate: nothing lost; left out on purpose:", *lines]
    return ["certificate: nothing lost"]


def _line(one: Omission) -> str:
    name = f"{one.table}.{one.field}" if one.field else one.table
    return f"  {name}, {one.count}: {one.reason or 'LOST, nothing explains it'}"
