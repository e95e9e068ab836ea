"""Whatever is put together of secrets and their beginnings is redacted for good."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from experience_pack.text.redaction import redact

PIECES = [
    "password=",
    "token: ",
    "密码是",
    "Abc12345x",
    "ghp_",
    "sk-",
    "eyJ",
    ".eyJ",
    "://u:",
    "@h.io",
    "+8613812345678",
    "AKIA",
    "Q7ZP3MXK9TRW2LHV",
    "/home/bob",
    "‹",
    "›",
    "‹secret:jwt›",
    "-----BEGIN PRIVATE KEY-----",
    "-----END",
    "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8",
    " ",
    "\n",
    '"',
    "'",
    "-",
    "=",
    ":",
]

texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=14).map(
    "".join
)


@given(texts)
def test_redacting_twice_is_redacting_once(text: str) -> None:
    once = redact(text).text
    assert redact(once).text == once


@given(texts)
def test_findings_are_apart_and_inside_the_text(text: str) -> None:
    place = 0
    for one in redact(text).found:
        assert place <= one.start < one.end <= len(text)
        place = one.end
