"""The viewer on a site: the snapshot as scripts, since `file://` fetches nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from experience_pack.site.catalogue import Catalogue
from experience_pack.site.frame import Frame
from experience_pack.site.inline import script_json
from experience_pack.site.pages import Page
from experience_pack.snapshot.blocks import block_key, divided, pack_rows
from experience_pack.snapshot.document import build_document
from experience_pack.snapshot.row import SnapshotRow

Part = Sequence[SnapshotRow]


class Explored:
    """Gives the snapshot of a catalogue: its document, and a script a block."""

    def __init__(
        self, catalogue: Catalogue, frame: Frame, pages: Sequence[Page]
    ) -> None:
        self._catalogue = catalogue
        self._frame = frame
        self._keys = {page.path: page.key for page in pages}

    def all(self) -> Iterator[Page]:
        """Give the document first, then the blocks that it names."""
        parts = [*divided(self._catalogue.rows, {})]
        files = {part[0].id: self._file_of(part) for part in parts}
        yield self._document(files)
        for part in parts:
            yield self._block(files[part[0].id], part)

    def _document(self, files: Mapping[str, str]) -> Page:
        site = self._catalogue
        path = "assets/snapshot.js"

        def make() -> str:
            document = build_document(
                site.rows,
                title=site.title,
                generated_at=site.changed_at,
                language=site.language,
                decisions=site.decisions,
                activity=site.activity,
                mask_len=site.mask_len,
                filed=lambda part: files[part[0].id],
                stems=True,
            )
            return f"globalThis.EXPERIENCE_SNAPSHOT={script_json(document)};\n"

        facts = [site.changed_at, site.decisions, site.activity, files]
        return Page(path, self._frame.key("", path, facts), make)

    def _block(self, path: str, part: Part) -> Page:
        def make() -> str:
            block = pack_rows(self._catalogue.contents(part), {})
            return f"globalThis.EXPERIENCE_BLOCKS[{json.dumps(path)}]={block!r};\n"

        return Page(path, path, make)

    def _file_of(self, part: Part) -> str:
        """Give where a block stands; another content gives it another name."""
        paths = self._catalogue.paths
        keys = [self._keys[paths[row.id]] for row in part]
        return f"assets/blocks/{block_key(part, keys)}.js"
