"""The package for `asyncio`: the calls run in threads, so that the loop goes on.

The threads share the connections of the server. A task that is cancelled does not end its request.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any, TypeVar

from ._dataset import Dataset
from ._domain import Domain
from ._feed import Event
from ._values import Array

T = TypeVar('T')


class AsyncDomain:
    """A domain for `asyncio`: `AsyncDomain(server.open(path))`. Each method is that of `Domain` or `Dataset`."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain

    async def get(self, path: str) -> Any:
        """The object at a path, its description included; `NotFoundError` if it is not there."""
        return await asyncio.to_thread(self.domain.__getitem__, path)

    async def read(self, dataset: Dataset | str, selection: Any = ...) -> Array:
        """The elements of a selection, an array also where it is of one."""
        return (await self.read_many([(dataset, selection)]))[0]

    async def read_many(self, items: Sequence[tuple[Dataset | str, Any]]) -> list[Array]:
        return await asyncio.to_thread(self.domain.read_many, items)

    async def write(self, dataset: Dataset | str, selection: Any, value: Any) -> None:
        await self.write_many([(dataset, selection, value)])

    async def write_many(self, items: Sequence[tuple[Dataset | str, Any, Any]]) -> None:
        await asyncio.to_thread(self.domain.write_many, items)

    async def append(self, dataset: Dataset, values: Any, axis: int = 0) -> None:
        await asyncio.to_thread(dataset.append, values, axis)

    async def append_many(self, items: Sequence[tuple[Dataset | str, Any]]) -> None:
        await asyncio.to_thread(self.domain.append_many, items)

    def iter_batches(self, dataset: Dataset, batch: int = 256, **options: Any) -> AsyncIterator[Array]:
        return _in_thread(dataset.iter_batches(batch, **options))

    def follow(self, h5path: str | None = None, since: str | None = None) -> AsyncIterator[Event]:
        return _in_thread(self.domain.follow(h5path, since))


async def _in_thread(items: Iterator[T]) -> AsyncIterator[T]:
    end: Any = object()
    while (item := await asyncio.to_thread(lambda: next(items, end))) is not end:
        yield item
