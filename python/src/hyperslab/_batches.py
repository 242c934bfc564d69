"""Batches of rows for training, read ahead of their use."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np

from ._values import Array

if TYPE_CHECKING:
    from ._dataset import Dataset

Batch = tuple[Array, ...]


def iter_batches(
    datasets: Sequence[Dataset], batch: int = 256, *, shuffle: bool = False, seed: int | None = None, ahead: int = 2
) -> Iterator[Batch]:
    """Tuples with an array of `batch` rows of each dataset, the same rows of all; the last may be shorter.

    Each batch is one request; `ahead` of them are read while the program works. `shuffle` takes the rows in an order
    that `seed` repeats. The datasets belong to one domain and have as many rows.
    """
    domain, rows = datasets[0].domain, len(datasets[0])
    for dataset in datasets:
        if len(dataset) != rows or dataset.domain is not domain:
            raise ValueError('the datasets of a batch have as many rows and belong to one opened domain')
    if batch < 1 or ahead < 1:
        raise ValueError('batch and ahead are 1 or more')
    order = np.random.default_rng(seed).permutation(rows) if shuffle else None

    def read(start: int) -> Batch:
        # Rows in order are read faster: their places in the batch are given back.
        if order is None:
            return tuple(domain.read_many([(d, slice(start, start + batch)) for d in datasets]))
        chosen = order[start : start + batch]
        places = np.argsort(chosen)
        arrays = domain.read_many([(d, chosen[places]) for d in datasets])
        back = np.argsort(places)
        return tuple(array[back] for array in arrays)

    pool = ThreadPoolExecutor(ahead, 'hyperslab-batches')
    waiting: deque[Future[Batch]] = deque()
    try:
        for start in range(0, rows, batch):
            waiting.append(pool.submit(read, start))
            if len(waiting) > ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
