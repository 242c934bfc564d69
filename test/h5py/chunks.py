"""Chunks as libhdf5 encodes and decodes them, one JSON object a line. Bytes are in base64.

chunks.py make FOLDER SEED COUNT ID...: datasets of one chunk each, as many of every filter that is available.
chunks.py decode FOLDER: for each {"name", "encoded"} on stdin, what the library reads when the chunk holds that.
chunks.py assemble FOLDER: for each dataset on stdin, of int32 and with its chunks, all that the library reads of it;
null when it lacks a filter.
"""
import base64
import ctypes
import json
import os
import random
import sys

import h5py
import numpy as np
from h5py import h5d, h5f, h5p, h5s, h5t, h5z

try:
    import hdf5plugin  # noqa: F401  registers what it has
except ImportError:
    pass

DEFLATE, SHUFFLE, FLETCHER32, SZIP, NBIT, SCALEOFFSET = range(1, 7)
LZF, BLOSC, LZ4, BITSHUFFLE, ZSTD = 32000, 32001, 32004, 32008, 32015
ORDERS = {'LE': h5t.ORDER_LE, 'BE': h5t.ORDER_BE}


def to_text(data):
    return base64.b64encode(bytes(data)).decode('ascii')


def packed_integer(order, size, signed):
    type_id = getattr(h5t, f"STD_{'I' if signed else 'U'}{size * 8}{order}").copy()
    return type_id, {'class': 'H5T_INTEGER', 'size': size, 'signed': signed, 'order': order}


def any_integer(rng, reduced=False):
    size, signed, order = rng.choice([1, 2, 4, 8]), rng.random() < 0.5, rng.choice(['LE', 'BE'])
    type_id, model = packed_integer(order, size, signed)
    if reduced:
        precision = rng.randint(1, size * 8)
        offset = rng.randint(0, size * 8 - precision) if rng.random() < 0.5 else 0
        type_id.set_precision(precision)
        type_id.set_offset(offset)
        # The model keeps the number in the lowest bits, so that it cannot tell of an offset.
        model = None if offset else {**model, 'precision': precision}
    return type_id, model


def any_float(rng, sizes=(4, 8)):
    size, order = rng.choice(sizes), rng.choice(['LE', 'BE'])
    return getattr(h5t, f'IEEE_F{size * 8}{order}').copy(), {'class': 'H5T_FLOAT', 'size': size, 'order': order}


def any_type(rng, depth=0):
    """A type of fixed size, and how the model says it; None where it cannot."""
    kind = rng.randint(0, 7 if depth < 3 else 4)
    if kind <= 1:
        return any_integer(rng, reduced=True)
    if kind == 2:
        return any_float(rng)
    if kind == 3:
        size = rng.randint(1, 9)
        type_id = h5t.create(h5t.OPAQUE, size)
        type_id.set_tag(b'')
        return type_id, {'class': 'H5T_OPAQUE', 'size': size}
    if kind == 4:
        size = rng.randint(1, 9)
        type_id = h5t.C_S1.copy()
        type_id.set_size(size)
        return type_id, {'class': 'H5T_STRING', 'length': size, 'charSet': 'H5T_CSET_ASCII', 'strPad': 'H5T_STR_NULLTERM'}
    if kind == 5:
        # Of arrays and compounds at the top only: inside compounds the n-bit filter of libhdf5 garbles them.
        base, model = any_type(rng, 1 if depth == 0 else 3)
        dims = tuple(rng.randint(1, 3) for _ in range(rng.randint(1, 2)))
        return h5t.array_create(base, dims), model and {'class': 'H5T_ARRAY', 'base': model, 'dims': dims}
    return any_compound(rng, depth)


def any_compound(rng, depth):
    members = [any_type(rng, depth + 1) for _ in range(rng.randint(1, 4))]
    gap = rng.choice([0, 0, 0, 3])
    type_id = h5t.create(h5t.COMPOUND, sum(t.get_size() + gap for t, _ in members))
    fields, offset = [], 0
    for i, (member, model) in enumerate(members):
        type_id.insert(b'm%d' % i, offset, member)
        fields.append({'name': f'm{i}', 'type': model})
        offset += member.get_size() + gap
    known = gap == 0 and all(model for _, model in members)
    return type_id, {'class': 'H5T_COMPOUND', 'fields': fields} if known else None


def any_dims(rng):
    return tuple(rng.randint(1, rng.choice([3, 9, 20])) for _ in range(rng.randint(1, 3)))


def any_bytes(rng, length):
    way = rng.randint(0, 3)
    if way == 0:
        return bytes(rng.randrange(256) for _ in range(length))
    if way == 1:
        return bytes([rng.randrange(256)]) * length
    if way == 2:
        return bytes((i // 3) & 255 for i in range(length))
    word = bytes(rng.randrange(4) for _ in range(rng.randint(1, 12)))
    return (word * (length // len(word) + 1))[:length]


def any_integers(rng, dtype, count):
    info = np.iinfo(dtype)
    reach = rng.choice([0, 1, 2, 100, 2**20, 2**40, info.max - info.min - 2, info.max - info.min])
    low = rng.randint(info.min, max(info.min, info.max - reach))
    high = min(info.max, low + reach)
    return np.array([rng.randint(low, high) for _ in range(count)], dtype)


def any_floats(rng, dtype, count):
    reach = rng.choice([0, 1, 1000, 1e9, 1e17])
    base = rng.uniform(-reach, reach)
    return np.array([base + rng.uniform(-1, 1) * reach / rng.choice([1, 1000]) for _ in range(count)], dtype)


def scaleoffset_case(rng, dcpl, count):
    """The type, its model, options of the filter, the fill value and the elements; sets the filter."""
    if rng.random() < 0.5:
        type_id, model = any_integer(rng)
        data = any_integers(rng, type_id.dtype, count)
        spread = int(data.max()) - int(data.min()) + 1
        # Bits that are too few would lose something, and leave the highest number to the fill value.
        least = spread.bit_length()
        most = type_id.get_size() * 8
        factor = 0 if rng.random() < 0.5 or least > most else rng.randint(least, most)
        dcpl.set_scaleoffset(h5z.SO_INT, factor)
        options = {'scaleOffset': factor}
    else:
        type_id, model = any_float(rng)
        data = any_floats(rng, type_id.dtype, count)
        factor = rng.randint(0, 6)
        dcpl.set_scaleoffset(h5z.SO_FLOAT_DSCALE, factor)
        options = {'scaleOffset': factor}
    fill = None
    if rng.random() < 0.6:
        fill = data[rng.randrange(count)] if rng.random() < 0.7 else data.dtype.type(7)
        fill = np.array(fill, data.dtype)
        dcpl.set_fill_value(fill)
        for i in range(count):
            if rng.random() < 0.3:
                data[i] = fill
    return type_id, model, options, fill, data.tobytes()


def any_parameters(rng, filter_id):
    if filter_id == BITSHUFFLE:
        return rng.choice([(), (0,), (8,), (64,), (0, 0), (0, 2), (16, 2)])
    if filter_id == LZ4:
        return rng.choice([(), (0,), (16,), (1000,)])
    if filter_id == ZSTD:
        return (rng.randint(1, 19),)
    if filter_id == BLOSC:
        # Versions and lengths, which the filter sets; level, shuffle, compressor.
        return (0, 0, 0, 0, rng.randint(1, 9), rng.randint(0, 2), rng.randint(0, 5))
    return ()


def make_case(rng, filter_id):
    dims = any_dims(rng)
    count = int(np.prod(dims))
    dcpl = h5p.create(h5p.DATASET_CREATE)
    dcpl.set_chunk(dims)
    options, fill, data = {}, None, None
    if filter_id == SCALEOFFSET:
        type_id, model, options, fill, data = scaleoffset_case(rng, dcpl, count)
    elif filter_id == SZIP:
        type_id, model = rng.choice([any_integer, any_float])(rng)
        pixels = rng.choice([2, 4, 8, 10, 16, 32])
        if count < pixels:
            dims = (*dims[:-1], dims[-1] * pixels)
            count *= pixels
            dcpl.set_chunk(dims)
        dcpl.set_szip(rng.choice([h5z.SZIP_EC_OPTION_MASK, h5z.SZIP_NN_OPTION_MASK]), pixels)
        if model['class'] == 'H5T_INTEGER':
            data = np.sort(any_integers(rng, type_id.dtype, count))
            if rng.random() < 0.5:
                precision = rng.randint(1, type_id.get_size() * 8)
                type_id.set_precision(precision)
                unsigned = data.dtype.str.replace('i', 'u')
                data = np.array([int(value) & ((1 << precision) - 1) for value in data], unsigned)
            data = data.tobytes()
    elif filter_id == DEFLATE:
        type_id, model = any_type(rng)
        options = {'level': rng.randint(0, 9)}
        dcpl.set_deflate(options['level'])
    else:
        type_id, model = any_type(rng)
        if filter_id == BLOSC and rng.random() < 0.2:
            # More than one block.
            dims = (*dims[:-1], dims[-1] * rng.randint(1, 300_000 // type_id.get_size() // count + 1))
            count = int(np.prod(dims))
            dcpl.set_chunk(dims)
        parameters = any_parameters(rng, filter_id)
        if parameters:
            options = {'parameters': parameters}
        dcpl.set_filter(filter_id, h5z.FLAG_MANDATORY if filter_id == BITSHUFFLE else h5z.FLAG_OPTIONAL, parameters)
    if data is None:
        data = any_bytes(rng, count * type_id.get_size())
    return dims, dcpl, type_id, model, options, fill, data


def read_raw(dataset, length):
    """What the filters make of the chunk, without any conversion."""
    out = np.zeros(length, np.uint8)
    dataset.read(h5s.ALL, h5s.ALL, out, dataset.get_type())
    return out.tobytes()


def client_data(dataset):
    """All of them: h5py tells only the first 16."""
    values, count = (ctypes.c_uint * 256)(), ctypes.c_size_t(256)
    flags, config = ctypes.c_uint(), ctypes.c_uint()
    with open('/proc/self/maps') as maps:
        library = next(line.split()[-1] for line in maps if 'libhdf5' in line and '_hl' not in line)
    get_filter = ctypes.CDLL(library).H5Pget_filter2
    get_filter.argtypes = [ctypes.c_int64, ctypes.c_uint] + [ctypes.c_void_p] * 3 + [ctypes.c_size_t] + [ctypes.c_void_p] * 2
    plist = dataset.get_create_plist()
    if get_filter(plist.id, 0, ctypes.byref(flags), ctypes.byref(count), values, 0, None, ctypes.byref(config)) < 0:
        raise OSError('no filter')
    return list(values[:count.value])


def make(folder, seed, count, filters):
    file = h5f.create(os.path.join(folder, 'chunks.h5').encode())
    for filter_id in filters:
        if not h5z.filter_avail(filter_id):
            continue
        rng = random.Random(seed * 100_000 + filter_id)
        for i in range(count):
            name = f'{filter_id} {i}'
            dims, dcpl, type_id, model, options, fill, data = make_case(rng, filter_id)
            dataset = h5d.create(file, name.encode(), type_id, h5s.create_simple(dims), dcpl)
            dataset.write(h5s.ALL, h5s.ALL, np.frombuffer(data, np.uint8), type_id)
            del dataset  # Open, it would answer with what was written.
            dataset = h5d.open(file, name.encode())
            mask, encoded = dataset.read_direct_chunk((0,) * len(dims))
            print(json.dumps({
                'name': name,
                'filter': filter_id,
                'options': options,
                'type': model,
                'elementSize': type_id.get_size(),
                'chunkDims': dims,
                'fillValue': None if fill is None else to_text(fill.tobytes()),
                'clientData': client_data(dataset),
                'data': to_text(data),
                'mask': mask,
                'encoded': to_text(encoded),
                'decoded': to_text(read_raw(dataset, len(data))),
            }))


def decode(folder):
    file = h5f.open(os.path.join(folder, 'chunks.h5').encode(), h5f.ACC_RDWR)
    for line in sys.stdin:
        case = json.loads(line)
        dataset = h5d.open(file, case['name'].encode())
        encoded = base64.b64decode(case['encoded'])
        dims = dataset.shape
        dataset.write_direct_chunk((0,) * len(dims), encoded, 0)
        del dataset  # Open, it would answer with what it read last.
        dataset = h5d.open(file, case['name'].encode())
        length = int(np.prod(dims)) * dataset.get_type().get_size()
        print(json.dumps({'name': case['name'], 'decoded': to_text(read_raw(dataset, length))}))


def assemble(folder):
    file = h5f.create(os.path.join(folder, 'assembled.h5').encode())
    for line in sys.stdin:
        case = json.loads(line)
        if not all(h5z.filter_avail(step['id']) for step in case['pipeline']):
            print(json.dumps({'name': case['name'], 'values': None}))
            continue
        dcpl = h5p.create(h5p.DATASET_CREATE)
        dcpl.set_chunk(tuple(case['chunkDims']))
        for step in case['pipeline']:
            dcpl.set_filter(step['id'], h5z.FLAG_OPTIONAL, tuple(step['clientData']))
        name = case['name'].encode()
        dataset = h5d.create(file, name, h5t.STD_I32LE, h5s.create_simple(tuple(case['dims'])), dcpl)
        for chunk in case['chunks']:
            dataset.write_direct_chunk(tuple(chunk['offset']), base64.b64decode(chunk['bytes']), chunk['mask'])
        del dataset
        dataset = h5d.open(file, name)
        print(json.dumps({'name': case['name'], 'values': to_text(read_raw(dataset, 4 * int(np.prod(case['dims']))))}))


if sys.argv[1] == 'make':
    make(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), [int(arg) for arg in sys.argv[5:]])
elif sys.argv[1] == 'decode':
    decode(sys.argv[2])
else:
    assemble(sys.argv[2])
