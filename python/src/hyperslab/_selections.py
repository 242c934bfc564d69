"""The indexing of NumPy as `select` of the service.

An index drops its dimension; a range of positive step, a list of indices and a mask of booleans keep it. Several lists
are paired and make one dimension, at the place of the first. A mask of all dimensions selects points, one dimension.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import index as integer_of
from typing import Any

import numpy as np

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Selection:
    """`select` is an entry for each dimension, or None for everything; `shape` is that of the array."""

    select: list[Any] | None
    shape: Shape
    fields: list[str] | None
    #: One field by its name: its values come without the compound around them.
    is_one_field: bool

    @property
    def is_empty(self) -> bool:
        return 0 in self.shape

    @property
    def item(self) -> dict[str, Any]:
        """The members of an item of `/values`."""
        members: dict[str, Any] = {}
        if self.select is not None:
            members['select'] = self.select
        if self.fields is not None:
            members['fields'] = self.fields
        return members


def select(shape: Shape, key: Any) -> Selection:
    """The selection of `array[key]`, for an array of this shape; `IndexError` where NumPy raises it."""
    keys = list(key) if isinstance(key, tuple) else [key]
    names = [k for k in keys if isinstance(k, str)]
    keys = [k for k in keys if not isinstance(k, str)]
    is_one_field = len(names) == 1
    if len(keys) == 1 and isinstance(keys[0], list) and keys[0] and all(isinstance(k, str) for k in keys[0]):
        names, keys = names + keys[0], []
    keys = _expand(shape, keys)
    fields = names or None
    if all(isinstance(k, slice) and k == slice(None) for k in keys):
        return Selection(None, shape, fields, is_one_field)
    entries: list[Any] = []
    extents: list[int] = []
    list_length: int | None = None
    for dimension, (extent, k) in enumerate(zip(shape, keys, strict=True)):
        if isinstance(k, slice):
            entry, count = _range(extent, k)
            entries.append(entry)
            extents.append(count)
        elif isinstance(k, np.ndarray):
            indices = _indices(extent, k, dimension)
            entries.append(indices)
            if list_length is None:
                list_length = len(indices)
                extents.append(list_length)
            elif list_length != len(indices):
                raise IndexError(f'lists of indices have {list_length} and {len(indices)} entries: give as many')
        else:
            entries.append(_index(extent, k, dimension))
    return Selection(entries, tuple(extents), fields, is_one_field)


def _expand(shape: Shape, keys: list[Any]) -> list[Any]:
    """A key for each dimension: slices, integers, and arrays of one dimension."""
    expanded: list[Any] = []
    for k in keys:
        if k is Ellipsis or isinstance(k, slice):
            expanded.append(k)
            continue
        array = np.asarray(k)
        if array.ndim == 0 and array.dtype.kind != 'b':
            expanded.append(k)
        elif array.dtype.kind == 'b':
            start = len(expanded)
            if Ellipsis in [e for e in expanded if not isinstance(e, np.ndarray)]:
                start = len(shape) - array.ndim
            if array.shape != shape[start : start + array.ndim] or array.ndim == 0:
                raise IndexError(f'a mask of shape {array.shape} does not fit the shape {shape}')
            expanded.extend(np.nonzero(array))
        elif array.ndim == 1:
            expanded.append(array.astype(np.int64) if array.size == 0 else array)
        else:
            raise IndexError('a list of indices has one dimension')
    ellipses = [i for i, e in enumerate(expanded) if e is Ellipsis]
    if len(ellipses) > 1:
        raise IndexError('there may be one Ellipsis')
    missing = len(shape) - len(expanded) + len(ellipses)
    if missing < 0:
        raise IndexError(f'there are {len(expanded) - len(ellipses)} indices for {len(shape)} dimensions')
    at = ellipses[0] if ellipses else len(expanded)
    return expanded[:at] + [slice(None)] * missing + expanded[at + 1 :]


def _range(extent: int, key: slice) -> tuple[str, int]:
    start, stop, step = key.indices(extent)
    if step < 1:
        raise ValueError('the step of a range is 1 or more')
    count = len(range(start, stop, step))
    return f'{start}:{stop}' + (f':{step}' if step > 1 else ''), count


def _index(extent: int, key: Any, dimension: int) -> int:
    try:
        position = integer_of(key)
    except TypeError:
        raise TypeError(f'{key!r} is no index: give integers, slices, lists, masks or names of fields') from None
    if not -extent <= position < extent:
        raise IndexError(f'index {position} is out of bounds for dimension {dimension} of extent {extent}')
    return position % extent


def _indices(extent: int, key: np.ndarray[Any, Any], dimension: int) -> list[int]:
    if key.dtype.kind not in 'iu':
        raise TypeError('a list of indices has integers')
    wrong = key[(key < -extent) | (key >= extent)]
    if wrong.size:
        raise IndexError(f'index {wrong[0]} is out of bounds for dimension {dimension} of extent {extent}')
    return [int(i) for i in np.where(key < 0, key + extent, key)]
