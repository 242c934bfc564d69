"""A filesystem of fsspec: domains are HDF5 files, at `hyperslab://host:port/path`.

    fsspec.open('hyperslab://127.0.0.1:5101/lab/run7.h5', user='ann:ann-secret')
"""

from __future__ import annotations

import errno
import os
from typing import Any
from urllib.parse import quote

from fsspec.caching import BlockCache, caches
from fsspec.spec import AbstractBufferedFile, AbstractFileSystem

from ._connection import HyperslabError, NotFoundError, connect, split_address

#: Bytes of a block: HDF5 reads metadata in many small pieces, and chunks whole.
_BLOCK_BYTES = 2**20
#: Versions of fsspec call it `block` or `blockcache`.
_BLOCK_CACHE = next(name for name, cache in caches.items() if cache is BlockCache)


class HyperslabFileSystem(AbstractFileSystem):
    """Domains as files, folders as folders. `service` is an address of HTTP, needed where the path names no host."""

    protocol = 'hyperslab'
    root_marker = '/'

    def __init__(
        self, service: str | None = None, user: str | None = None, token: str | None = None, **options: Any
    ) -> None:
        super().__init__(**options)
        if service is None:
            raise ValueError("name the service: 'hyperslab://host:port/path', or service='https://host'")
        self.server = connect(service, user=user, token=token)

    @classmethod
    def _strip_protocol(cls, path: Any) -> Any:
        if isinstance(path, list):
            return [cls._strip_protocol(one) for one in path]
        return split_address(os.fspath(path))[1]

    @staticmethod
    def _get_kwargs_from_urls(path: str) -> dict[str, str]:
        return split_address(path)[0]

    def unstrip_protocol(self, name: str) -> str:
        """The address, without a login."""
        return f'hyperslab://{self.server.url.partition("://")[2]}{self._strip_protocol(name)}'

    def _send(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Any:
        try:
            return self.server.request(method, '/h5' + quote(path), None, body, headers)
        except NotFoundError as error:
            raise FileNotFoundError(errno.ENOENT, error.message, path) from error
        except HyperslabError as error:
            if error.status == 308:
                raise IsADirectoryError(errno.EISDIR, 'the path is that of a folder', path) from error
            raise

    def info(self, path: str, **_: Any) -> dict[str, Any]:
        """`name`, `type` and `size`; of a file also `ETag`, which changes with it."""
        path = self._strip_protocol(path)
        try:
            if path == '/':
                raise IsADirectoryError
            answer = self._send('GET', path, headers={'Range': 'bytes=0-0'})
        except IsADirectoryError:
            return {'name': path, 'type': 'directory', 'size': 0}
        size = int(answer.headers['Content-Range'].rpartition('/')[2])
        return {'name': path, 'type': 'file', 'size': size, 'ETag': answer.headers['ETag']}

    def exists(self, path: str, **_: Any) -> bool:
        """Whether a domain or folder is there; other errors than its absence are raised."""
        try:
            self.info(path)
        except FileNotFoundError:
            return False
        return True

    def ls(self, path: str, detail: bool = True, **_: Any) -> list[Any]:
        """The contents of a folder. The size of a file is None: the service may have to write it, so `info` has it."""
        path = self._strip_protocol(path)
        found = self.info(path)
        entries = [found]
        if found['type'] == 'directory':
            entries = [
                {'name': item['name'], 'type': 'directory', 'size': 0}
                if item['class'] == 'folder'
                else {'name': item['name'], 'type': 'file', 'size': None}
                for item in self.server.list(path)
            ]
        return entries if detail else [entry['name'] for entry in entries]

    def cat_file(self, path: str, start: int | None = None, end: int | None = None, **_: Any) -> bytes:
        """The bytes of a file, or a part of them; negative positions count from its end."""
        path = self._strip_protocol(path)
        if (start or 0) < 0 or (end or 0) < 0:
            start, end, _step = slice(start, end).indices(self.info(path)['size'])
        return self._read(path, start or 0, end)

    def _read(self, path: str, start: int, end: int | None, tag: str | None = None) -> bytes:
        if end is not None and end <= start:
            return b''
        headers = {} if tag is None else {'If-Match': tag}
        if start > 0 or end is not None:
            headers['Range'] = f'bytes={start}-{"" if end is None else end - 1}'
        try:
            return bytes(self._send('GET', path, headers=headers).data)
        except HyperslabError as error:
            if error.status == 416:
                return b''
            raise

    def _open(self, path: str, mode: str = 'rb', block_size: int | None = None, **options: Any) -> HyperslabFile:
        if mode != 'rb':
            raise ValueError(f"mode {mode!r} is not 'rb': pipe_file and put_file write whole files")
        return HyperslabFile(self, path, mode, block_size or _BLOCK_BYTES, **{'cache_type': _BLOCK_CACHE, **options})

    def pipe_file(self, path: str, value: bytes, mode: str = 'overwrite', **_: Any) -> None:
        """Makes a domain of the bytes of an HDF5 file; one that is there is replaced unless `mode` is `create`."""
        self._put(path, value, mode)

    def put_file(self, lpath: Any, rpath: str, callback: Any = None, mode: str = 'overwrite', **_: Any) -> None:
        """Makes a domain of an HDF5 file, or a folder of a folder, without its contents."""
        if os.path.isdir(lpath):
            self.makedirs(rpath, exist_ok=True)
            return
        with open(lpath, 'rb') as file:
            self._put(rpath, file, mode)

    def _put(self, path: str, body: Any, mode: str) -> None:
        headers = {'If-None-Match': '*'} if mode == 'create' else None
        self._send('PUT', self._strip_protocol(path), body, headers)

    def mkdir(self, path: str, create_parents: bool = True, **_: Any) -> None:
        """Makes a folder."""
        path = self._strip_protocol(path)
        if create_parents:
            self.makedirs(self._parent(path), exist_ok=True)
        self.server.create_folder(path)

    def makedirs(self, path: str, exist_ok: bool = False) -> None:
        """Makes a folder and those above it."""
        path = self._strip_protocol(path)
        if not self.exists(path):
            self.mkdir(path)
        elif not exist_ok:
            raise FileExistsError(errno.EEXIST, 'the folder is there', path)

    def rm_file(self, path: str) -> None:
        """Deletes a domain, or an empty folder."""
        path = self._strip_protocol(path)
        try:
            self.server.delete(path)
        except NotFoundError as error:
            raise FileNotFoundError(errno.ENOENT, error.message, path) from error

    rmdir = rm_file


class HyperslabFile(AbstractBufferedFile):
    """A domain that is read in blocks, all of one state: after a change the next block is an error (412)."""

    def read(self, length: int = -1) -> bytes:
        # The block cache of fsspec 2022 fails behind the end of the file.
        left = self.size - self.loc
        return bytes(super().read(left if length < 0 else min(length, left)))

    def _fetch_range(self, start: int, end: int) -> bytes:
        return bytes(self.fs._read(self.path, start, end, self.details['ETag']))
