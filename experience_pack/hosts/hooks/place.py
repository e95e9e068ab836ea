"""Where a workspace's running process can be asked."""

from __future__ import annotations

WORKSPACE = ".experience"
"""The folder of a workspace; a test holds it to `workspace.location`."""

SOCKET = "exp.db-socket"
"""Private socket inside it, named like the store's other companions, so that it is
never committed."""
