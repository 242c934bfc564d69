"""A backend of xarray: `xarray.open_dataset(address, engine='hyperslab', group='/entry')`.

A group is a dataset of xarray by the rules of netCDF-4. Opening it takes a request for the group, two for its members
with their attributes, and one for each scale in another group. Values are read when they are needed.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from typing import Any

import numpy as np
import xarray
from xarray.backends import AbstractDataStore, BackendArray, BackendEntrypoint
from xarray.backends.store import StoreBackendEntrypoint
from xarray.core import indexing

from ._attributes import Empty, _value_of
from ._connection import connect, split_address
from ._dataset import Dataset
from ._group import Group
from ._types import metadata_of

#: Attributes by which HDF5 and netCDF-4 keep dimensions: they are no attributes of the data.
_OF_DIMENSIONS = {'CLASS', 'NAME', 'DIMENSION_LIST', 'DIMENSION_LABELS', '_Netcdf4Dimid', '_Netcdf4Coordinates'}
_HIDDEN = _OF_DIMENSIONS | {'REFERENCE_LIST', '_NCProperties', '_nc3_strict'}
_NO_VARIABLE = 'This is a netCDF dimension but not a netCDF variable'
#: netCDF-4 puts this before the name of a variable that has the name of a dimension and is not its coordinate.
_NON_COORDINATE = '_nc4_non_coord_'

Names = list[str | None]


class _Array(BackendArray):
    """The values of a dataset, read by selections; text is `str`."""

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset
        self._is_text = metadata_of(dataset.dtype).get('vlen') in (str, bytes)
        self.shape = dataset.shape
        self.dtype = dataset.dtype

    def __getitem__(self, key: Any) -> Any:
        # The service pairs several lists, as NumPy does, where xarray means each by itself.
        support = indexing.IndexingSupport.OUTER_1VECTOR
        return indexing.explicit_indexing_adapter(key, self.shape, support, self._read)

    def _read(self, key: Any) -> Any:
        return self._dataset.asstr(errors='surrogateescape')[key] if self._is_text else self._dataset[key]


class _Member:
    """A dataset of the group with its attributes, as far as they matter for dimensions and for the data."""

    def __init__(self, name: str, dataset: Dataset) -> None:
        self.name = name.removeprefix(_NON_COORDINATE)
        self.dataset = dataset
        described = dataset._description['attributes']
        self.dimensions = {k: _value_of(v) for k, v in described.items() if k in _OF_DIMENSIONS}
        self.attributes = _attributes({k: _value_of(v) for k, v in described.items() if k not in _HIDDEN})
        self.is_scale = _text(self.dimensions.get('CLASS')) == 'DIMENSION_SCALE'
        self.is_variable = not (self.is_scale and _text(self.dimensions.get('NAME')).startswith(_NO_VARIABLE))

    def names(self, by_id: Mapping[str, str], by_number: Mapping[int, str]) -> Names:
        """The names of the dimensions: of scales, else labels, else None."""
        count = self.dataset.ndim
        if self.is_scale and count:
            numbers = np.ravel(self.dimensions.get('_Netcdf4Coordinates', []))
            if len(numbers) == count and all(int(n) in by_number for n in numbers):
                return [by_number[int(n)] for n in numbers]
            return [self.name, *[None] * (count - 1)]
        labels = [_text(label) or None for label in np.ravel(self.dimensions.get('DIMENSION_LABELS', []))]
        names: Names = labels if len(labels) == count else [None] * count
        for axis, ids in enumerate(_scales(self.dimensions)[:count]):
            names[axis] = next((by_id[id] for id in ids if id in by_id), names[axis])
        return names


def _text(value: Any) -> str:
    return value.decode('utf-8', 'surrogateescape') if isinstance(value, bytes) else str(value or '')


def _attributes(values: Mapping[str, Any]) -> dict[str, Any]:
    """Attributes as netCDF has them: text is `str`, an array of one element is that element; null ones are left out."""
    found: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, Empty):
            continue
        if isinstance(value, np.ndarray) and value.size == 1:
            value = value.reshape(-1)[0]
        if isinstance(value, np.ndarray) and value.dtype.kind in 'SO':
            value = [_text(item) for item in value.reshape(-1)]
        found[name] = _text(value) if isinstance(value, bytes) else value
    return found


def _scales(dimensions: Mapping[str, Any]) -> list[list[str]]:
    """The ids of the scales of each dimension."""
    lists = dimensions.get('DIMENSION_LIST', ())
    if isinstance(lists, Empty):
        return []
    return [[ref.rstrip(b'\0').decode().rpartition('/')[2] for ref in refs if ref] for refs in lists]


def _members(group: Group) -> list[_Member]:
    """The datasets of a group that are arrays for xarray; a warning names each of the others."""
    members = []
    opened = group._open_members(list(group), include_attrs=1, encoding='base64')
    for name, dataset in opened.items():
        if not isinstance(dataset, Dataset):
            continue
        try:
            dtype, _shape = dataset.dtype, dataset.shape
            if dtype.subdtype is not None or 'ref' in metadata_of(dtype):
                raise TypeError(f'arrays of xarray have no elements of the type {dtype}')
        except TypeError as reason:
            warnings.warn(f'{dataset.name} is left out: {reason}', stacklevel=2)
            continue
        members.append(_Member(name, dataset))
    return members


def _dimensions(group: Group, members: list[_Member]) -> list[tuple[str, ...]]:
    """A name for each dimension of each member.

    A name has one length: that of its scale, else the largest. Dimensions without a name, of another length, or whose
    name their dataset has already, are `phony_dim_0` and so on, as netCDF calls them: one for each length.
    """
    by_id = {member.dataset.id: member.name for member in members if member.is_scale}
    numbered = [(member.dimensions.get('_Netcdf4Dimid'), member.name) for member in members]
    by_number = {int(number): name for number, name in numbered if number is not None}
    for id in {id for m in members for ids in _scales(m.dimensions) for id in ids} - set(by_id):
        paths = group.domain.send('GET', f'/datasets/{id}', {'getalias': 1})['alias']
        if paths:
            by_id[id] = paths[0].rpartition('/')[2]
    named = [member.names(by_id, by_number) for member in members]
    lengths: dict[str, int] = {}
    for member, names in zip(members, named, strict=True):
        for name, length in zip(names, member.dataset.shape, strict=True):
            if name is not None:
                lengths[name] = max(length, lengths.get(name, 0))
    lengths |= {m.name: m.dataset.shape[0] for m in members if m.is_scale and m.is_variable and m.dataset.shape}
    phony: list[tuple[str, int]] = []
    return [
        _complete(names, member.dataset.shape, lengths, phony) for member, names in zip(members, named, strict=True)
    ]


def _complete(
    names: Names, shape: tuple[int, ...], lengths: Mapping[str, int], phony: list[tuple[str, int]]
) -> tuple[str, ...]:
    """The names with phony ones in their gaps; new ones go into `phony`, pairs of name and length."""
    complete: list[str] = []
    seen: Counter[int] = Counter()
    for name, length in zip(names, shape, strict=True):
        if name is None or lengths[name] != length or name in complete:
            same = [known for known, known_length in phony if known_length == length]
            if seen[length] == len(same):
                same.append(f'phony_dim_{len(phony)}')
                phony.append((same[-1], length))
            name = same[seen[length]]
            seen[length] += 1
        complete.append(name)
    return tuple(complete)


class _Store(AbstractDataStore):
    """A group, in the form in which xarray decodes times, masks and scales."""

    def __init__(self, group: Group) -> None:
        self._group = group

    def get_variables(self) -> dict[str, xarray.Variable]:
        members = _members(self._group)
        dimensions = _dimensions(self._group, members)
        return {
            member.name: _variable(member, names)
            for member, names in zip(members, dimensions, strict=True)
            if member.is_variable
        }

    def get_attrs(self) -> dict[str, Any]:
        return _attributes({k: v for k, v in self._group.attrs.items() if k not in _HIDDEN})

    def get_dimensions(self) -> dict[str, int]:
        return {}

    def get_encoding(self) -> dict[str, Any]:
        # Without it xarray keeps the address as it was given, with its login.
        return {'source': self._group.domain.server.url + self._group.domain.path}

    def close(self) -> None:
        self._group.domain.server.close()


def _variable(member: _Member, names: tuple[str, ...]) -> xarray.Variable:
    dataset = member.dataset
    encoding: dict[str, Any] = {'original_shape': dataset.shape}
    if dataset.chunks and dataset.size:
        chunks = [min(chunk, extent) for chunk, extent in zip(dataset.chunks, dataset.shape, strict=True)]
        encoding |= {'chunksizes': tuple(chunks), 'preferred_chunks': dict(zip(names, chunks, strict=True))}
    return xarray.Variable(names, indexing.LazilyIndexedArray(_Array(dataset)), member.attributes, encoding)


class HyperslabBackend(BackendEntrypoint):
    """The engine `hyperslab`."""

    description = 'Groups of HDF5 domains that Hyperslab serves'

    def guess_can_open(self, filename_or_obj: Any) -> bool:
        return isinstance(filename_or_obj, str) and filename_or_obj.startswith('hyperslab://')

    def open_dataset(  # type: ignore[override]
        self,
        filename_or_obj: Any,
        *,
        mask_and_scale: Any = True,
        decode_times: Any = True,
        concat_characters: Any = True,
        decode_coords: Any = True,
        drop_variables: str | Iterable[str] | None = None,
        use_cftime: Any = None,
        decode_timedelta: Any = None,
        group: str = '/',
        service: str | None = None,
        user: str | None = None,
        token: str | None = None,
    ) -> Any:
        """The group at a path of a domain: `hyperslab://host/path`, `https://host/path`, or a path with `service`.

        With `chunks` a path is written `hyperslab:///path`: xarray looks for a local file at one without a scheme.
        """
        named, path = split_address(str(filename_or_obj))
        url = service or named.get('service')
        if url is None:
            raise ValueError("name the service: 'http://host:port/path', or service='https://host'")
        login = user if user is not None or token is not None else named.get('user')
        with ExitStack() as stack:
            server = stack.enter_context(connect(url, user=login, token=token))
            found = server.open(path)[group]
            if not isinstance(found, Group):
                raise TypeError(f'{group} of {path} is no group: open the group that has it')
            opened = StoreBackendEntrypoint().open_dataset(
                _Store(found),
                mask_and_scale=mask_and_scale,
                decode_times=decode_times,
                concat_characters=concat_characters,
                decode_coords=decode_coords,
                drop_variables=drop_variables,
                use_cftime=use_cftime,
                decode_timedelta=decode_timedelta,
            )
            # The arrays read from the service until the dataset is closed.
            stack.pop_all()
            return opened
