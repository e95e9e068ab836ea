"""What a workspace asks of packs before it takes them in."""

from __future__ import annotations

from experience_pack.errors import UsageError
from experience_pack.packs.layout import Files
from experience_pack.packs.signing import Signature, require, signatures
from experience_pack.workspace.folder import Folder

SIGNERS = "trust.signers"
REQUIRED = "trust.required"


def check_trusted(folder: Folder, files: Files) -> tuple[Signature, ...]:
    """Give the good signatures of a pack that the workspace's settings ask for.

    A pack that is not signed as they ask is a `DigestError`; settings that name
    signers, but no file to know them by, are a `UsageError`. What has no files (the
    document's format) cannot be signed, and is refused where signatures are asked.
    """
    required = [one.strip() for one in str(folder.config[REQUIRED]).split(",")]
    required = [one for one in required if one]
    name = str(folder.config[SIGNERS])
    if not (name or required):
        return ()
    if not name:
        raise UsageError(
            f"{REQUIRED} names signers, but {SIGNERS} no file to know them by",
            hint=f"`experience-pack config set {SIGNERS} allowed_signers`",
        )
    found = signatures(files, folder.path / name)
    require(found, known=True, required=required)
    return tuple(one for one in found if one.state == "good")
