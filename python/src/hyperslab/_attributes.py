"""Attributes of an object, as h5py has them."""

from __future__ import annotations

import base64
from collections.abc import Iterator, MutableMapping
from typing import TYPE_CHECKING, Any

from ._connection import Json, NotFoundError, escape
from ._types import format_type, guess_dtype, is_variable, metadata_of, parse_type
from ._values import arrange, decode, encode, extents_of, format_json, parse_json, split_shape

if TYPE_CHECKING:
    from ._group import Object

import numpy as np


class Empty:
    """A null dataspace: a dtype and no elements."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = np.dtype(dtype)
        self.shape = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Empty) and self.dtype == other.dtype

    def __repr__(self) -> str:
        return f'Empty(dtype={self.dtype!r})'


def shape_of(json: Json) -> tuple[int, ...] | None:
    """The shape of a dataspace in the service's JSON, None for a null one."""
    return None if json['class'] == 'H5S_NULL' else tuple(json.get('dims', ()))


def _value_of(answer: Json) -> Any:
    """The value as h5py gives it: scalars of NumPy, `str` for text of variable length, arrays."""
    dtype, shape = parse_type(answer['type']), shape_of(answer['shape'])
    if shape is None:
        return Empty(dtype)
    value = answer.get('value')
    if answer.get('encoding') == 'base64' and isinstance(value, str):
        array = decode(memoryview(base64.b64decode(value)), dtype, shape)
    elif value is None and not is_variable(dtype):
        array = np.zeros(*split_shape(shape, dtype))
    elif value is None:
        array = np.full(shape, '' if metadata_of(dtype).get('vlen') in (str, bytes) else None, object)
    else:
        array = parse_json(value, dtype, shape)
    return array[()]


class Attributes(MutableMapping[str, Any]):
    """A mapping from names to values. `items` and `values` are one request; writing replaces the attribute."""

    def __init__(self, owner: Object) -> None:
        self._owner = owner
        self._path = f'/{owner._collection}/{owner.id}/attributes'

    def _send(self, method: str, name: str | None = None, parameters: Any = None, body: Json = None) -> Json:
        path = f'{self._path}/{escape(name)}' if name is not None else self._path
        return self._owner.domain.send(method, path, parameters, body)

    def __getitem__(self, name: str) -> Any:
        return _value_of(self._send('GET', name, {'encoding': 'base64'}))

    def __setitem__(self, name: str, value: Any) -> None:
        self.create(name, value)

    def create(self, name: str, data: Any, shape: tuple[int, ...] | None = None, dtype: Any = None) -> None:
        """Writes an attribute in the place of one that is there; `dtype` and `shape` are those of `data` by default."""
        if isinstance(data, Empty):
            self._send('PUT', name, {'replace': 1}, {'type': format_type(data.dtype), 'shape': 'H5S_NULL'})
            return
        chosen = guess_dtype(data) if dtype is None else np.dtype(dtype)
        extents = extents_of(data, chosen) if shape is None else shape
        array = arrange(data, chosen, extents)
        body: dict[str, Json] = {'type': format_type(chosen), 'shape': list(extents)}
        if is_variable(chosen):
            elements = [format_json(element, chosen) for element in array.reshape(-1)]
            body['value'] = _nest(elements, extents)
        else:
            full = np.broadcast_to(array, split_shape(extents, chosen)[0])
            body['value'] = base64.b64encode(encode(full, chosen)).decode()
            body['encoding'] = 'base64'
        self._send('PUT', name, {'replace': 1}, body)

    def __delitem__(self, name: str) -> None:
        self._send('DELETE', name)

    def __contains__(self, name: object) -> bool:
        try:
            self._send('GET', str(name), {'IncludeData': 0})
        except NotFoundError:
            return False
        return True

    def _list(self, with_data: bool) -> Json:
        parameters = {'IncludeData': int(with_data), 'encoding': 'base64'} if with_data else None
        return self._send('GET', parameters=parameters)['attributes']

    def __iter__(self) -> Iterator[str]:
        return iter([item['name'] for item in self._list(False)])

    def __len__(self) -> int:
        return len(self._list(False))

    def items(self) -> Any:
        """Pairs of all names and values."""
        return {item['name']: _value_of(item) for item in self._list(True)}.items()

    def values(self) -> Any:
        """All values, in the order of the names."""
        return dict(self.items()).values()


def _nest(elements: list[Json], shape: tuple[int, ...]) -> Json:
    if not shape:
        return elements[0]
    for extent in reversed(shape[1:]):
        elements = [elements[i : i + extent] for i in range(0, len(elements), extent)]
    return elements
