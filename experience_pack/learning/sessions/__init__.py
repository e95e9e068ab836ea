"""What hosts write down of their sessions, read into turns."""

from __future__ import annotations
