"""The server's side of a pipe: frames in, frames out, and nothing else ever."""

from __future__ import annotations

import json
import os
import select
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from experience_pack.hosts.mcp.framing import (
    INVALID_REQUEST,
    Fault,
    Frames,
    framed,
    message_of,
)

_CHUNK = 1 << 16

_AT_ONCE = select.PIPE_BUF
"""Bytes that a pipe which is ready takes without making us wait (POSIX)."""

_DRAIN_SECONDS = 5.0
"""How long answers may still take after the other side has closed its end."""

Incoming = MemoryObjectReceiveStream[SessionMessage | Exception]
Outgoing = MemoryObjectSendStream[SessionMessage]


class Pipe:
    """Messages over two descriptors, in the framing in which the client speaks.

    `spoken` is set as soon as the first of ours went out.
    """

    def __init__(self, reading: int, writing: int) -> None:
        self._reading = reading
        self._writing = writing
        self._frames = Frames()
        self._turn = anyio.Lock()
        self._unanswered: set[int | str] = set()
        self._answered = anyio.Event()
        self.spoken = anyio.Event()

    @asynccontextmanager
    async def streams(self) -> AsyncIterator[tuple[Incoming, Outgoing]]:
        """Give what came in, and take what goes out, until the block ends."""
        to_server, incoming = anyio.create_memory_object_stream[
            SessionMessage | Exception
        ](0)
        outgoing, from_server = anyio.create_memory_object_stream[SessionMessage](0)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._read, to_server)
            tasks.start_soon(self._write, from_server)
            yield incoming, outgoing
            tasks.cancel_scope.cancel()

    async def _read(
        self, to_server: MemoryObjectSendStream[SessionMessage | Exception]
    ) -> None:
        async with to_server:
            while data := await anyio.to_thread.run_sync(
                os.read, self._reading, _CHUNK, abandon_on_cancel=True
            ):
                for frame in self._frames.feed(data):
                    await self._take(frame, to_server)
            for frame in self._frames.end():
                await self._take(frame, to_server)
            await self._drained()

    async def _take(
        self,
        frame: bytes | Fault,
        to_server: MemoryObjectSendStream[SessionMessage | Exception],
    ) -> None:
        message = frame if isinstance(frame, Fault) else _read_message(frame)
        if isinstance(message, Fault):
            await self._send(_encoded(message.reply()))
            return
        if isinstance(message, types.JSONRPCRequest):
            self._unanswered.add(message.id)
        elif isinstance(message, types.JSONRPCNotification):
            self._settle_cancelled(message)
        await to_server.send(SessionMessage(message))

    async def _write(
        self, from_server: MemoryObjectReceiveStream[SessionMessage]
    ) -> None:
        async with from_server:
            async for one in from_server:
                message = one.message
                text = message.model_dump_json(by_alias=True, exclude_unset=True)
                await self._send(text.encode("utf-8"))
                if isinstance(message, types.JSONRPCResponse | types.JSONRPCError):
                    self._settle(message.id)
                self.spoken.set()

    def _settle(self, identity: int | str | None) -> None:
        self._unanswered.discard(identity if identity is not None else "")
        if not self._unanswered:
            self._answered.set()

    def _settle_cancelled(self, message: types.JSONRPCNotification) -> None:
        """Wait no longer for a request that was called off: it gets no answer."""
        if message.method == "notifications/cancelled":
            identity = (message.params or {}).get("requestId")
            if isinstance(identity, int | str):
                self._settle(identity)

    async def _drained(self) -> None:
        """Wait until everything that was asked has been answered."""
        with anyio.move_on_after(_DRAIN_SECONDS):
            while self._unanswered:
                self._answered = anyio.Event()
                await self._answered.wait()

    async def _send(self, message: bytes) -> None:
        data = framed(message, headed=self._frames.headed)
        async with self._turn:
            if len(data) <= _AT_ONCE and select.select([], [self._writing], [], 0)[1]:
                os.write(self._writing, data)
            else:
                await anyio.to_thread.run_sync(_write_all, self._writing, data)


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _read_message(frame: bytes) -> types.JSONRPCMessage | Fault:
    found = message_of(frame)
    if isinstance(found, Fault):
        return found
    try:
        return types.jsonrpc_message_adapter.validate_python(found, by_name=False)
    except ValidationError:
        return Fault(INVALID_REQUEST, "Invalid request", _id_of(found))


def _id_of(message: dict[str, Any]) -> int | str | None:
    identity: int | str | None = message.get("id")
    return identity


def _encoded(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8")


def own_pipe() -> Pipe:
    """Take the process's standard input and output for messages alone.

    What anything else prints goes to standard error; children read nothing.
    """
    reading, writing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return Pipe(reading, writing)
