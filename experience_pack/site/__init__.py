"""Pages: templates, the one-file snapshot, the dashboard."""

from __future__ import annotations
