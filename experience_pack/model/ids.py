"""Identities: random for what is new, derived for what is copied."""

from __future__ import annotations

import base64
import hashlib
import secrets

_LENGTH = 26  # 130 bits in base 32


def new_id(prefix: str = "exp") -> str:
    """Give a fresh random id such as `exp_3f…` (26 base-32 characters)."""
    return f"{prefix}_{_base32(secrets.token_bytes(17))}"


def derived_id(prefix: str, *parts: str) -> str:
    """Give the same id for the same parts, as two remaps of one pack must."""
    joined = "\x00".join(parts).encode("utf-8")
    return f"{prefix}_{_base32(hashlib.sha256(joined).digest())}"


def short_id(identity: str) -> str:
    """Give eight safe characters of an id: its own if it is ours, else a hash."""
    body = identity.removeprefix("exp_")
    if len(body) == _LENGTH and body.isascii() and body.isalnum() and body.islower():
        return body[:8]
    return _base32(hashlib.sha256(identity.encode("utf-8", "surrogatepass")).digest())[
        :8
    ]


def _base32(data: bytes) -> str:
    return base64.b32encode(data).decode("ascii").lower()[:_LENGTH]
