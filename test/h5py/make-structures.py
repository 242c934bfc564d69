# Writes small HDF5 files that hold every structure of the format which libhdf5 writes into the folder named on the
# command line: chunk indexes, filters, types, widths of addresses, heaps, shared messages and what killed writers
# leave. With `all` after the folder, each in every pair of library bounds and with several widths and user blocks: some
# hundred files.

import ctypes
import itertools
import os
import re
import shutil
import sys

import h5py
import numpy as np
from h5py import h5d, h5f, h5g, h5l, h5o, h5p, h5r, h5s, h5t, h5z

folder = sys.argv[1]
EVERYTHING = sys.argv[2:] == ['all']
os.makedirs(folder, exist_ok=True)
os.chdir(folder)

with open('/proc/self/maps') as maps:
    paths = {line.split()[-1] for line in maps}
LIBRARY = ctypes.CDLL(next(path for path in paths if re.search(r'/libhdf5(?!.*_hl)[^/]*\.so', path)))
hid_t = ctypes.c_int64
for name in ('H5Pset_chunk_opts', 'H5Pset_deflate', 'H5Pset_shared_mesg_nindexes'):
    getattr(LIBRARY, name).argtypes = [hid_t, ctypes.c_uint]
LIBRARY.H5Pset_shared_mesg_index.argtypes = [hid_t] + [ctypes.c_uint] * 3
LIBRARY.H5Pset_shared_mesg_phase_change.argtypes = [hid_t] + [ctypes.c_uint] * 2
LIBRARY.H5Pset_attr_phase_change.argtypes = [hid_t] + [ctypes.c_uint] * 2
LIBRARY.H5Pset_link_phase_change.argtypes = [hid_t] + [ctypes.c_uint] * 2
LIBRARY.H5Pset_sym_k.argtypes = [hid_t] + [ctypes.c_uint] * 2
LIBRARY.H5Pset_istore_k.argtypes = [hid_t, ctypes.c_uint]
LIBRARY.H5Pset_fill_value.argtypes = [hid_t, hid_t, ctypes.c_void_p]
LIBRARY.H5Lcreate_ud.argtypes = [hid_t, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_size_t, hid_t, hid_t]

BOUNDS = {name: getattr(h5f, f'LIBVER_{name.upper()}') for name in ('earliest', 'v18', 'v108', 'v110', 'v112', 'v114', 'latest')
          if hasattr(h5f, f'LIBVER_{name.upper()}')}


def open_file(name, bounds=('earliest', 'latest'), sizes=(8, 8), userblock=0, prepare=None):
    creation = h5p.create(h5p.FILE_CREATE)
    creation.set_sizes(*sizes)
    if userblock:
        creation.set_userblock(userblock)
    if prepare:
        prepare(creation)
    access = h5p.create(h5p.FILE_ACCESS)
    access.set_libver_bounds(*(BOUNDS[bound] for bound in bounds))
    access.set_fclose_degree(h5f.CLOSE_STRONG)
    if hasattr(LIBRARY, 'H5Pset_relax_file_integrity_checks'):
        # Or newer libraries write no floats with many unused bits.
        LIBRARY.H5Pset_relax_file_integrity_checks(hid_t(access.id), ctypes.c_uint64(1))
    return h5py.File(h5f.create(name.encode(), h5f.ACC_TRUNC, creation, access))


def create(file, name, shape, dtype='i4', maxshape=None, chunks=None, prepare=None, data=None, tid=None):
    """A dataset whose creation properties `prepare` sets."""
    plist = h5p.create(h5p.DATASET_CREATE)
    if chunks:
        plist.set_chunk(chunks)
    if prepare:
        prepare(plist)
    unlimited = tuple(h5s.UNLIMITED if extent is None else extent for extent in maxshape or shape)
    space = h5s.create_simple(shape, unlimited)
    dataset = h5d.create(file.id, name.encode(), tid or h5t.py_create(np.dtype(dtype), logical=True), space, plist)
    if data is not None:
        dataset.write(h5s.ALL, h5s.ALL, np.ascontiguousarray(data))
    return h5py.Dataset(dataset)


def counting(shape, dtype='i4'):
    return (np.arange(int(np.prod(shape))) % 30_011).reshape(shape).astype(dtype)


# Datasets


INDEXES = {
    # extents, maximum, chunk, allocated early
    'single': ((7, 9), None, (7, 9), False),
    'single larger': ((7, 9), (20, 20), (20, 20), False),
    'implicit': ((17, 9), None, (4, 5), True),
    'fixed': ((17, 9), (20, 12), (4, 5), False),
    'fixed in pages': ((4000,), None, (2,), False),
    'extensible': ((17, 9), (None, 11), (4, 5), False),
    'extensible second': ((3, 400), (3, None), (2, 7), False),
    'extensible larger': ((9_000,), (None,), (5,), False),
    'b-tree': ((17, 9), (None, None), (4, 5), False),
    'b-tree deep': ((70, 70), (None, None), (1, 2), False),
    'three': ((5, 6, 7), (None, 6, 7), (2, 3, 4), False),
}


def indexes(file):
    pipelines = {'': None, ' deflate': lambda plist: plist.set_deflate(3),
                 ' deflate whole chunks': lambda plist: (LIBRARY.H5Pset_chunk_opts(plist.id, 2), plist.set_deflate(3)),
                 ' shuffle, fletcher32': lambda plist: (plist.set_shuffle(), plist.set_fletcher32())}
    for (name, (shape, maxshape, chunks, early)), (suffix, pipeline) in itertools.product(INDEXES.items(), pipelines.items()):
        if (len(shape) == 1 or 'deep' in name) and suffix not in ('', ' deflate'):
            continue

        def prepare(plist):
            if pipeline:
                pipeline(plist)
            if early:
                plist.set_alloc_time(h5d.ALLOC_TIME_EARLY)

        create(file, name + suffix, shape, 'i4', maxshape, chunks, prepare, counting(shape))


def filter_kinds(file):
    shape, chunks = (33, 20), (10, 8)
    pipelines = {
        'deflate 0': lambda plist: plist.set_deflate(0),
        'deflate 9': lambda plist: plist.set_deflate(9),
        'shuffle': lambda plist: plist.set_shuffle(),
        'fletcher32': lambda plist: plist.set_fletcher32(),
        'szip': lambda plist: plist.set_szip(h5z.SZIP_NN_OPTION_MASK, 8),
        'szip entropy': lambda plist: plist.set_szip(h5z.SZIP_EC_OPTION_MASK, 16),
        'lzf': lambda plist: plist.set_filter(32000, h5z.FLAG_OPTIONAL),
        'shuffle lzf fletcher32': lambda plist: (plist.set_shuffle(), plist.set_filter(32000, 1), plist.set_fletcher32()),
        'scale offset': lambda plist: plist.set_scaleoffset(h5z.SO_INT, 0),
        'scale offset bits': lambda plist: plist.set_scaleoffset(h5z.SO_INT, 15),
        'nbit': lambda plist: plist.set_filter(5, 0, ()),
        'all': lambda plist: (plist.set_filter(5, 0, ()), plist.set_shuffle(), plist.set_deflate(6), plist.set_fletcher32()),
    }
    for (name, pipeline), dtype in itertools.product(pipelines.items(), ('<i4', '>i2', '<u8', 'u1', '<f4', '>f8')):
        if 'scale' in name and 'f' in dtype:
            continue
        if 'szip' in name and dtype == '<u8' and 'entropy' in name:
            continue
        try:
            create(file, f'{name} {dtype}', shape, dtype, None, chunks, pipeline, counting(shape, dtype))
        except Exception as error:
            print(f'SKIPPED: {name} {dtype}: {error}', file=sys.stderr)
    for factor in (0, 2, 4):
        for dtype in ('<f4', '>f8'):
            create(file, f'scale offset decimals {factor} {dtype}', shape, dtype, None, chunks,
                   lambda plist: plist.set_scaleoffset(h5z.SO_FLOAT_DSCALE, factor), counting(shape, dtype) / 8)
    filled = create(file, 'scale offset with a fill value', shape, '<i4', None, chunks,
                    lambda plist: (plist.set_fill_value(np.array(-5, '<i4')), plist.set_scaleoffset(h5z.SO_INT, 0)))
    filled[3:20, 2:11] = counting((17, 9))
    masked = create(file, 'masks', (40,), '<i4', None, (10,), lambda plist: (plist.set_shuffle(), plist.set_deflate(1)))
    masked[0:10] = np.arange(10)
    shuffled = np.arange(10, dtype='<i4').view('u1').reshape(10, 4).T.copy().tobytes()
    masked.id.write_direct_chunk((10,), shuffled, 0b10)
    masked.id.write_direct_chunk((20,), np.arange(10, dtype='<i4').tobytes(), 0b11)
    compound = np.dtype([('a', '<i2'), ('b', '>f8'), ('c', 'S5')])
    rows = np.zeros(30, compound)
    rows['a'], rows['b'], rows['c'] = np.arange(30), np.arange(30) / 3, b'text'
    create(file, 'compound nbit', (30,), compound, None, (7,), pipelines['nbit'], rows)
    create(file, 'compound shuffle', (30,), compound, None, (7,), lambda p: (p.set_shuffle(), p.set_deflate(2)), rows)


def storage(file):
    def early(plist):
        plist.set_alloc_time(h5d.ALLOC_TIME_EARLY)

    create(file, 'compact', (10,), 'i4', prepare=lambda plist: plist.set_layout(h5d.COMPACT), data=counting((10,)))
    create(file, 'compact unwritten', (10,), 'i4', prepare=lambda plist: plist.set_layout(h5d.COMPACT))
    create(file, 'contiguous', (10, 3), 'i4', data=counting((10, 3)))
    create(file, 'contiguous early', (10, 3), 'i4', prepare=early)
    shrunk = create(file, 'shrunk', (50, 50), 'i4', (None, None), (7, 8), data=counting((50, 50)))
    shrunk.resize((20, 13))
    grown = create(file, 'shrunk and grown', (50, 50), 'i4', (None, 50), (7, 8), data=counting((50, 50)))
    grown.resize((20, 13))
    grown.resize((90, 50))
    create(file, 'missing chunks', (100, 100), 'f4', (None, 100), (9, 9),
           lambda plist: plist.set_fill_value(np.array(1.5, 'f4')))[20:30, 40:50] = 2
    create(file, 'zero', (0, 5), 'f4', (None, 5), (2, 2))
    create(file, 'zero contiguous', (0,), 'f4')
    file.create_dataset('null', data=h5py.Empty('i4'))
    file['scalar'] = 3
    file['scalar text'] = 'abc'
    create(file, 'enormous', (2 ** 30, 2 ** 30), 'u1', (None, 2 ** 30), (2 ** 10, 2 ** 10))
    create(file, 'enormous fixed', (2 ** 40,), 'u1', None, (2 ** 20,))
    create(file, 'enormous contiguous', (2 ** 40,), 'f8', prepare=lambda plist: plist.set_fill_value(np.array(2.5)))
    point = create(file, 'enormous with a chunk', (2 ** 40,), 'u1', (None,), (10_000,))
    point[2 ** 33:2 ** 33 + 5] = 7
    for fill_time, alloc_time in itertools.product((0, 1, 2), (1, 2, 3)):
        for chunks in (None, (6,)):
            if not chunks and alloc_time == 3:
                continue

            def prepare(plist):
                plist.set_fill_time(fill_time)
                plist.set_alloc_time(alloc_time)
                # libhdf5 reads what memory holds where a value was never written and never filled.
                if fill_time != 1:
                    plist.set_fill_value(np.array(77, 'i4'))

            name = f'fill time {fill_time} allocation {alloc_time} {"chunked" if chunks else "contiguous"}'
            # What is never filled holds what the file held before.
            data = counting((20,)) if fill_time == 1 and (alloc_time == 1 or not chunks) else None
            create(file, name, (20,), 'i4', None, chunks, prepare, data)

    def undefined(plist):
        LIBRARY.H5Pset_fill_value(plist.id, h5t.STD_I32LE.id, None)

    create(file, 'no fill value', (20,), 'i4', None, (6,), undefined)[0:6] = 1


def external(file):
    with open('raw-1.bin', 'wb') as raw:
        raw.write(counting((20,)).tobytes())
    with open('raw-2.bin', 'wb') as raw:
        raw.write(b'junk' + counting((20,)).tobytes())

    def prepare(plist):
        plist.set_external(b'raw-1.bin', 8, 40)
        plist.set_external(b'raw-2.bin', 4, 60)

    create(file, 'in two files', (25,), 'i4', prepare=prepare)
    create(file, 'unlimited', (10,), 'i4', (None,), prepare=lambda plist: plist.set_external(b'raw-1.bin', 0, h5f.UNLIMITED))
    create(file, 'short', (15,), 'i4', prepare=lambda plist: plist.set_external(b'raw-1.bin', 48, 60))
    create(file, 'missing', (5,), 'i4', prepare=lambda plist: plist.set_external(b'nowhere.bin', 0, 20))


def virtual(file):
    for index in range(3):
        with open_file(f'part-{index}.h5') as part:
            part['x'] = counting((4, 6)) + 100 * index
            part.create_dataset('grown', data=counting((3, 2)), maxshape=(None, 2), chunks=(2, 2))
    file['here'] = counting((4, 6))
    layout = h5py.VirtualLayout((12, 6), 'i4')
    for index in range(3):
        layout[4 * index:4 * index + 4] = h5py.VirtualSource(f'part-{index}.h5', 'x', (4, 6))
    file.create_virtual_dataset('files', layout, fillvalue=-1)
    layout = h5py.VirtualLayout((10, 14), '>i8')
    layout[1:9:2, 2:8] = h5py.VirtualSource('.', 'here', (4, 6))
    layout[0:2, 9:12] = h5py.VirtualSource('part-1.h5', 'x', (4, 6))[1:3, 0:6:2]
    file.create_virtual_dataset('strides and conversion', layout, fillvalue=-1)

    def printf(plist):
        source = h5s.create_simple((4, 6))
        target = h5s.create_simple((4, 6), (h5s.UNLIMITED, 6))
        target.select_hyperslab((0, 0), (h5s.UNLIMITED, 1), (4, 6), (4, 6))
        plist.set_virtual(target, b'part-%b.h5', b'x', source)
        plist.set_fill_value(np.array(-3, 'i4'))

    create(file, 'printf', (12, 6), 'i4', (None, 6), prepare=printf)

    def unlimited(plist):
        source = h5s.create_simple((3, 2), (h5s.UNLIMITED, 2))
        source.select_hyperslab((0, 0), (h5s.UNLIMITED, 1), (1, 2), (1, 2))
        target = h5s.create_simple((3, 2), (h5s.UNLIMITED, 2))
        target.select_hyperslab((0, 0), (h5s.UNLIMITED, 1), (1, 2), (1, 2))
        plist.set_virtual(target, b'part-0.h5', b'grown', source)

    create(file, 'unlimited', (3, 2), 'i4', (None, 2), prepare=unlimited)
    layout = h5py.VirtualLayout((4,), 'i4')
    layout[:] = h5py.VirtualSource('.', 'files', (12, 6))[3:7, 2]
    file.create_virtual_dataset('of a virtual one', layout)


NUMBERS = ['i1', 'u1', '<i2', '>u2', '>i4', '<u4', '<i8', '>u8', '<f2', '>f2', '<f4', '>f4', '<f8', '>f8']


def virtual_conversions(file):
    """Sources of each type of number in datasets of each other type, with the numbers that both hold."""
    candidates = [0, 1, 77, 0.5, -1.5, 1 / 3, float('inf'), -float('inf'), 1e-7, 1e30, 1e200, 65504, 2 ** 24 + 1, 2 ** 53 + 2]
    for bits in (7, 8, 15, 16, 31, 32, 63, 64):
        candidates += [-2 ** bits, 1 - 2 ** bits, 2 ** bits - 1, 2 ** bits]

    def holds(dtype, value):
        if dtype.kind != 'f':
            return value == value // 1 and np.iinfo(dtype).min <= value <= np.iinfo(dtype).max
        with np.errstate(over='ignore'):
            return float(np.array(float(value)).astype(dtype)) == value

    for source, target in itertools.product(map(np.dtype, NUMBERS), repeat=2):
        if (source.kind, source.itemsize, target.kind, target.itemsize) == ('f', 2, 'i', 8):
            # HDF5 1.10 gives other numbers for negative ones.
            continue
        values = [value for value in candidates if holds(source, value) and holds(target, value)]
        name = f'{source.str} as {target.str}'
        file[f'source of {name}'] = np.array([int(value) if source.kind != 'f' else value for value in values], source)
        layout = h5py.VirtualLayout((len(values),), target)
        layout[:] = h5py.VirtualSource('.', f'source of {name}', (len(values),))
        file.create_virtual_dataset(name, layout)


# Types


def type_kinds(file):
    def put(name, tid, memory=None, data=None, count=3):
        dataset = h5d.create(file.id, name.encode(), tid, h5s.create_simple((count,)))
        if data is not None:
            dataset.write(h5s.ALL, h5s.ALL, np.array(data), mtype=memory)
        attribute = h5py.h5a.create(file.id, name.encode(), tid, h5s.create_simple((count,)))
        if data is not None:
            attribute.write(np.array(data), mtype=memory)

    for size, order, signed in itertools.product(range(1, 9), ('LE', 'BE'), ('I', 'U')):
        tid = getattr(h5t, f'STD_{signed}64{order}').copy()
        tid.set_size(size)
        data = np.array([0, 100, -100 if signed == 'I' else 101], dtype='i8')
        put(f'{signed}{size}{order}', tid, h5t.NATIVE_INT64, data)
    for precision, offset in ((5, 0), (12, 3), (31, 1), (17, 15)):
        for order in ('LE', 'BE'):
            tid = getattr(h5t, f'STD_I32{order}').copy()
            tid.set_precision(precision)
            tid.set_offset(offset)
            put(f'precision {precision} {offset} {order}', tid, h5t.NATIVE_INT64, np.array([0, 7, -8]))
    floats = {
        'half': (h5t.IEEE_F16LE, None),
        'bfloat16': (h5t.IEEE_F32LE, (2, 16, (15, 7, 8, 0, 7), 127)),
        '24 bits': (h5t.IEEE_F32LE, (3, 24, (23, 15, 8, 0, 15), 127)),
        'fp8': (h5t.IEEE_F32LE, (1, 8, (7, 3, 4, 0, 3), 7)),
        '20 bits': (h5t.IEEE_F32LE, (4, 20, (19, 13, 6, 0, 13), 31)),
        'other bias': (h5t.IEEE_F64LE, (8, 64, (63, 52, 11, 0, 52), 1000)),
        'big 24 bits': (h5t.IEEE_F32BE, (3, 24, (23, 15, 8, 0, 15), 127)),
    }
    for name, (base, shape) in floats.items():
        tid = base.copy()
        if shape:
            size, precision, fields, bias = shape
            tid.set_fields(*fields)
            tid.set_precision(precision)
            tid.set_size(size)
            tid.set_ebias(bias)
        put(name, tid, h5t.NATIVE_DOUBLE, np.array([0.0, 1.5, -2.25]))
    put('long double', h5t.NATIVE_LDOUBLE, h5t.NATIVE_LDOUBLE, np.array([1.25, -3e200, 7], dtype=np.longdouble))
    shifted = h5t.IEEE_F32LE.copy()
    shifted.set_size(8)
    shifted.set_offset(16)
    put('shifted', shifted, h5t.NATIVE_DOUBLE, np.array([0.0, 1.5, -2.25]))
    for name in ('UNIX_D32LE', 'UNIX_D64BE'):
        put(name, getattr(h5t, name), None, None)
    for size, order in itertools.product((8, 16, 32, 64), ('LE', 'BE')):
        put(f'B{size}{order}', getattr(h5t, f'STD_B{size}{order}'), getattr(h5t, f'STD_B{size}LE'),
            np.array([1, 2, 255], dtype=f'<u{size // 8}'))
    opaque = h5t.create(h5t.OPAQUE, 5)
    opaque.set_tag(b'a tag')
    put('opaque', opaque, opaque, np.array([b'abcde', b'\0\1\2\3\4', b''], dtype='V5'))
    for cset, padding, size in itertools.product((0, 1), (0, 1, 2), (1, 7)):
        tid = h5t.C_S1.copy()
        tid.set_size(size)
        tid.set_strpad(padding)
        tid.set_cset(cset)
        put(f'text {cset} {padding} {size}', tid, tid, np.array([b'abcdefg'[:size], b'', b'ab'[:size]], dtype=f'S{size}'))
    enum = h5t.enum_create(h5t.STD_I16BE)
    for index, name in enumerate((b'ZERO', b'ONE', b'MINUS')):
        enum.enum_insert(name, (0, 1, -1)[index])
    put('enum', enum, enum, np.array([0, 1, -1], dtype='>i2'))
    array = h5t.array_create(h5t.array_create(h5t.STD_I16LE, (2,)), (3, 2))
    put('array of arrays', array)
    gaps = h5t.create(h5t.COMPOUND, 40)
    inner = h5t.create(h5t.COMPOUND, 12)
    inner.insert(b'late', 8, h5t.STD_I16LE)
    inner.insert(b'early', 1, h5t.IEEE_F32BE)
    gaps.insert(b'second', 20, inner)
    gaps.insert(b'first', 3, h5t.STD_U8LE)
    gaps.insert(b'array', 33, h5t.array_create(h5t.STD_I8LE, (3, 2)))
    data = np.frombuffer(bytes(range(120)), dtype='V40')
    put('gaps', gaps, gaps, data)
    single = h5t.create(h5t.COMPOUND, 8)
    single.insert(b'only', 2, h5t.STD_I16LE)
    put('one member', single, single, np.frombuffer(bytes(range(24)), dtype='V8'))
    file['complex'] = np.array([1 + 2j, 3 - 4j])
    file['boolean'] = np.array([True, False])
    big = np.dtype([(f'member {index}', 'i4') for index in range(300)])
    file['many members'] = np.zeros(2, big)
    file.create_dataset('unwritten text', (3,), h5py.string_dtype())


def variable(file):
    text = h5py.string_dtype()
    file.create_dataset('text', data=np.array(['a', '', 'ü' * 3000, 'b'], dtype=object), dtype=text)
    file.create_dataset('ascii', data=np.array([b'a', b'', b'x' * 5000], dtype=object), dtype=h5py.string_dtype('ascii'))
    file.create_dataset('long', data=['x' * 70_000], dtype=text)
    file.create_dataset('many', data=[f'text {index}' for index in range(3000)], dtype=text, chunks=(100,), compression='gzip')
    file.attrs['texts'] = ['one', 'two', '']
    file.attrs['long'] = 'y' * 40_000
    sequences = file.create_dataset('sequences', (4,), h5py.vlen_dtype('>i4'))
    for index in range(3):
        sequences[index] = np.arange(index * 100)
    compound = np.dtype([('n', 'i2'), ('text', text), ('values', h5py.vlen_dtype('f8'))])
    rows = np.empty(3, compound)
    for index in range(3):
        rows[index] = (index, 't' * index, np.arange(float(index)))
    file.create_dataset('compound', data=rows, chunks=(2,), maxshape=(None,))
    nested(file)
    file.create_dataset('partly', (1000,), text, chunks=(10,))[500:503] = ['x', 'y', 'z']


class Sequence(ctypes.Structure):
    _fields_ = [('length', ctypes.c_size_t), ('pointer', ctypes.c_void_p)]


def nested(file):
    """Sequences of sequences of strings, which h5py does not write."""
    LIBRARY.H5Dwrite.argtypes = [hid_t] * 5 + [ctypes.c_void_p]
    text = h5t.C_S1.copy()
    text.set_size(h5t.VARIABLE)
    tid = h5t.vlen_create(h5t.vlen_create(text))
    words = (ctypes.c_char_p * 3)(b'one', b'', b'three')
    inner = (Sequence * 3)(Sequence(3, ctypes.addressof(words)), Sequence(0, None), Sequence(1, ctypes.addressof(words)))
    outer = (Sequence * 4)(Sequence(3, ctypes.addressof(inner)), Sequence(0, None), Sequence(1, ctypes.addressof(inner)), Sequence(0, None))
    dataset = h5d.create(file.id, b'nested', tid, h5s.create_simple((4,)))
    LIBRARY.H5Dwrite(dataset.id, tid.id, 0, 0, 0, outer)


def reference_kinds(file):
    target = file.create_dataset('target', data=counting((10, 12)))
    group = file.create_group('group')
    file['objects'] = np.array([target.ref, group.ref, h5py.Reference(), file.ref], dtype=h5py.ref_dtype)
    space = target.id.get_space()
    regions = [target.regionref[2:5, 3:7], target.regionref[1:9:3, 0:12:4], target.regionref[...], h5py.RegionReference()]
    for kind in ('points', 'irregular', 'none'):
        selected = space.copy()
        if kind == 'points':
            selected.select_elements(np.array([[1, 2], [9, 11], [0, 0]]))
        elif kind == 'irregular':
            selected.select_hyperslab((0, 0), (2, 3))
            selected.select_hyperslab((5, 6), (1, 1), block=(3, 2), op=h5s.SELECT_OR)
        else:
            selected.select_none()
        regions.append(h5r.create(file.id, b'target', h5r.DATASET_REGION, selected))
    file['regions'] = np.array(regions, dtype=h5py.regionref_dtype)
    file.attrs['object'] = group.ref
    file.attrs['region'] = target.regionref[0:2, 0:2]
    both = np.dtype([('object', h5py.ref_dtype), ('n', 'i4'), ('region', h5py.regionref_dtype)])
    rows = np.empty(2, both)
    rows[0] = (group.ref, 1, regions[0])
    rows[1] = (h5py.Reference(), 2, h5py.RegionReference())
    file['compound'] = rows
    lists = file.create_dataset('lists', (3,), h5py.vlen_dtype(h5py.ref_dtype))
    lists[1] = np.array([group.ref, target.ref], dtype=h5py.ref_dtype)
    target.make_scale('a scale')
    file['objects'].dims[0].label = 'x'
    if hasattr(file['lists'].dims[0], 'attach_scale'):
        file.create_dataset('scaled', data=np.zeros((10, 12)))
        file['line'] = np.zeros(10)
        file['line'].make_scale('line')
        file['scaled'].dims[0].attach_scale(file['line'])
    unlinked = file.create_group('unlinked')
    file['to unlinked'] = np.array([unlinked.ref], dtype=h5py.ref_dtype)
    file['also unlinked'] = unlinked
    del file['unlinked']
    del file['also unlinked']


def committed(file):
    file['types/pair'] = np.dtype([('x', '<f4'), ('y', '<f4')])
    pair = file['types/pair']
    file['types/text'] = h5py.string_dtype()
    file['types/number'] = np.dtype('>i8')
    pair.attrs['of a type'] = 1
    for index in range(3):
        file.create_dataset(f'dataset {index}', (3,), pair)
        file[f'dataset {index}'].attrs.create('attribute', np.zeros(2, dtype=pair.dtype), dtype=pair)
    file.create_dataset('chunked', (3,), file['types/number'], chunks=(2,), maxshape=(None,), compression='gzip')[...] = 5
    file.create_dataset('text', (2,), file['types/text'])[...] = ['a', 'b']
    # The type of a member is no committed one.
    file['types/outer'] = np.dtype([('inner', pair.dtype), ('n', 'i4')])
    anonymous = h5t.STD_I16LE.copy()
    anonymous.commit(file['types'].id, b'deleted')
    h5d.create(file.id, b'of a deleted type', anonymous, h5s.create_simple((2,)))
    del file['types/deleted']


# Groups, links, attributes


def link_kinds(file):
    group = file.create_group('group')
    file.create_dataset('value', data=1)
    group['up'] = file['/']
    group['self'] = group
    group['value'] = file['value']
    file['soft'] = h5py.SoftLink('group/value')
    file['soft absolute'] = h5py.SoftLink('/group/self/self/value')
    file['dangling'] = h5py.SoftLink('/no/where')
    file['circle'] = h5py.SoftLink('circle')
    file['external'] = h5py.ExternalLink('elsewhere.h5', '/a/b')
    file['long soft'] = h5py.SoftLink('/'.join(['part'] * 600))
    LIBRARY.H5Lcreate_ud(file.id.id, b'user-defined', 65, b'payload', 7, 0, 0)
    names = [b'\xff\xfe', b'\xe4\xf6', 'ünïcödé 漢字'.encode(), b'with\nnewline', b' ', b'.hidden', b'a' * 5000, b'\xc3']
    for index, name in enumerate(names):
        group.id.links.create_hard(name, file.id, b'value')
        h5py.h5a.create(group.id, name, h5t.STD_I32LE, h5s.create(h5s.SCALAR)).write(np.array(index, 'i4'))
    chain = file.create_group('deep')
    for index in range(100):
        chain = chain.create_group('d')
    h5o.set_comment(group.id, 'a comment: ü'.encode())
    h5o.set_comment(file['value'].id, b'of a value')
    for tracked in (False, True):
        many = file.create_group(f'many {tracked}', track_order=tracked)
        for index in range(700):
            many[f'{index * 7919 % 700}'] = h5py.SoftLink(f'target {index}')
        for index in range(0, 700, 3):
            del many[f'{index}']


def group_forms(file):
    def make(name, prepare, count=12):
        plist = h5p.create(h5p.GROUP_CREATE)
        prepare(plist)
        group = h5py.Group(h5g.create(file.id, name.encode(), gcpl=plist))
        for index in range(count):
            group[f'link {index * 7 % count}'] = h5py.SoftLink('x' * (index + 1))
        group.id.links.create_hard(b'hard', file.id, b'.')

    for count in (0, 3, 8, 9, 30, 200):
        make(f'default {count}', lambda plist: None, count)
        make(f'tracked {count}', lambda plist: plist.set_link_creation_order(h5p.CRT_ORDER_TRACKED), count)
        make(f'indexed {count}',
             lambda plist: plist.set_link_creation_order(h5p.CRT_ORDER_TRACKED | h5p.CRT_ORDER_INDEXED), count)
        make(f'dense {count}', lambda plist: LIBRARY.H5Pset_link_phase_change(plist.id, 0, 0), count)
    make('long names', lambda plist: LIBRARY.H5Pset_link_phase_change(plist.id, 0, 0), 0)
    for index in range(20):
        file['long names'][f'{index}' * 4500] = h5py.SoftLink('y' * 3000)
    make('filtered', lambda plist: (LIBRARY.H5Pset_link_phase_change(plist.id, 0, 0), LIBRARY.H5Pset_deflate(plist.id, 6)), 300)
    for index in range(5):
        file['filtered'][f'{index}' * 4500] = h5py.SoftLink('y' * 3000)
    make('hints', lambda plist: (plist.set_local_heap_size_hint(1000), plist.set_est_link_info(50, 30))
         if hasattr(plist, 'set_est_link_info') else None)
    shrunk = file.create_group('shrunk')
    for index in range(40):
        shrunk[f'{index}'] = h5py.SoftLink('z')
    for index in range(38):
        del shrunk[f'{index}']


def attribute_forms(file):
    def make(name, count, prepare=lambda plist: None):
        plist = h5p.create(h5p.GROUP_CREATE)
        prepare(plist)
        group = h5py.Group(h5g.create(file.id, name.encode(), gcpl=plist))
        for index in range(count):
            group.attrs[f'attribute {index * 7 % max(1, count)}'] = np.arange(index % 7 + 1)
        return group

    def ordered(plist):
        plist.set_attr_creation_order(h5p.CRT_ORDER_TRACKED | h5p.CRT_ORDER_INDEXED)

    for count in (0, 8, 9, 100):
        make(f'default {count}', count)
        make(f'ordered {count}', count, ordered)
        make(f'dense {count}', count, lambda plist: LIBRARY.H5Pset_attr_phase_change(plist.id, 0, 0))
    deleted = make('deleted', 60)
    for index in range(0, 60, 2):
        del deleted.attrs[f'attribute {index}']
    group = file.create_group('kinds')
    group.attrs['empty'] = h5py.Empty('f8')
    group.attrs['scalar'] = 1.5
    group.attrs['no elements'] = np.zeros((0, 3))
    group.attrs['text'] = 'text'
    group.attrs['three dimensions'] = np.zeros((2, 3, 4))
    group.attrs['almost 64 KiB'] = np.arange(16_000, dtype='i4')
    try:
        group.attrs['huge'] = np.arange(100_000, dtype='i4')
        group.attrs['huger'] = np.arange(400_000, dtype='u1')
    except Exception:
        # Only the newer format has them.
        group.attrs['not huge'] = 1


# Whole files


def killed(name, work):
    """What a process leaves behind that ends without closing the file."""
    if os.fork() == 0:
        try:
            work(name)
        finally:
            os._exit(0)
    os.wait()


def ends_after_flush(name):
    file = h5py.File(name, 'w', libver='latest')
    file['a'] = np.arange(100)
    file.flush()
    file['b'] = np.arange(100_000)


def ends_at_once(name):
    file = h5py.File(name, 'w')
    file['a'] = np.arange(1000)


def ends_while_swmr(name):
    file = h5py.File(name, 'w', libver='latest')
    growing = file.create_dataset('growing', (10,), maxshape=(None,), chunks=(4,), data=np.arange(10))
    file.swmr_mode = True
    for size in range(20, 100, 10):
        growing.resize((size,))
        growing[size - 10:] = size
        growing.flush()


class CacheImageOptions(ctypes.Structure):
    _fields_ = [('version', ctypes.c_int), ('generate', ctypes.c_bool), ('resize', ctypes.c_bool), ('ageout', ctypes.c_int)]


def with_cache_image(name, low):
    """The last process that had the file open left its metadata in an image, most of it nowhere else."""
    access = h5p.create(h5p.FILE_ACCESS)
    access.set_libver_bounds(BOUNDS[low], h5f.LIBVER_LATEST)
    LIBRARY.H5Pset_mdc_image_config(hid_t(access.id), ctypes.byref(CacheImageOptions(1, True, False, -1)))
    with h5py.File(h5f.create(name.encode(), h5f.ACC_TRUNC, h5p.create(h5p.FILE_CREATE), access)) as file:
        standard(file)


def share_messages(indexes):
    def prepare(creation):
        LIBRARY.H5Pset_shared_mesg_nindexes(creation.id, len(indexes))
        for index, (kinds, minimum) in enumerate(indexes):
            LIBRARY.H5Pset_shared_mesg_index(creation.id, index, kinds, minimum)

    return prepare


DATASPACE, DATATYPE, FILL, PIPELINE, ATTRIBUTE = 2, 8, 0x20, 0x800, 0x1000
SHARED = {
    'all': [(DATASPACE | DATATYPE | FILL | PIPELINE | ATTRIBUTE, 10)],
    'apart': [(DATASPACE, 5), (DATATYPE, 5), (ATTRIBUTE, 20), (FILL | PIPELINE, 5)],
    'types': [(DATATYPE, 1)],
}


def shared_content(file, count):
    for index in range(count):
        dataset = file.create_dataset(f'{index}', (20,), np.dtype([('a', 'i4'), ('b', f'S{index % 60 + 1}')]), chunks=(5,), compression='gzip')
        dataset.attrs['the same'] = np.arange(30)
        dataset.attrs['another'] = np.arange(index + 3)


WRITERS = [
    indexes, filter_kinds, storage, type_kinds, variable, reference_kinds, committed, link_kinds, group_forms, attribute_forms
]


def standard(file):
    """Something of all kinds, for files whose form is what matters."""
    file['group/numbers'] = counting((20, 3))
    file['group/chunked'] = counting((5,))
    file.create_dataset('compressed', data=counting((30, 30)), chunks=(8, 8), compression='gzip', maxshape=(None, 30))
    file.create_dataset('text', data=['one', 'two', ''], dtype=h5py.string_dtype())
    file['reference'] = np.array([file['group'].ref], dtype=h5py.ref_dtype)
    file.create_dataset('filled', (4,), 'f8', fillvalue=2.5)
    file.attrs['title'] = 'a file'
    file['type'] = np.dtype('<i2')
    file['soft'] = h5py.SoftLink('/group')
    for index in range(12):
        file['group'].attrs[f'a{index}'] = index
        file[f'links/{index}'] = index


def pairs():
    names = list(BOUNDS)
    for low, high in itertools.product(names, names):
        if low in ('v18', 'v108') and low not in BOUNDS or high == 'earliest':
            continue
        if BOUNDS[low] <= BOUNDS[high]:
            yield low, high


def write(name, writer, **options):
    try:
        with open_file(f'{name}.h5', **options) as file:
            writer(file)
    except Exception as error:
        print(f'SKIPPED: {name}: {type(error).__name__}: {error}', file=sys.stderr)
        if os.path.exists(f'{name}.h5'):
            os.remove(f'{name}.h5')


for writer in WRITERS:
    for bounds in (('earliest', 'latest'), ('latest', 'latest')):
        write(f'{writer.__name__}-{bounds[0]}', writer, bounds=bounds)
write('external', external)
write('virtual-latest', virtual, bounds=('latest', 'latest'))
write('virtual_conversions', virtual_conversions, bounds=('latest', 'latest'))
for bounds in pairs():
    write('bounds-' + '-'.join(bounds), standard, bounds=bounds)
for sizes in itertools.product((2, 4, 8), (2, 4, 8)):
    # With narrow lengths, libhdf5 writes newer structures that it does not read again.
    for low in ('earliest', 'latest') if sizes[1] == 8 else ('earliest',):
        write(f'widths-{sizes[0]}-{sizes[1]}-{low}', standard, sizes=sizes, bounds=(low, 'latest'))
for userblock in (512, 4096):
    write(f'userblock-{userblock}', standard, userblock=userblock)
write('node-sizes', group_forms, prepare=lambda creation: (LIBRARY.H5Pset_sym_k(creation.id, 3, 2), LIBRARY.H5Pset_istore_k(creation.id, 2)))
for kind, indexes_of in SHARED.items():
    for count in (3, 80):
        write(f'shared-messages-{kind}-{count}', lambda file: shared_content(file, count), prepare=share_messages(indexes_of),
              bounds=('v110' if 'v110' in BOUNDS else 'latest', 'latest'))
for strategy in ('page', 'fsm', 'aggregate', 'none'):
    try:
        with h5py.File(f'space-{strategy}.h5', 'w', fs_strategy=strategy, fs_persist=strategy in ('page', 'fsm'), fs_page_size=4096) as file:
            standard(file)
    except Exception as error:
        print(f'SKIPPED: {strategy}: {error}', file=sys.stderr)
for low in ('v110', 'latest'):
    with_cache_image(f'cache-image-{low}.h5', low)
killed('killed-after-flush.h5', ends_after_flush)
killed('killed-at-once.h5', ends_at_once)
killed('killed-while-swmr.h5', ends_while_swmr)
shutil.copyfile('bounds-latest-latest.h5', 'cut.h5')
os.truncate('cut.h5', os.path.getsize('cut.h5') * 2 // 3)
with open('no-hdf5.h5', 'wb') as other:
    other.write(b'This is text.' * 100)

if EVERYTHING:
    for writer, bounds in itertools.product(WRITERS, pairs()):
        write(f'{writer.__name__}-{"-".join(bounds)}-any', writer, bounds=bounds)
    for writer, sizes, low in itertools.product(WRITERS, ((4, 4), (8, 4), (4, 8)), ('earliest',)):
        if writer is reference_kinds:
            # With narrow addresses, libhdf5 writes what it does not read again.
            continue
        write(f'{writer.__name__}-widths-{sizes[0]}-{sizes[1]}-{low}', writer, sizes=sizes, bounds=(low, 'latest'), userblock=512)
    for writer, (kind, indexes_of), low in itertools.product(WRITERS, SHARED.items(), ('earliest', 'latest')):
        write(f'{writer.__name__}-shared-{kind}-{low}', writer, prepare=share_messages(indexes_of), bounds=(low, 'latest'))
