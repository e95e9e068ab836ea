"""Small tables that keep one record a row as canonical JSON."""

from __future__ import annotations

from typing import Generic, TypeVar

from experience_pack.formats.canonical import canonical
from experience_pack.formats.strict_json import loads
from experience_pack.model import Record

R = TypeVar("R", bound=Record)


class Codec(Generic[R]):
    """Turn a record into the text of a `data` column and back."""

    def __init__(self, kind: type[R]) -> None:
        self._kind = kind

    def write(self, record: R) -> str:
        """Give the canonical JSON of a record."""
        return canonical(record.to_dict())

    def read(self, text: str) -> R:
        """Give the record again."""
        return self._kind.from_dict(loads(text, self._kind.__name__))
