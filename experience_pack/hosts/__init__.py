"""Doors for others: MCP, hooks, gateway, installers."""

from __future__ import annotations
