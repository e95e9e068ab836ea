from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from experience_pack.errors import (
    DigestError,
    FormatError,
    RefusedError,
    StorageError,
)
from experience_pack.packs.destination import write_pack
from experience_pack.packs.layout import SIGNATURES, Files
from experience_pack.packs.signing import (
    MOST_SIGNATURES,
    Signature,
    require,
    sign,
    signatures,
)
from experience_pack.packs.source import read_source

EXAMPLE = Path(__file__).parents[2] / "examples" / "packs" / "office-zh"


@pytest.fixture
def files() -> Files:
    return read_source(EXAMPLE).files


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "key"
    words = ["-q", "-t", "ed25519", "-N", "", "-C", "ann", "-f", str(path)]
    subprocess.run(["ssh-keygen", *words], check=True)
    return path


@pytest.fixture
def signers(key: Path) -> Path:
    path = key.with_name("signers")
    path.write_text(f"ann {key.with_suffix('.pub').read_text('utf-8')}", "utf-8")
    return path


@pytest.mark.parametrize("form", ["pack", "pack.xpack", "pack.json"])
def test_a_signature_comes_through_every_form_of_a_pack(
    form: str, files: Files, key: Path, signers: Path, tmp_path: Path
) -> None:
    write_pack(sign(files, key)[1], tmp_path / form)
    found = read_source(tmp_path / form).files

    assert signatures(found, signers) == (Signature("ann", "good"),)


def test_signing_leaves_every_other_file_as_it_was(files: Files, key: Path) -> None:
    _, signed = sign(files, key)

    assert {path for path in signed if signed[path] != files.get(path)} == {
        f"{SIGNATURES}ann.sig"
    }


def test_every_changed_byte_of_a_signature_is_noticed(
    files: Files, key: Path, signers: Path
) -> None:
    path = f"{SIGNATURES}ann.sig"
    _, signed = sign(files, key)
    whole = signed[path]
    first, last = whole.index(b"\n") + 1, whole.rindex(b"\n-----END")
    for at in range(first, last - 4, 16):
        other = b"A" if whole[at : at + 1] != b"A" else b"B"
        broken = {**signed, path: whole[:at] + other + whole[at + 1 :]}

        assert signatures(broken, signers)[0].state != "good"


def test_a_signature_for_another_purpose_does_not_count(
    files: Files, key: Path, signers: Path
) -> None:
    words = ["ssh-keygen", "-Y", "sign", "-f", str(key), "-n", "git"]
    made = subprocess.run(
        words, input=files["pack.json"], capture_output=True, check=True
    )
    signed = {**files, f"{SIGNATURES}ann.sig": made.stdout}

    assert signatures(signed, signers) == (Signature("ann", "invalid"),)


@pytest.mark.parametrize("name", ["evil.exe", "-f.sig", "a/b.sig", "ann*.sig", ".sig"])
def test_a_file_that_is_no_signature_is_refused(name: str, files: Files) -> None:
    with pytest.raises(FormatError, match="is no signature"):
        signatures({**files, f"{SIGNATURES}{name}": b""})


def test_more_signatures_than_anybody_needs_are_refused(files: Files) -> None:
    many = {f"{SIGNATURES}s{at}.sig": b"" for at in range(MOST_SIGNATURES + 1)}

    with pytest.raises(RefusedError, match="33 signatures"):
        signatures({**files, **many})


def test_an_invalid_signature_fails_even_where_none_is_asked_for() -> None:
    with pytest.raises(DigestError, match="ann: the signature does not fit"):
        require([Signature("ann", "invalid")], known=False)


def test_without_ssh_keygen_the_error_says_what_is_missing(
    files: Files, key: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(StorageError, match="ssh-keygen is not installed"):
        sign(files, key)
