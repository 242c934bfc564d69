"""The service's JSON of datatypes and the dtypes of NumPy, with the metadata that h5py gives its dtypes.

`metadata` of a dtype: `vlen` is `str` or `bytes` for strings of variable length, or the dtype of a sequence's
elements; `enum` is the mapping; `ref` is `object` or `region`. `h5py.check_string_dtype` and the like read them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Json = Any
DType = np.dtype[Any]

_BOOLEAN = {'FALSE': 0, 'TRUE': 1}
_REAL_IMAGINARY = ({'r', 'i'}, {'real', 'imag'}, {'re', 'im'})


def _with(base: Any, metadata: dict[str, Any]) -> DType:
    make: Any = np.dtype  # The stubs of NumPy 1 do not know `metadata`.
    dtype: DType = make(base, metadata=metadata)
    return dtype


def string_dtype(encoding: str = 'utf-8', length: int | None = None) -> DType:
    """The dtype of strings of variable length, or of `length` bytes each; `encoding` is `utf-8` or `ascii`."""
    if length is None:
        return _with('O', {'vlen': str if encoding == 'utf-8' else bytes})
    return _with(f'S{length}', {'h5py_encoding': encoding})


def vlen_dtype(base: Any) -> DType:
    """The dtype of sequences: each element is an array of any length."""
    return _with('O', {'vlen': np.dtype(base)})


def enum_dtype(values: dict[str, int], base: Any = 'i4') -> DType:
    """The dtype of an enum: integers with names."""
    return _with(base, {'enum': dict(values)})


def metadata_of(dtype: DType) -> dict[str, Any]:
    """The metadata of a dtype, empty if there are none."""
    return dict(dtype.metadata or {})


def is_variable(dtype: DType) -> bool:
    """Whether elements, or parts of them, have variable size."""
    return dtype.hasobject


def _predefined(name: str) -> DType:
    """The dtype of a name such as `H5T_STD_I32LE`; without an order it is little-endian."""
    _, family, text = name.split('_')
    order = '>' if text.endswith('BE') else '<'
    bits = int(text.rstrip('BLE')[1:])
    kind = 'f' if family == 'IEEE' else 'i' if text.startswith('I') else 'u'
    return np.dtype(f'{order}{kind}{bits // 8}')


def parse_type(json: Json) -> DType:
    """The dtype of a type in the service's JSON; `TypeError` for a class that is unknown here."""
    if isinstance(json, str):
        return _predefined(json)
    kind = json['class']
    if kind in ('H5T_INTEGER', 'H5T_FLOAT', 'H5T_BITFIELD'):
        return _predefined(json['base'])
    if kind == 'H5T_STRING':
        encoding = 'utf-8' if json.get('charSet') == 'H5T_CSET_UTF8' else 'ascii'
        length = json['length']
        return string_dtype(encoding, None if length == 'H5T_VARIABLE' else length)
    if kind == 'H5T_ENUM':
        base = parse_type(json['base'])
        if base.itemsize == 1 and json['mapping'] == _BOOLEAN:
            return np.dtype('?')
        return enum_dtype(json['mapping'], base)
    if kind == 'H5T_ARRAY':
        dims = json['dims']
        return np.dtype((parse_type(json['base']), tuple(dims) if isinstance(dims, list) else (dims,)))
    if kind == 'H5T_VLEN':
        return vlen_dtype(parse_type(json['base']))
    if kind == 'H5T_OPAQUE':
        tag = str(json.get('tag', ''))
        return np.dtype(tag[len('NUMPY:') :]) if tag.startswith('NUMPY:') else np.dtype(f'V{json["size"]}')
    if kind == 'H5T_REFERENCE':
        if json['base'] == 'H5T_STD_REF_OBJ':
            return _with('S48', {'ref': 'object'})
        return _with('O', {'ref': 'region'})
    if kind == 'H5T_COMPOUND':
        return _parse_compound(json['fields'])
    raise TypeError(f'the type class {kind} is unknown to this client')


def _parse_compound(fields: Json) -> DType:
    members = [(field['name'], parse_type(field['type'])) for field in fields]
    if len(members) == 2:
        (first, one), (second, other) = members
        if one == other and one.kind == 'f' and one.itemsize >= 4:
            names = {first.lower(), second.lower()}
            if names in _REAL_IMAGINARY and first.lower()[0] == 'r':
                return np.dtype(f'{one.byteorder}c{2 * one.itemsize}')
    return np.dtype(members)


def format_type(dtype: DType) -> Json:
    """The service's JSON of a dtype; `TypeError` for a dtype that HDF5 has no type for."""
    metadata = metadata_of(dtype)
    if dtype.subdtype is not None:
        base, dims = dtype.subdtype
        return {'class': 'H5T_ARRAY', 'base': format_type(base), 'dims': list(dims)}
    if dtype.names is not None:
        fields = [{'name': n, 'type': format_type(dtype[n])} for n in dtype.names]
        return {'class': 'H5T_COMPOUND', 'fields': fields}
    if 'enum' in metadata:
        base = format_type(np.dtype(dtype.str))['base']
        return {'class': 'H5T_ENUM', 'base': base, 'mapping': {k: int(v) for k, v in metadata['enum'].items()}}
    if 'ref' in metadata:
        is_region = metadata['ref'] == 'region'
        return {'class': 'H5T_REFERENCE', 'base': 'H5T_STD_REF_DSETREG' if is_region else 'H5T_STD_REF_OBJ'}
    if 'vlen' in metadata:
        if metadata['vlen'] in (str, bytes):
            return _string('H5T_VARIABLE', metadata['vlen'] is str)
        return {'class': 'H5T_VLEN', 'base': format_type(np.dtype(metadata['vlen']))}
    return _format_plain(dtype, metadata)


def _format_plain(dtype: DType, metadata: dict[str, Any]) -> Json:
    order = 'BE' if dtype.str[0] == '>' else 'LE'
    bits = dtype.itemsize * 8
    if dtype.kind == 'b':
        return {'class': 'H5T_ENUM', 'base': 'H5T_STD_I8LE', 'mapping': _BOOLEAN}
    if dtype.kind in 'iu':
        return {'class': 'H5T_INTEGER', 'base': f'H5T_STD_{dtype.kind.upper()}{bits}{order}'}
    if dtype.kind == 'f' and dtype.itemsize <= 8:
        return {'class': 'H5T_FLOAT', 'base': f'H5T_IEEE_F{bits}{order}'}
    if dtype.kind == 'c' and dtype.itemsize <= 16:
        part = {'class': 'H5T_FLOAT', 'base': f'H5T_IEEE_F{bits // 2}{order}'}
        return {'class': 'H5T_COMPOUND', 'fields': [{'name': 'r', 'type': part}, {'name': 'i', 'type': part}]}
    if dtype.kind == 'S' and dtype.itemsize > 0:
        return _string(dtype.itemsize, metadata.get('h5py_encoding') == 'utf-8')
    if dtype.kind in 'Mm':
        return {'class': 'H5T_OPAQUE', 'size': 8, 'tag': f'NUMPY:{dtype.str}'}
    if dtype.kind == 'V' and dtype.itemsize > 0:
        return {'class': 'H5T_OPAQUE', 'size': dtype.itemsize, 'tag': ''}
    raise TypeError(f'HDF5 has no type for the dtype {dtype}: for text use hyperslab.string_dtype()')


def _string(length: int | str, is_utf8: bool) -> Json:
    character_set = 'H5T_CSET_UTF8' if is_utf8 else 'H5T_CSET_ASCII'
    padding = 'H5T_STR_NULLTERM' if length == 'H5T_VARIABLE' else 'H5T_STR_NULLPAD'
    return {'class': 'H5T_STRING', 'charSet': character_set, 'strPad': padding, 'length': length}


def guess_dtype(value: Any) -> DType:
    """The dtype for a value without one, as h5py chooses it: text is of variable length."""
    if isinstance(value, str):
        return string_dtype()
    array = np.asarray(value)
    if array.dtype.kind == 'U':
        return string_dtype()
    if array.dtype.kind == 'O' and not metadata_of(array.dtype):
        if all(isinstance(item, str) for item in array.flat):
            return string_dtype()
        raise TypeError('objects of Python have no type in HDF5: give a dtype')
    return array.dtype
