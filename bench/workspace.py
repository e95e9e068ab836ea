"""A filled workspace, and the same experiences as the anchors read them."""

from __future__ import annotations

import json
from pathlib import Path

from bench import data
from experience_pack.store import experiences, standings
from experience_pack.workspace.folder import Folder, create, open_folder
from experience_pack.workspace.mirror import drain, sync


class Filled:
    """A workspace below `root` with `size` experiences; a third has standing."""

    def __init__(self, root: Path, size: int) -> None:
        self.project = root / "filled"
        self._records = root / "records.jsonl"
        self.project.mkdir()
        folder = create(self.project)
        with folder.store.transaction() as tx:
            experiences.save_all(tx, data.experiences(size))
            mine = folder.store.installation
            rows = [((mine, one), standing) for one, standing in data.standings(size)]
            standings.put_all(tx, rows)
        drain(folder)
        sync(folder)  # reads once more what was written a moment ago
        folder.close()
        with self._records.open("w", encoding="utf-8") as file:
            for one in data.experiences(size):
                file.write(json.dumps(one.to_dict(), ensure_ascii=False) + "\n")

    def open(self) -> Folder:
        """Open the workspace; a run in a fork has to do so for itself."""
        return open_folder(self.project)

    def lines(self) -> list[bytes]:
        """Give every experience as a line of JSON."""
        return self._records.read_bytes().splitlines()
