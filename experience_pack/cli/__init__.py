"""The command line: one file a group; parse, call one function, print."""

from __future__ import annotations
