"""Requests to a service: one pool of connections, logins, errors, and what is sent again.

urllib3 takes 0.35 ms of processor time for a small request, requests 0.74 ms and httpx 0.80 ms.
"""

from __future__ import annotations

import base64
import json
import netrc as netrc_files
import random
import re
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, BinaryIO
from urllib.parse import quote, unquote, urlencode, urlsplit

import urllib3

if TYPE_CHECKING:
    from ._domain import Domain

Json = Any
#: Times that a request is sent again at most.
_RETRIES = 5
_CONNECTIONS = 16
_TIMEOUT = urllib3.Timeout(connect=30, read=330)


class HyperslabError(OSError):
    """A request that the service, or the network, did not answer as asked.

    `status` is that of HTTP, 0 without an answer; `code` is a word of the service's list of errors, such as
    `selection-out-of-bounds`; `message` is its sentence.
    """

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(f'{message} ({status} {code})' if status else message)
        self.status = status
        self.code = code
        self.message = message

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.status, self.code, self.message)


class NotFoundError(HyperslabError, KeyError):
    """404 or 410: a domain or object is not there. It is a `KeyError` too, as h5py raises it."""

    __str__ = OSError.__str__


def _error_of(status: int, body: bytes) -> HyperslabError:
    try:
        answer = json.loads(body)
        code, message = str(answer['code']), str(answer['message'])
    except (ValueError, KeyError, TypeError):
        code, message = 'unknown', body[:500].decode('utf-8', 'replace')
    return (NotFoundError if status in (404, 410) else HyperslabError)(status, code, message)


def _authorization(
    url: str, token: str | Callable[[], str] | None, user: str | tuple[str, str] | None, netrc: bool | str
) -> Callable[[], str | None]:
    if sum((token is not None, user is not None, bool(netrc))) > 1:
        raise ValueError('give one of token, user and netrc')
    if token is not None:
        return lambda: f'Bearer {token() if callable(token) else token}'
    if netrc:
        host = urlsplit(url).hostname or ''
        entry = netrc_files.netrc(netrc if isinstance(netrc, str) else None).authenticators(host)
        if entry is None:
            raise ValueError(f'the netrc file has no entry for {host}')
        user = (entry[0], entry[2] or '')
    if user is None:
        return lambda: None
    login = user if isinstance(user, str) else ':'.join(user)
    basic = 'Basic ' + base64.b64encode(login.encode()).decode()
    return lambda: basic


class Server:
    """A service, as `connect` gives it. Threads may share it. `close` it, or use it in `with`.

    It can be pickled, with its login: another process, such as a worker of dask, connects anew.
    """

    def __init__(
        self, url: str, token: str | Callable[[], str] | None, user: str | tuple[str, str] | None, netrc: bool | str
    ) -> None:
        if not re.match(r'https?://[^/]', url):
            raise ValueError(f'{url!r} is no address of a service: it begins with http:// or https:// and has a host')
        self.url = url.rstrip('/')
        self._login = (token, user, netrc)
        self._authorization = _authorization(url, *self._login)
        self._prefix = urlsplit(self.url).path
        self._pool: Any = urllib3.connection_from_url(
            self.url, maxsize=_CONNECTIONS, block=True, retries=False, timeout=_TIMEOUT
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return Server, (self.url, *self._login)

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._pool.close()

    def request(
        self,
        method: str,
        path: str,
        parameters: Mapping[str, Any] | None = None,
        body: bytes | BinaryIO | None = None,
        headers: Mapping[str, str] | None = None,
        *,
        reads: bool | None = None,
        whole: bool = True,
    ) -> Any:
        """Sends a request; its answer has `status`, `headers` and `data`, or is a stream if not `whole`.

        An answer that is no success is a `HyperslabError`.
        A request that the service has refused before any work (503), or that never reached it, is sent again. One
        whose connection breaks is sent again only if it `reads`, as GET and HEAD do.
        """
        target = self._prefix + path
        if parameters:
            target += '?' + urlencode({k: v for k, v in parameters.items() if v is not None})
        all_headers = dict(headers or {})
        authorization = self._authorization()
        if authorization is not None:
            all_headers['Authorization'] = authorization
        if reads is None:
            reads = method in ('GET', 'HEAD')
        attempt = 0
        while True:
            wait = min(5.0, 0.1 * 2**attempt) * (0.5 + random.random())
            try:
                answer = self._pool.urlopen(
                    method, target, body=body, headers=all_headers, redirect=False, preload_content=whole
                )
            except urllib3.exceptions.HTTPError as error:
                never_sent = isinstance(
                    error, (urllib3.exceptions.NewConnectionError, urllib3.exceptions.ConnectTimeoutError)
                )
                is_closed = isinstance(error, urllib3.exceptions.ClosedPoolError)
                if not (reads or never_sent) or is_closed or attempt == _RETRIES:
                    raise HyperslabError(0, 'unreachable', f'{self.url}: {error}') from error
            else:
                if answer.status < 300:
                    return answer
                if answer.status != 503 or attempt == _RETRIES or not isinstance(body, (bytes, type(None))):
                    raise _error_of(answer.status, answer.data)
                after = answer.headers.get('Retry-After', '')
                wait = max(wait, min(60.0, float(after))) if after.isdigit() else wait
            attempt += 1
            time.sleep(wait)

    def json(
        self,
        method: str,
        path: str,
        parameters: Mapping[str, Any] | None = None,
        body: Json = None,
        headers: Mapping[str, str] | None = None,
        *,
        reads: bool | None = None,
    ) -> Json:
        """Sends JSON, if there is a body, and gives the JSON of the answer."""
        sent = None if body is None else json.dumps(body).encode()
        all_headers = {'Content-Type': 'application/json', **(headers or {})} if sent is not None else headers
        return json.loads(self.request(method, path, parameters, sent, all_headers, reads=reads).data)

    def open(self, path: str, mode: str = 'r') -> Domain:
        """The domain at a path such as `/lab/run7.h5`, with the modes of h5py: `r`, `r+`, `w`, `w-` or `x`, `a`."""
        from ._domain import Domain

        return Domain._open(self, path, mode)

    def list(self, folder: str = '/') -> Iterator[dict[str, Json]]:
        """Domains and folders in a folder: dictionaries with `name`, a path, and `class`, `domain` or `folder`."""
        marker = None
        folder = folder.rstrip('/') + '/'
        while True:
            page = self.json(
                'GET', '/domains', {'domain': folder, 'Limit': 1000, 'Marker': marker, 'verbose': 1}
            )['domains']
            yield from page
            if len(page) < 1000:
                return
            marker = page[-1]['name'].rsplit('/', 1)[-1]

    def create_folder(self, path: str) -> None:
        """Makes a folder; `HyperslabError` 409 if something has that path."""
        self.json('PUT', '/', {'domain': path}, {'folder': True})

    def delete(self, path: str) -> None:
        """Deletes a domain, or an empty folder."""
        self.json('DELETE', '/', {'domain': path})

    def upload(self, path: str, file: bytes | BinaryIO) -> None:
        """Makes a domain of an HDF5 file, wholly or not at all; 409 if something has that path."""
        headers = {'Content-Type': 'application/x-hdf5'}
        self.request('PUT', '/', {'domain': path}, file, headers)

    def download(self, path: str, file: BinaryIO) -> None:
        """Writes a domain as an HDF5 file."""
        answer = self.request('GET', '/', {'domain': path}, headers={'Accept': 'application/x-hdf5'}, whole=False)
        for piece in answer.stream(2**20):
            file.write(piece)
        answer.release_conn()


def connect(
    url: str,
    *,
    token: str | Callable[[], str] | None = None,
    user: str | tuple[str, str] | None = None,
    netrc: bool | str = False,
) -> Server:
    """A service at an address such as `http://127.0.0.1:5101`. No request is sent yet.

    Log in with one of: `token`, or a function that gives one for each request; `user`, `'name:password'` or a pair;
    `netrc`, true for `~/.netrc`, or the name of such a file.
    """
    return Server(url, token, user, netrc)


def split_address(address: str) -> tuple[dict[str, str], str]:
    """The `service` and `user` that an address names, and its path; a path alone names neither.

    `hyperslab://name:password@host:port/path` is a service at `http://host:port`; its path is not percent-encoded, that
    of `http://` and `https://` is.
    """
    scheme, separator, rest = address.partition('://')
    if not separator:
        return {}, '/' + address.strip('/')
    place, _, path = rest.partition('/')
    login, _, host = place.rpartition('@')
    options = {}
    if host:
        options['service'] = f'{"https" if scheme == "https" else "http"}://{host}'
    if login:
        options['user'] = unquote(login)
    return options, '/' + (path if scheme == 'hyperslab' else unquote(path)).strip('/')


def escape(name: str) -> str:
    """A name as a segment of a path."""
    return quote(name, safe='')
