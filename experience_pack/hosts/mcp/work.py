"""Tools at work: on the open store at once, or beside it where they take long."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import anyio

from experience_pack.hosts.mcp.tool import Tool, UnattendedRuntime
from experience_pack.model.replies import Model
from experience_pack.model.values import Json

Opener = Callable[[], UnattendedRuntime]
Report = Callable[[int], None]
"""Told the steps of the database so far, in thousands."""

_STEPS = 1_000
"""Steps of the database's machine between two looks at the clock and the caller."""


class Workshop:
    """Opens the workspace when it is first needed, and runs tools on it."""

    def __init__(self, opener: Opener) -> None:
        self._opener = opener
        self._core: UnattendedRuntime | None = None

    def core(self) -> UnattendedRuntime:
        """Give the open runtime; a `NotFoundError` while there is no workspace."""
        if self._core is None:
            self._core = self._opener()
        return self._core

    def close(self) -> None:
        """Close the store, where it was opened."""
        if self._core is not None:
            self._core.close()

    async def run(
        self,
        tool: Tool,
        given: Mapping[str, Any],
        report: Report,
        model: Model | None = None,
    ) -> Json:
        """Call a tool; one that takes long runs on a store of its own, in a thread.

        Only such a one can ask the client's `model`, which answers meanwhile.

        Called off, such a tool stops at its next step, and nothing of it is kept.
        """
        if tool.founds:
            return tool.call(**given)
        if not tool.long:
            return tool.call(self.core(), **given)
        self.core()
        stopped = threading.Event()
        try:
            return await anyio.to_thread.run_sync(
                self._beside,
                tool,
                given,
                _Watch(stopped, report),
                model,
                abandon_on_cancel=True,
            )
        except anyio.get_cancelled_exc_class():
            stopped.set()
            raise

    def _beside(
        self,
        tool: Tool,
        given: Mapping[str, Any],
        watch: _Watch,
        model: Model | None,
    ) -> Json:
        with self._opener() as core:
            core.llm = core.llm or model
            core.store.connection.set_progress_handler(watch, _STEPS)
            try:
                return tool.call(core, **given)
            finally:
                core.store.connection.set_progress_handler(None, _STEPS)


class _Watch:
    """Told by SQLite every few steps; a true answer makes it give up and roll back."""

    def __init__(self, stopped: threading.Event, report: Report) -> None:
        self._stopped = stopped
        self._report = report
        self._steps = 0

    def __call__(self) -> bool:
        self._steps += 1
        with suppress(RuntimeError):  # the loop may be closing
            self._report(self._steps)
        return self._stopped.is_set()
