"""Datasets, as h5py has them."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

import numpy as np

from ._attributes import Empty, shape_of
from ._batches import iter_batches
from ._group import Object
from ._selections import Selection, select
from ._types import DType, is_variable, metadata_of, parse_type
from ._values import Array, Bytes, extents_of, parse_element, whole_numbers

#: Bytes that iteration over a dataset reads with one request.
_BLOCK_BYTES = 8 * 2**20
_FILTERS = {1: 'gzip', 32000: 'lzf', 32001: 'blosclz', 32003: 'snappy', 32004: 'lz4', 32005: 'lz4hc', 32015: 'zstd'}


class Dataset(Object):
    """A dataset. Its shape is that of the last look at it: `refresh` after others have appended or resized."""

    _collection = 'datasets'

    def __init__(self, domain: Any, id: str, name: str | None, description: Any = None) -> None:
        super().__init__(domain, id, name)
        self._known = description
        self._dtype: DType | None = None
        self._has_grown = False

    @property
    def _description(self) -> Any:
        if self._known is None or self._has_grown:
            self._known = self.domain.send('GET', f'/datasets/{self.id}')
            self._has_grown = False
        return self._known

    def refresh(self) -> None:
        """Forgets the description: the next use asks the service for it."""
        self._known = None

    @property
    def dtype(self) -> DType:
        """The dtype of an element, with the metadata of h5py for text, sequences and enums."""
        if self._dtype is None:
            self._dtype = parse_type(self._description['type'])
        return self._dtype

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents, `()` for a scalar; `TypeError` for a null dataspace."""
        shape = shape_of(self._description['shape'])
        if shape is None:
            raise TypeError(f'{self.name} has no elements: its dataspace is null')
        return shape

    @property
    def maxshape(self) -> tuple[int | None, ...]:
        """The extents at most, None for no limit."""
        limits = self._description['shape'].get('maxdims', self._description['shape'].get('dims', ()))
        is_limited = 'maxdims' not in self._description['shape']
        return tuple(limit if limit or is_limited else None for limit in limits)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def nbytes(self) -> int:
        """The bytes of the elements without compression; parts of variable size count as 8 bytes."""
        return self.size * self.dtype.itemsize

    @property
    def chunks(self) -> tuple[int, ...] | None:
        """The extents of a stored chunk: those that were given, or that the service has chosen."""
        layout = self._description.get('layout', {})
        return tuple(layout['dims']) if 'dims' in layout and shape_of(self._description['shape']) else None

    @property
    def _filters(self) -> list[Any]:
        return list(self._description['creationProperties'].get('filters', []))

    @property
    def compression(self) -> str | None:
        """The name of the compression, such as `gzip`."""
        return next((_FILTERS[f['id']] for f in self._filters if f.get('id') in _FILTERS), None)

    @property
    def compression_opts(self) -> int | None:
        """The level of the compression."""
        return next((f.get('level') for f in self._filters if f.get('id') in _FILTERS), None)

    @property
    def shuffle(self) -> bool:
        return any(f.get('id') == 2 for f in self._filters)

    @property
    def fillvalue(self) -> Any:
        """The value of elements that were never written."""
        properties = self._description['creationProperties']
        value = properties.get('fillValue')
        if value is None:
            return b'' if is_variable(self.dtype) else np.zeros((), self.dtype)[()]
        if properties.get('fillValue_encoding') == 'base64':
            return np.frombuffer(base64.b64decode(value), self.dtype)[0]
        return parse_element(value, self.dtype)

    def _dtype_of(self, selection: Selection) -> DType:
        """The dtype of the elements of a selection, which may be of some fields."""
        if selection.fields is None:
            return self.dtype
        members = self.dtype.fields
        if members is None:
            raise TypeError(f'{self.name} has no fields')
        missing = [name for name in selection.fields if name not in members]
        if missing:
            raise KeyError(f'{self.name} has no field {missing[0]!r}')
        if selection.is_one_field:
            return members[selection.fields[0]][0]
        return np.dtype([(name, members[name][0]) for name in selection.fields])

    def __getitem__(self, key: Any) -> Any:
        """The elements as an array, a scalar of NumPy where all dimensions have an index; text is `bytes`."""
        if self._description['shape']['class'] == 'H5S_NULL':
            return Empty(self.dtype)
        array = self.domain.read_many([(self, key)])[0]
        keys = key if isinstance(key, tuple) else (key,)
        return array if array.ndim or ... in [k for k in keys if k is ...] else array[()]

    def __setitem__(self, key: Any, value: Any) -> None:
        self.domain.write_many([(self, key, value)])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        array = np.asarray(self[...])
        return array if dtype is None else array.astype(dtype)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError('a scalar dataset has no length')
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        """Rows along dimension 0, read in blocks of some 8 MiB."""
        rows = max(1, _BLOCK_BYTES // max(1, self.nbytes // max(1, len(self))))
        for start in range(0, len(self), rows):
            yield from self[start : start + rows]

    def astype(self, dtype: Any) -> Converted:
        """A view whose values are converted: `dataset.astype('f4')[:10]`."""
        return Converted(self, lambda array: np.asarray(array).astype(dtype)[()])

    def asstr(self, encoding: str = 'utf-8', errors: str = 'strict') -> Converted:
        """A view whose text is `str`: `dataset.asstr()[:10]`."""

        def decode(values: Any) -> Any:
            array = np.asarray(values, object)
            if not all(isinstance(item, bytes) for item in array.reshape(-1)):
                raise TypeError(f'{self.name} has no text: asstr is for strings, or a field of them')
            texts = np.empty(array.shape, object)
            texts.reshape(-1)[:] = [item.decode(encoding, errors) for item in array.reshape(-1)]
            return texts[()]

        return Converted(self, decode)

    def resize(self, size: int | tuple[int, ...], axis: int | None = None) -> None:
        """Changes the extents, or one of them; `maxshape` limits them."""
        if axis is not None:
            size = self.shape[:axis] + whole_numbers(size) + self.shape[axis + 1 :]
        extents = list(whole_numbers(size))
        self.domain.send('PUT', f'/datasets/{self.id}/shape', body={'shape': extents})
        self.refresh()

    def append(self, values: Any, axis: int = 0) -> None:
        """Makes the dataset larger by values and writes them, in one step, also beside other writers.

        `values` has the shape of the dataset but for its extent in `axis`; without that dimension it is one row.
        """
        entry, body = self._append_item(values, axis)
        if entry['append'] == 0:
            return
        self.domain._put_values([entry], [body])
        self._has_grown = True

    def _append_item(self, values: Any, axis: int) -> tuple[Any, Bytes]:
        # The other extents are those of the last look: the next frame needs no request for the new shape.
        known = self.shape if self._known is None else tuple(self._known['shape'].get('dims', ()))
        extents = extents_of(values, self.dtype)
        if len(extents) == len(known) - 1:
            values = np.expand_dims(np.asarray(values, object if is_variable(self.dtype) else None), axis)
            extents = extents[:axis] + (1,) + extents[axis:]
        if not -len(extents) <= axis < len(extents) or len(extents) != len(known):
            raise ValueError(f'values of shape {extents} cannot be appended to the shape {known} in dimension {axis}')
        count = extents[axis]
        shape = known[:axis] + (count,) + known[axis + 1 :]
        members = {'append': count, 'append_dim': axis}
        return self.domain._encode_item(self, members, self.dtype, values, shape)

    def iter_batches(
        self, batch: int = 256, *, shuffle: bool = False, seed: int | None = None, ahead: int = 2
    ) -> Iterator[Array]:
        """Arrays of `batch` rows along dimension 0: see `iter_batches` of the package."""
        return (arrays[0] for arrays in iter_batches([self], batch, shuffle=shuffle, seed=seed, ahead=ahead))

    def __repr__(self) -> str:
        return f'<hyperslab dataset {self.name!r}: shape {shape_of(self._description["shape"])}, type {self.dtype}>'


class Converted:
    """A dataset whose values a function converts when they are read."""

    def __init__(self, dataset: Dataset, convert: Any) -> None:
        self._dataset = dataset
        self._convert = convert

    def __getitem__(self, key: Any) -> Any:
        return self._convert(self._dataset[key])

