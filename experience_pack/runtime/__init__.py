"""The runtime: encode, match, gate, run, feedback."""

from __future__ import annotations
