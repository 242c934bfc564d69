"""Domains: files of HDF5 in the service, opened as h5py opens files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ._connection import HyperslabError, Json, NotFoundError, Server
from ._dataset import Dataset
from ._feed import Event, follow
from ._group import Group
from ._selections import select
from ._values import Array, Bytes, arrange, decode, encode, join_parts, parse_json, split_parts

_MODES = ('r', 'r+', 'w', 'w-', 'x', 'a')


class Domain(Group):
    """A domain and its root group. `server.open(path, mode)` gives it; it may be used in `with`.

    Nothing is kept open: `close` says only that the program has ended with it. Each write is durable when its call
    returns.
    """

    def __init__(self, server: Server, path: str, root: str, mode: str, state: str | None = None) -> None:
        super().__init__(self, root, '/')
        self.server = server
        self.path = path
        self.mode = mode
        self._state = state

    @classmethod
    def _open(cls, server: Server, path: str, mode: str) -> Domain:
        if mode not in _MODES:
            raise ValueError(f'mode {mode!r} is none of {", ".join(_MODES)}')
        if not path:
            raise ValueError('the path of a domain is not empty: it is one such as /lab/run7.h5')
        parameters = {'domain': path}
        if mode == 'w':
            try:
                server.json('DELETE', '/', parameters)
            except NotFoundError:
                pass
        answer = None
        if mode in ('r', 'r+', 'a'):
            try:
                answer = server.json('GET', '/', parameters)
            except NotFoundError:
                if mode != 'a':
                    raise
        if answer is None:
            answer = server.json('PUT', '/', parameters, {})
        if 'root' not in answer:
            raise HyperslabError(0, 'folder', f'{path} is a folder: Server.list has its contents')
        return cls(server, path, answer['root'], 'r' if mode == 'r' else 'r+')

    def __enter__(self) -> Domain:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Does nothing: a domain has no connection of its own. `Server.close` closes those of all."""

    def __repr__(self) -> str:
        return f'<hyperslab domain {self.path!r} (mode {self.mode})>'

    def send(
        self, method: str, path: str, parameters: Mapping[str, Any] | None = None, body: Json = None, **options: Any
    ) -> Json:
        """Sends a request about this domain, in the hsds dialect, and gives the JSON of the answer."""
        self._check_mode(method, options.get('reads'))
        return self.server.json(
            method, path, {'domain': self.path, **(parameters or {})}, body, self._headers(), **options
        )

    def _check_mode(self, method: str, reads: bool | None) -> None:
        if self.mode == 'r' and method != 'GET' and not reads:
            raise HyperslabError(0, 'read-only', f"{self.path} was opened with mode 'r', which does not write")

    def _headers(self) -> dict[str, str]:
        return {} if self._state is None else {'If-State': self._state}

    @property
    def state(self) -> str:
        """The present state of the domain, another text after every change of anything in it."""
        return str(self.server.json('GET', '/', {'domain': self.path})['state'])

    def at(self, state: str) -> Domain:
        """The same domain, whose requests require a state: `HyperslabError` 412 `state-changed` after any change."""
        return Domain(self.server, self.path, self.id, self.mode, state)

    def read_many(self, items: Sequence[tuple[Dataset | str, Any]]) -> list[Array]:
        """Arrays of `(dataset, selection)`, all as of one moment, with one request of at most 10,000 items.

        A dataset is an object or a path; a selection is what stands in brackets: `(dataset, np.s_[3, :10])`, or `...`.
        """
        chosen = []
        for dataset, key in self._datasets(items):
            selection = select(dataset.shape, key)
            chosen.append((dataset, selection, dataset._dtype_of(selection)))
        wanted = [{'id': d.id, **s.item} for d, s, _ in chosen if not s.is_empty]
        parts: Iterator[tuple[bytes, memoryview]] = iter(())
        if wanted:
            self._check_mode('POST', True)
            parts = split_parts(*self._post_values(wanted))
        arrays = []
        for _, selection, dtype in chosen:
            if selection.is_empty:
                arrays.append(decode(memoryview(b''), dtype, selection.shape))
                continue
            kind, data = next(parts)
            if kind == b'application/octet-stream':
                arrays.append(decode(data, dtype, selection.shape))
            else:
                arrays.append(parse_json(json.loads(data.tobytes()), dtype, selection.shape))
        return arrays

    def _post_values(self, items: list[Json]) -> tuple[bytes, str]:
        headers = {'Content-Type': 'application/json', 'Accept': 'multipart/mixed', **self._headers()}
        body = json.dumps({'values': items}).encode()
        answer = self.server.request('POST', '/values', {'domain': self.path}, body, headers, reads=True)
        return answer.data, answer.headers['Content-Type']

    def write_many(self, items: Sequence[tuple[Dataset | str, Any, Any]]) -> None:
        """Writes `(dataset, selection, value)`, all or none, in one transaction of at most 10,000 items.

        A value broadcasts to its selection, as in NumPy. Of a dataset that occurs twice the later item counts.
        """
        entries, bodies = [], []
        for (dataset, key), (_, _, value) in zip(self._datasets([i[:2] for i in items]), items, strict=True):
            selection = select(dataset.shape, key)
            if selection.is_empty:
                continue
            dtype = dataset._dtype_of(selection)
            entry, body = self._encode_item(dataset, selection.item, dtype, value, selection.shape)
            entries.append(entry)
            bodies.append(body)
        self._put_values(entries, bodies)

    def append_many(self, items: Sequence[tuple[Dataset | str, Any]]) -> None:
        """Appends `(dataset, values)` along dimension 0, all or none, in one transaction: a frame and its time."""
        entries, bodies, datasets = [], [], []
        for (dataset, _), (_, values) in zip(self._datasets([(d, ...) for d, _ in items]), items, strict=True):
            entry, body = dataset._append_item(values, 0)
            if entry['append'] == 0:
                continue
            entries.append(entry)
            bodies.append(body)
            datasets.append(dataset)
        self._put_values(entries, bodies)
        for dataset in datasets:
            dataset._has_grown = True

    @staticmethod
    def _encode_item(
        dataset: Dataset, members: Json, dtype: Any, value: Any, shape: tuple[int, ...]
    ) -> tuple[Json, Bytes]:
        array = arrange(value, dtype, shape)
        entry: dict[str, Json] = {'id': dataset.id, **members}
        if array.size == 1 and array.shape != shape and dtype.subdtype is None:
            entry['element_count'] = 1
        return entry, encode(array, dtype)

    def _put_values(self, entries: list[Json], bodies: list[Bytes]) -> None:
        if not entries:
            return
        self._check_mode('PUT', None)
        body, content_type = join_parts(entries, bodies)
        headers = {'Content-Type': content_type, **self._headers()}
        self.server.request('PUT', '/values', {'domain': self.path}, body, headers)

    def _datasets(self, items: Sequence[Any]) -> Iterator[tuple[Dataset, Any]]:
        known: dict[str, Dataset] = {}
        for dataset, key in items:
            if isinstance(dataset, str):
                if dataset not in known:
                    found = self[dataset]
                    if not isinstance(found, Dataset):
                        raise TypeError(f'{dataset} is no dataset')
                    known[dataset] = found
                dataset = known[dataset]
            yield dataset, key

    def follow(self, h5path: str | None = None, since: str | None = None) -> Iterator[Event]:
        """Changes of the domain, or of the object at a path, in order and without gaps, as they happen; never ends.

        `since` is the `position` of the last event that the program has had.
        """
        return follow(self.server, self.path, h5path, since)
