"""Who has to have signed a pack that is kept to."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from experience_pack.errors import (
    DigestError,
)
from experience_pack.packs import keep
from experience_pack.packs.lock import read_lock
from experience_pack.packs.signing import sign
from experience_pack.packs.source import read_source
from experience_pack.workspace.folder import Folder
from tests.keeping import ONE, add
from tests.packs_at import write


@pytest.fixture
def keys(tmp_path: Path, folder: Folder) -> Path:
    """Keys of two signers, both known here."""
    lines = []
    for who in ("ann", "王工"):
        key = tmp_path / who
        words = ["-q", "-t", "ed25519", "-N", "", "-C", who, "-f", str(key)]
        subprocess.run(["ssh-keygen", *words], check=True)
        lines.append(f"{who} {key.with_suffix('.pub').read_text('utf-8')}")
    (tmp_path / "signers").write_text("".join(lines), "utf-8")
    folder.config.set("trust.signers", "../../signers")
    return tmp_path


def signed(keys: Path, version: str, *who: str) -> Path:
    from experience_pack.packs.destination import write_pack

    source = write(keys / "packs" / "releases.xpack", version, [ONE])
    for one in who:
        write_pack(sign(read_source(source).files, keys / one)[1], source)
    return source


def test_who_signed_is_in_the_lock_and_has_to_sign_on(
    folder: Folder, keys: Path
) -> None:
    add(folder, signed(keys, "1.0.0", "ann"))
    assert read_lock(folder).packs["releases"].signers == ("ann",)
    signed(keys, "1.1.0", "王工")
    with pytest.raises(DigestError, match="was signed by ann") as refused:
        keep.update(folder)
    assert "pack remove releases" in refused.value.hint
    signed(keys, "1.1.0", "ann", "王工")
    keep.update(folder)

    assert read_lock(folder).packs["releases"].signers == ("ann", "王工")


def test_an_unsigned_pack_is_refused_where_signatures_are_asked(
    folder: Folder, keys: Path
) -> None:
    with pytest.raises(DigestError, match="nobody has signed it"):
        add(folder, signed(keys, "1.0.0"))
    folder.config.set("trust.signers", "")
    add(folder, signed(keys, "1.0.0"))
    folder.config.set("trust.signers", "../../signers")
    for action in (keep.update, keep.outdated):
        with pytest.raises(DigestError):
            action(folder)
