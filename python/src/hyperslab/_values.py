"""Elements as bytes and as JSON, both ways, and `/values`, which carries all values of datasets.

Elements of fixed size are bytes in the order of their type. A part of variable size is the number of its bytes (32
bits, little-endian) and the bytes; plain numbers beside it in a compound are little-endian in requests.
"""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Iterator
from operator import index
from secrets import token_hex
from typing import Any

import numpy as np

from ._types import DType, Json, is_variable, metadata_of

Array = np.ndarray[Any, Any]
Bytes = bytes | memoryview
_COUNT = struct.Struct('<i')


def split_shape(shape: tuple[int, ...], dtype: DType) -> tuple[tuple[int, ...], DType]:
    """The shape of an array with that of an array type behind it, and the type of its elements."""
    if dtype.subdtype is None:
        return shape, dtype
    return shape + dtype.subdtype[1], dtype.subdtype[0]


def decode(data: memoryview, dtype: DType, shape: tuple[int, ...]) -> Array:
    """The elements of an answer, as an array of its own memory."""
    shape, dtype = split_shape(shape, dtype)
    count = int(np.prod(shape, dtype=np.int64))
    if not is_variable(dtype):
        return np.frombuffer(data, dtype, count).reshape(shape).copy()
    array = np.empty(count, dtype)
    position = 0
    for i in range(count):
        array[i], position = _decode_element(data, position, dtype)
    return array.reshape(shape)


def _decode_element(data: memoryview, position: int, dtype: DType) -> tuple[Any, int]:
    if not is_variable(dtype):
        end = position + dtype.itemsize
        if dtype.subdtype is not None:
            return np.frombuffer(data[position:end], dtype.base).reshape(dtype.shape), end
        return np.frombuffer(data[position:end], dtype)[0], end
    if dtype.names is not None:
        members = []
        for name in dtype.names:
            member, position = _decode_element(data, position, dtype[name])
            members.append(member)
        return tuple(members), position
    if dtype.subdtype is not None:
        items = np.empty(int(np.prod(dtype.shape)), dtype.base)
        for i in range(len(items)):
            items[i], position = _decode_element(data, position, dtype.base)
        return items.reshape(dtype.shape), position
    start = position + 4
    end = start + _COUNT.unpack_from(data, position)[0]
    return _variable_of(dtype, data[start:end].tobytes()), end


def _variable_of(dtype: DType, data: bytes) -> Any:
    metadata = metadata_of(dtype)
    if 'ref' in metadata:
        return json.loads(data) if data else None
    base = metadata['vlen']
    return data if base in (str, bytes) else np.frombuffer(data, base).copy()


def whole_numbers(size: Any) -> tuple[int, ...]:
    """Extents, of NumPy too, as integers of Python; a single one is a tuple of it."""
    return tuple(index(extent) for extent in (size if isinstance(size, (tuple, list)) else (size,)))


def extents_of(value: Any, dtype: DType) -> tuple[int, ...]:
    """The shape of a dataset for a value: a list of sequences has one dimension."""
    if dtype.subdtype is not None:
        return np.shape(value)[: -len(dtype.shape)]
    if isinstance(value, np.ndarray) or not is_variable(dtype):
        return np.shape(value)
    if dtype.names is not None:
        return np.array(value, dtype).shape
    if metadata_of(dtype).get('vlen') in (str, bytes):
        return np.shape(np.asarray(value, object))
    return (len(value),)


def arrange(value: Any, dtype: DType, shape: tuple[int, ...]) -> Array:
    """A value as an array of a dtype, which broadcasts to a shape; `ValueError` or `TypeError` if it cannot."""
    shape, dtype = split_shape(shape, dtype)
    if is_variable(dtype):
        array = np.empty(shape, dtype)
        whole = value if isinstance(value, np.ndarray) and value.dtype.hasobject else None
        if whole is not None or isinstance(value, (str, bytes)):
            elements = np.broadcast_to(np.asarray(value, object if whole is None else whole.dtype), shape)
            array.reshape(-1)[:] = elements.reshape(-1)
            return array
        flat = array.reshape(-1)
        count = 0
        for element in _elements(value, len(shape)):
            if count == len(flat):
                break
            flat[count] = element
            count += 1
        if count != len(flat):
            raise ValueError(f'{len(flat)} elements (shape {shape}) are needed, the value has {count}')
        return array
    if dtype.kind == 'S':
        source = np.asarray(value)
        if source.dtype.kind == 'O':
            encoded = [v.encode() if isinstance(v, str) else v for v in source.flat]
            source = np.array(encoded, 'S').reshape(source.shape)
        elif source.dtype.kind == 'U':
            source = np.char.encode(source, 'utf-8')
        array = source.astype(dtype)
    else:
        array = np.asarray(value, dtype)
    np.broadcast_shapes(array.shape, shape)
    return array if array.size == 1 else np.broadcast_to(array, shape)


def _elements(value: Any, rank: int) -> Iterator[Any]:
    if rank == 0:
        yield value
        return
    for item in value:
        yield from _elements(item, rank - 1)


def encode(array: Array, dtype: DType) -> Bytes:
    """The elements of an arranged array in the bytes of a request."""
    _, dtype = split_shape((), dtype)
    if not is_variable(dtype):
        return np.ascontiguousarray(array).reshape(-1).view('u1').data
    parts: list[bytes] = []
    for element in array.reshape(-1):
        _encode_element(element, dtype, parts)
    return b''.join(parts)


def _encode_element(element: Any, dtype: DType, parts: list[bytes]) -> None:
    if not is_variable(dtype):
        parts.append(np.asarray(element, dtype.base).tobytes())
    elif dtype.names is not None:
        for name, member in zip(dtype.names, element, strict=True):
            member_type = dtype[name]
            is_plain = member_type.subdtype is None and not is_variable(member_type)
            _encode_element(member, member_type.newbyteorder('<') if is_plain else member_type, parts)
    elif dtype.subdtype is not None:
        for item in np.asarray(element, dtype.base).reshape(-1):
            _encode_element(item, dtype.base, parts)
    else:
        data = _bytes_of(element, metadata_of(dtype))
        parts += (_COUNT.pack(len(data)), data)


def _bytes_of(element: Any, metadata: dict[str, Any]) -> bytes:
    if element is None or (isinstance(element, int) and element == 0):
        return b''
    if 'ref' in metadata:
        return json.dumps(element).encode()
    if metadata['vlen'] in (str, bytes):
        return element.encode() if isinstance(element, str) else bytes(element)
    return np.asarray(element, metadata['vlen']).tobytes()


def parse_json(value: Json, dtype: DType, shape: tuple[int, ...]) -> Array:
    """Elements of JSON, which attributes of variable size have."""
    array = np.empty(shape, dtype) if dtype.subdtype is None else np.empty(shape, object)
    flat = array.reshape(-1)
    for i, element in enumerate(_elements(value, len(shape))):
        flat[i] = parse_element(element, dtype)
    return array


def parse_element(value: Json, dtype: DType) -> Any:
    metadata = metadata_of(dtype)
    if dtype.subdtype is not None:
        return parse_json(value, dtype.base, dtype.shape)
    if dtype.names is not None:
        types = [dtype[name] for name in dtype.names]
        return tuple(parse_element(v, t) for v, t in zip(value, types, strict=True))
    if 'vlen' in metadata and metadata['vlen'] not in (str, bytes):
        base = metadata['vlen']
        return np.array([parse_element(v, base) for v in value or []], base)
    if 'ref' in metadata or dtype.kind == 'O':
        return value
    if dtype.kind in 'VMm':
        return np.frombuffer(base64.b64decode(value), dtype)[0]
    if dtype.kind == 'S':
        return value.encode()
    if dtype.kind == 'c':
        return complex(*(np.nan if part is None else float(part) for part in value))
    return np.nan if value is None else np.asarray(value).astype(dtype)[()]


def format_json(element: Any, dtype: DType) -> Json:
    """One element as JSON, for attributes of variable size and fill values."""
    metadata = metadata_of(dtype)
    if dtype.names is not None:
        types = [dtype[name] for name in dtype.names]
        return [format_json(v, t) for v, t in zip(element, types, strict=True)]
    if dtype.subdtype is not None:
        return [format_json(v, dtype.base) for v in np.asarray(element).reshape(-1)]
    if 'vlen' in metadata and metadata['vlen'] not in (str, bytes):
        return [format_json(v, metadata['vlen']) for v in ([] if element is None else element)]
    if dtype.kind in 'VMm':
        return base64.b64encode(np.asarray(element, dtype).tobytes()).decode()
    if dtype.kind == 'c':
        return [float(element.real), float(element.imag)]
    if isinstance(element, bytes):
        return element.decode()
    return element.item() if isinstance(element, np.generic) else element


def split_parts(data: bytes, content_type: str) -> Iterator[tuple[bytes, memoryview]]:
    """The content type and the body of each part of a multipart answer, whose parts have lengths."""
    view = memoryview(data)
    delimiter = b'--' + content_type.rsplit('boundary=', 1)[-1].strip('"').encode()
    position = 0
    while True:
        position += len(delimiter)
        if data[position : position + 2] == b'--':
            return
        end = data.index(b'\r\n\r\n', position)
        lines = (line.partition(b': ') for line in data[position + 2 : end].split(b'\r\n'))
        headers = {name.lower(): value for name, _, value in lines}
        start = end + 4
        length = headers.get(b'content-length')
        stop = start + int(length) if length is not None else data.index(b'\r\n' + delimiter, start)
        yield headers[b'content-type'], view[start:stop]
        position = stop + 2


def join_parts(items: list[Json], bodies: list[Bytes]) -> tuple[bytes, str]:
    """A multipart body of the list of items and the bytes of each, and its content type."""
    boundary = token_hex(24)
    head = f'--{boundary}\r\nContent-Type: application/json\r\n\r\n{json.dumps({"values": items})}'
    pieces: list[Bytes] = [head.encode()]
    for body in bodies:
        pieces += (f'\r\n--{boundary}\r\nContent-Type: application/octet-stream\r\n\r\n'.encode(), body)
    pieces.append(f'\r\n--{boundary}--\r\n'.encode())
    return b''.join(pieces), f'multipart/mixed; boundary={boundary}'
