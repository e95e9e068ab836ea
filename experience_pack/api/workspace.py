"""`Workspace`: a project's `.experience/` folder as hosts know it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from experience_pack.api.runtime import ExperienceRuntime
from experience_pack.workspace.folder import create, open_folder
from experience_pack.workspace.mirror import sync


class Workspace:
    """The workspace for a directory; `init` makes one that is not there yet."""

    def __init__(self, directory: str | Path = ".") -> None:
        """Name a directory; the workspace is the nearest at or above it."""
        self.directory = Path(directory)

    def init(self) -> Path:
        """Make the workspace, or complete it; give its folder."""
        folder = create(self.directory)
        folder.close()
        return folder.path

    def sync(self) -> list[dict[str, Any]]:
        """Take in edited cards and write waiting ones; give what was found."""
        with self.runtime() as runtime:
            assert runtime.folder is not None
            findings = sync(runtime.folder).findings
        return [one._asdict() for one in findings]

    def runtime(self, **host: Any) -> ExperienceRuntime:
        """Open its store for a host, whose arguments are `ExperienceRuntime`'s.

        A directory without a workspace is a `NotFoundError`.
        """
        return ExperienceRuntime(open_folder(self.directory), **host)
