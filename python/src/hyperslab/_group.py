"""Objects, groups and links, as h5py has them."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, MutableMapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ._attributes import Attributes, Empty
from ._connection import Json, NotFoundError, escape
from ._types import DType, format_type, guess_dtype, is_variable, parse_type
from ._values import arrange, extents_of, format_json, whole_numbers

if TYPE_CHECKING:
    from ._dataset import Dataset
    from ._domain import Domain


@dataclass(frozen=True)
class SoftLink:
    """A link to a path of the same domain, which need not be there."""

    path: str


@dataclass(frozen=True)
class ExternalLink:
    """A link to a path of another domain."""

    filename: str
    path: str


@dataclass(frozen=True)
class HardLink:
    """A link to an object, as `Group.get(name, getlink=True)` gives it."""


#: Numbers of the filters that have a level.
_LEVELS = {'gzip': 1, 'zstd': 32015}
#: The level of gzip without one, which takes less time than the service's.
_LEVEL_OF_H5PY = 4

#: The paths that one request may name.
_PATHS_AT_ONCE = 10_000
#: Parameters of requests by path: links of all kinds are followed.
_FOLLOW = {'follow_soft_links': 1, 'follow_external_links': 1}

Link = SoftLink | ExternalLink | HardLink


class Object:
    """A group, dataset or committed datatype. `name` is the path by which it was opened, None by a reference."""

    _collection = ''

    def __init__(self, domain: Domain, id: str, name: str | None) -> None:
        self.domain = domain
        self.id = id
        self.name = name

    @property
    def file(self) -> Domain:
        """The domain, by the name that h5py has for it."""
        return self.domain

    @cached_property
    def attrs(self) -> Attributes:
        """The attributes."""
        return Attributes(self)

    @property
    def ref(self) -> bytes:
        """A reference to this object, an element of a dataset of references: `domain[ref]` gives the object again."""
        return f'{self._collection}/{self.id}'.encode()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Object) and self.id == other.id and self.domain.path == other.domain.path

    def __hash__(self) -> int:
        return hash(self.id)


class Datatype(Object):
    """A committed datatype."""

    _collection = 'datatypes'

    @cached_property
    def dtype(self) -> DType:
        return parse_type(self.domain.send('GET', f'/datatypes/{self.id}')['type'])


class Group(Object, MutableMapping[str, Any]):
    """A mapping from names and paths to objects. `items` and `values` open all members with two requests."""

    _collection = 'groups'
    __eq__ = Object.__eq__
    __hash__ = Object.__hash__

    def _place(self, path: str) -> dict[str, Any]:
        """Parameters that name an object by its path from here."""
        start = {} if path.startswith('/') else {'parent_id': self.id}
        return {'h5path': path, **start, **_FOLLOW}

    def _name_of(self, path: str) -> str | None:
        if path.startswith('/'):
            return path
        return None if self.name is None else f'{self.name.rstrip("/")}/{path}'

    def _object(self, answer: Json, name: str | None) -> Object:
        """The object of a description; one behind an external link belongs to its own domain."""
        from ._dataset import Dataset
        from ._domain import Domain

        domain = self.domain
        path = answer.get('domain', domain.path)
        if path != domain.path:
            domain = Domain(domain.server, path, answer['root'], domain.mode)
        kind = answer['id'][0]
        if kind == 'd':
            return Dataset(domain, answer['id'], name, answer if 'type' in answer else None)
        return (Group if kind == 'g' else Datatype)(domain, answer['id'], name)

    def __getitem__(self, path: str | bytes) -> Any:
        """The object at a path, through links of all kinds, or of a reference; `NotFoundError`, a `KeyError`."""
        if isinstance(path, bytes):
            id = path.rstrip(b'\0').decode().rpartition('/')[2]
            if not id:
                raise ValueError('the reference is null')
            return self._object({'id': id}, None)
        if not isinstance(path, str) or not path:
            raise TypeError(f'{path!r} is no path and no reference')
        return self._object(self.domain.send('GET', '/', self._place(path)), self._name_of(path))

    def get(
        self, name: str, default: Any = None, getclass: bool = False, getlink: bool = False
    ) -> Any:
        """The object, with `getclass` its class, with `getlink` its link; `default` if nothing is there."""
        try:
            if getlink:
                group, title = self._parent_of(name, False)
                path = f'/groups/{group.id}/links/{escape(title)}'
                link: Any = _parse_link(self.domain.send('GET', path)['link'])
                return type(link) if getclass else link
            found = self[name]
            return type(found) if getclass else found
        except NotFoundError:
            return default

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and self.get(path) is not None

    def _links(self) -> list[Json]:
        return list(self.domain.send('GET', f'/groups/{self.id}/links')['links'])

    def __iter__(self) -> Iterator[str]:
        return iter([link['title'] for link in self._links()])

    def __len__(self) -> int:
        return int(self.domain.send('GET', f'/groups/{self.id}')['linkCount'])

    def items(self) -> Any:
        """Pairs of names and objects; a link that leads nowhere has None."""
        return self._open_members(list(self)).items()

    def _open_members(self, names: list[str], **options: Any) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for start in range(0, len(names), _PATHS_AT_ONCE):
            paths = names[start : start + _PATHS_AT_ONCE]
            parameters = {'parent_id': self.id, 'include_errors': 1, **_FOLLOW, **options}
            answer = self.domain.send('POST', '/', parameters, {'h5paths': paths}, reads=True)['h5paths']
            for name in paths:
                item = answer[name]
                found[name] = self._object(item, self._name_of(name)) if 'id' in item else None
        return found

    def values(self) -> Any:
        """The objects, in the order of their names."""
        return dict(self.items()).values()

    def visititems(self, visit: Callable[[str, Any], Any]) -> Any:
        """Calls a function with the path from here and the object of all below, until it returns a value.

        Each object that hard links reach is visited once, depth first, as in h5py.
        """
        seen = {self.id}
        waiting: list[tuple[str, Any]] = [('', self)]
        while waiting:
            path, member = waiting.pop()
            if path:
                if member.id in seen:
                    continue
                seen.add(member.id)
                result = visit(path, member)
                if result is not None:
                    return result
            if isinstance(member, Group):
                hard = [link['title'] for link in member._links() if link['class'] == 'H5L_TYPE_HARD']
                below = member._open_members(hard)
                prefix = f'{path}/' if path else ''
                waiting += [(prefix + name, found) for name, found in reversed(below.items()) if found is not None]
        return None

    def visit(self, visit: Callable[[str], Any]) -> Any:
        """As `visititems`, with the path alone."""
        return self.visititems(lambda name, _: visit(name))

    def _parent_of(self, path: str, make: bool) -> tuple[Group, str]:
        """The group that has, or gets, the last link of a path, and the title of the link."""
        parent, _, title = path.rstrip('/').rpartition('/')
        if not parent:
            return (self.domain if path.startswith('/') else self), title
        return (self.require_group(parent) if make else self[parent]), title

    def _create(self, collection: str, path: str | None, body: Json) -> Json:
        if path is not None:
            body['h5path'] = path
            if not path.startswith('/'):
                body['parent_id'] = self.id
        return self.domain.send('POST', f'/{collection}', {'implicit': 1}, body)

    def create_group(self, name: str | None, track_order: bool = False) -> Group:
        """A new group, with the groups on its path; `HyperslabError` 409 if the name is taken."""
        body: dict[str, Json] = {'creationProperties': {'CreateOrder': 1}} if track_order else {}
        answer = self._create('groups', name, body)
        return Group(self.domain, answer['id'], None if name is None else self._name_of(name))

    def require_group(self, name: str) -> Group:
        """The group at a path, made if it is not there; `TypeError` if something else is."""
        found = self.get(name)
        if found is None:
            return self.create_group(name)
        if not isinstance(found, Group):
            raise TypeError(f'{name} is no group')
        return found

    def create_dataset(
        self,
        name: str | None,
        shape: int | tuple[int, ...] | None = None,
        dtype: Any = None,
        data: Any = None,
        *,
        chunks: bool | tuple[int, ...] | None = None,
        maxshape: tuple[int | None, ...] | None = None,
        compression: str | int | None = None,
        compression_opts: int | None = None,
        shuffle: bool = False,
        fletcher32: bool = False,
        fillvalue: Any = None,
    ) -> Dataset:
        """A new dataset, with the groups on its path, and its values `data`; arguments are those of h5py.

        `compression` is a name of docs/guide/types.md (`gzip`, `zstd`, `lz4`, ...) or a level of gzip. The dataset and
        its values are two writes.
        """
        from ._dataset import Dataset

        is_null = isinstance(data, Empty)
        chosen = np.dtype('f4') if dtype is None and data is None else None
        if chosen is None:
            chosen = np.dtype(dtype) if dtype is not None else data.dtype if is_null else guess_dtype(data)
        if shape is None:
            shape = () if data is None or is_null else extents_of(data, chosen)
        extents = whole_numbers(shape)
        if data is not None and not is_null:
            # Values that do not fit are an error before anything is made.
            data = arrange(data, chosen, extents)
        properties: dict[str, Json] = {}
        if isinstance(chunks, tuple):
            properties['layout'] = {'class': 'H5D_CHUNKED', 'dims': list(whole_numbers(chunks)), 'exact': True}
        filters = _format_filters(compression, compression_opts, shuffle, fletcher32)
        if filters:
            properties['filters'] = filters
        if fillvalue is not None:
            properties |= _format_fill_value(fillvalue, chosen)
        body: dict[str, Json] = {'type': format_type(chosen), 'creationProperties': properties}
        body['shape'] = 'H5S_NULL' if is_null else list(extents)
        if maxshape is not None:
            body['maxdims'] = list(whole_numbers([limit or 0 for limit in maxshape]))
        answer = self._create('datasets', name, body)
        dataset = Dataset(self.domain, answer['id'], None if name is None else self._name_of(name), answer)
        if data is not None and not is_null:
            dataset[...] = data
        return dataset

    def require_dataset(self, name: str, shape: tuple[int, ...], dtype: Any, **options: Any) -> Dataset:
        """The dataset at a path, made if it is not there; `TypeError` if its shape or dtype differ."""
        from ._dataset import Dataset

        found = self.get(name)
        if found is None:
            return self.create_dataset(name, shape, dtype, **options)
        if not isinstance(found, Dataset) or found.shape != tuple(shape) or found.dtype != np.dtype(dtype):
            raise TypeError(f'{name} is no dataset of shape {shape} and dtype {dtype}')
        return found

    def __setitem__(self, name: str, value: Any) -> None:
        """Links an object or a path, commits a dtype, or makes a dataset of a value."""
        if isinstance(value, np.dtype):
            self._create('datatypes', name, {'type': format_type(value)})
        elif isinstance(value, (Object, SoftLink, ExternalLink)):
            group, title = self._parent_of(name, True)
            self.domain.send('PUT', f'/groups/{group.id}/links/{escape(title)}', body=_format_link(value))
        else:
            self.create_dataset(name, data=value)

    def __delitem__(self, name: str) -> None:
        """Deletes the link; `KeyError` if it is not there. What it led to stays while it has another link."""
        group, title = self._parent_of(name, False)
        self.domain.send('DELETE', f'/groups/{group.id}/links/{escape(title)}')

    def __repr__(self) -> str:
        return f'<hyperslab group {self.name!r}>'


def _parse_link(link: Json) -> Link:
    if link['class'] == 'H5L_TYPE_SOFT':
        return SoftLink(link['h5path'])
    if link['class'] == 'H5L_TYPE_EXTERNAL':
        return ExternalLink(link['h5domain'], link['h5path'])
    return HardLink()


def _format_link(target: Object | SoftLink | ExternalLink) -> Json:
    if isinstance(target, SoftLink):
        return {'h5path': target.path}
    if isinstance(target, ExternalLink):
        return {'h5path': target.path, 'h5domain': target.filename}
    return {'id': target.id}


def _format_filters(compression: str | int | None, level: int | None, shuffle: bool, checksum: bool) -> list[Json]:
    filters: list[Json] = ['shuffle'] if shuffle else []
    if isinstance(compression, int):
        level = compression
        compression = 'gzip'
    if compression == 'gzip' and level is None:
        level = _LEVEL_OF_H5PY
    if compression is not None and level is not None:
        if compression not in _LEVELS:
            raise ValueError(f'{compression} takes no level: {" and ".join(_LEVELS)} do')
        filters.append({'id': _LEVELS[compression], 'level': level})
    elif compression is not None:
        filters.append(compression)
    return filters + (['fletcher32'] if checksum else [])


def _format_fill_value(value: Any, dtype: DType) -> dict[str, Json]:
    if is_variable(dtype):
        return {'fillValue': format_json(value, dtype)}
    element = np.asarray(value, dtype).tobytes()
    return {'fillValue': base64.b64encode(element).decode(), 'fillValue_encoding': 'base64'}
