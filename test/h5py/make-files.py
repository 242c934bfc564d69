# Writes small HDF5 files that hold what the samples do not, into the folder named on the command line.

import os
import sys

import h5py
import numpy as np
from h5py import h5a, h5d, h5f, h5p, h5r, h5s, h5t

folder = sys.argv[1]


def create(name, **options):
    return h5py.File(os.path.join(folder, name), 'w', **options)


def numbers(file):
    for code in 'i1 i2 i4 i8 u1 u2 u4 u8'.split():
        limits = np.iinfo(code)
        for order in '<>':
            data = np.array([limits.min, 0, 1, limits.max], dtype=order + code)
            file['integers/' + ('le' if order == '<' else 'be') + code] = data
            file.attrs[order + code] = data
    for code in ('f2', 'f4', 'f8'):
        for order in '<>':
            data = np.array([1.5, -0.1, 0, np.nan, np.inf, -np.inf], dtype=order + code)
            file['floats/' + ('le' if order == '<' else 'be') + code] = data
            file.attrs[order + code] = data
    file['complex'] = np.array([1 + 2j, 3 - 4j])
    file['long double'] = np.array([1, 2], dtype=np.longdouble)
    file['after'] = 7


def compounds(file):
    mixed = np.dtype([('a', '<i2'), ('b', '>i4'), ('c', '>f8'), ('t', 'S3')])
    big = np.dtype([('a', '>i2'), ('in', [('b', '>i4'), ('c', '>f8')]), ('d', '>u2', (2, 2))])
    aligned = np.dtype([('a', 'i1'), ('b', 'f8'), ('c', 'i1', (3,))], align=True)
    color = h5py.enum_dtype({'RED': 1, 'BLUE': 300}, basetype='>i2')
    with_enum = np.dtype([('a', '>i4'), ('color', color), ('b', '>i4')])
    file['mixed'] = np.array([(1, 2, 3.5, b'abc'), (-1, -2, -3.5, b'x')], dtype=mixed)
    file['big'] = np.array([(1, (2, 3.5), [[1, 2], [3, 4]])] * 3, dtype=big)
    file['aligned'] = np.array([(1, 2.5, [1, 2, 3])] * 5, dtype=aligned)
    file['with enum'] = np.array([(1, 300, 2), (3, 1, 4)], dtype=with_enum)
    # Sequences of numbers that are the same in both byte orders: h5py mixes the orders up here.
    text = np.dtype([('name', h5py.string_dtype()), ('n', '>i4'), ('list', h5py.vlen_dtype('>i2'))])
    rows = np.empty(3, dtype=text)
    for index, name in enumerate(['a', '', 'grün']):
        rows[index] = (name, index, np.full(index, 257 * index, dtype='>i2'))
    file['variable'] = rows
    big_first = np.dtype([('n', '>i4'), ('list', h5py.vlen_dtype('>i2'))])
    rows = np.empty(2, dtype=big_first)
    for index in range(2):
        rows[index] = (index, np.full(index + 1, 257 * index, dtype='>i2'))
    file['big variable'] = rows
    scalar = np.array((1, 2, 3.5, b'abc'), dtype=mixed)
    file.attrs['mixed'] = scalar


def enums(file):
    low = h5t.py_create(np.dtype('>i2'))
    enum = h5t.enum_create(low)
    for name, value in ((b'NO', 0), (b'YES', 1), (b'2', 2), (b'1', 3)):
        enum.enum_insert(name, value)
    array = h5t.array_create(enum, (2, 3))
    space = h5s.create_simple((2,))
    dataset = h5d.create(file.id, b'array of enum', array, space)
    dataset.write(h5s.ALL, h5s.ALL, np.resize(np.arange(4), (2, 2, 3)).astype('>i2'), array)
    dataset = h5d.create(file.id, b'enum', enum, h5s.create_simple((4,)))
    dataset.write(h5s.ALL, h5s.ALL, np.arange(4, dtype='>i2'), enum)
    file['boolean'] = np.array([[True, False], [False, False]])
    file.attrs['boolean'] = True


def text(file):
    file['variable'] = np.array(['', 'ä', '日本語', 'x' * 1000], dtype=h5py.string_dtype())
    file['ascii'] = np.array(['a', 'b'], dtype=h5py.string_dtype('ascii'))
    file['fixed'] = np.array(['äö'.encode(), b'b'], dtype=h5py.string_dtype('utf-8', 6))
    for name, padding in (('term', h5t.STR_NULLTERM), ('pad', h5t.STR_NULLPAD), ('space', h5t.STR_SPACEPAD)):
        tid = h5t.C_S1.copy()
        tid.set_size(5)
        tid.set_strpad(padding)
        dataset = h5d.create(file.id, name.encode(), tid, h5s.create_simple((3,)))
        dataset.write(h5s.ALL, h5s.ALL, np.array([b'abc', b'', b'abcd'], dtype='S5'))
    file.create_dataset('unwritten', shape=(3,), dtype=h5py.string_dtype())
    file.attrs['title'] = 'Überschrift'
    file.attrs['name with / slash and ä'] = ['one', 'two']
    file.attrs['bytes'] = np.bytes_(b'abc')


def sequences(file):
    nested = h5py.vlen_dtype(np.dtype([('a', 'u1'), ('b', '>f8')]))
    rows = np.empty(3, dtype=nested)
    for index in range(3):
        rows[index] = np.array([(i, i / 2) for i in range(index)], dtype=nested.metadata['vlen'])
    file['of compounds'] = rows
    ragged = file.create_dataset('ragged', (2, 2), dtype=h5py.vlen_dtype('i4'))
    ragged[0, 1] = [1, 2, 3]
    ragged[1, 0] = np.arange(5000)


def references(file):
    file['target'] = np.arange(12).reshape(3, 4)
    group = file.create_group('group')
    pair = np.dtype([('object', h5py.ref_dtype), ('n', 'i4')])
    rows = np.empty(3, dtype=pair)
    rows[0] = (file['target'].ref, 1)
    rows[1] = (group.ref, 2)
    rows[2] = (h5py.Reference(), 3)
    file['compound'] = rows
    file['regions'] = np.array(
        [file['target'].regionref[0:2, 1:3], file['target'].regionref[:], h5py.RegionReference()],
        dtype=h5py.regionref_dtype,
    )
    file.attrs['region'] = file['target'].regionref[1:3, 0:4:2]
    anonymous = file.create_group(None)
    file.create_dataset('dangling', data=np.array([anonymous.ref], dtype=h5py.ref_dtype))
    file.create_dataset('to root', data=np.array([file.ref], dtype=h5py.ref_dtype))


def links(file):
    group = file.create_group('a/b/c')
    file['hard'] = file['a/b']
    file['a/b/up'] = file['a']
    file['a/self'] = file['a']
    file['root'] = file['/']
    file['soft'] = h5py.SoftLink('/a/b')
    file['dangling'] = h5py.SoftLink('nowhere')
    file['external'] = h5py.ExternalLink('other.h5', '/x')
    group['dätä'] = 1
    group['..'] = 2
    group['%2e%2e+?#'] = 3
    file['a/ name with spaces '] = group['dätä']
    ordered = file.create_group('ordered', track_order=True)
    for name in 'zebra apple mango'.split():
        ordered[name] = name


def properties(file):
    file['type'] = np.dtype([('x', '<f4'), ('y', '<f4')])
    file.create_dataset('committed', (3,), dtype=file['type'])
    file.attrs.create('committed', np.zeros(2, dtype=file['type'].dtype), dtype=file['type'])
    file.create_dataset('extensible', (5, 4), maxshape=(None, 8), chunks=(2, 4), fillvalue=-1, dtype='>i2',
                        compression='gzip', shuffle=True, fletcher32=True)[0:2] = 5
    file.create_dataset('lzf', data=np.arange(1000), compression='lzf')
    file.create_dataset('zero', (0, 3), maxshape=(None, 3), dtype='f4')
    file.create_dataset('fixed zero', (4, 0), dtype='f4')
    file.create_dataset('empty', data=h5py.Empty('f8'))
    file.create_dataset('scalar fill', (), dtype='f4', fillvalue=2.5)
    compound = np.dtype([('a', '>i4'), ('b', 'S3')])
    file.create_dataset('compound fill', (2,), dtype=compound, fillvalue=np.array((7, b'xy'), dtype=compound))
    plist = h5p.create(h5p.DATASET_CREATE)
    plist.set_layout(h5d.COMPACT)
    dataset = h5d.create(file.id, b'compact', h5t.STD_I32BE, h5s.create_simple((3,)), plist)
    dataset.write(h5s.ALL, h5s.ALL, np.arange(3, dtype='>i4'))
    file.create_dataset('scale offset', data=np.arange(100, dtype='i4'), scaleoffset=0)
    file.create_dataset('large', data=np.arange(300_000, dtype='>i4').reshape(300, 1000), chunks=(7, 64))


def bits(file):
    plist = h5p.create(h5p.DATASET_CREATE)
    plist.set_chunk((4,))
    plist.set_filter(5, 0, ())
    for name, base in ((b'little', h5t.STD_I32LE), (b'big', h5t.STD_I32BE), (b'unsigned', h5t.STD_U64BE)):
        tid = base.copy()
        tid.set_precision(40 if name == b'unsigned' else 17)
        tid.set_offset(5)
        dataset = h5d.create(file.id, name, tid, h5s.create_simple((4,)), plist)
        dataset.write(h5s.ALL, h5s.ALL, np.array([0, 1, 65535, 65535 if name == b'unsigned' else -65536]))
    inner = h5t.STD_I16LE.copy()
    inner.set_precision(9)
    inner.set_offset(3)
    compound = h5t.create(h5t.COMPOUND, 10)
    compound.insert(b'plain', 0, h5t.IEEE_F64LE)
    compound.insert(b'bits', 8, inner)
    data = np.array([(1.5, 255), (2.5, -256), (0, 0), (1, 1)], dtype=[('plain', '<f8'), ('bits', '<i2')])
    dataset = h5d.create(file.id, b'compound', compound, h5s.create_simple((4,)), plist)
    dataset.write(h5s.ALL, h5s.ALL, data)


def many(file):
    for index in range(200):
        file.attrs[f'a{index:03}'] = index
        file[f'd{index:03}'] = np.arange(index)


# Extents, maximum extents, chunk and points of datasets with few chunks, for each kind of index and its parts.
SPARSE = {
    'nothing': ((5000,), (5000,), (1,), []),
    'nothing growing': ((5000,), (None,), (1,), []),
    'single': ((4,), (4,), (4,), [1]),
    'fixed': ((60, 7), (60, 9), (4, 2), [(0, 0), (59, 6), (30, 3)]),
    'fixed in pages': ((9000,), (9000,), (1,), [0, 1023, 1024, 5000, 8999]),
    'growing': ((40, 6), (None, 9), (3, 2), [(0, 0), (39, 5), (20, 3)]),
    'growing much': ((140_000,), (None,), (1,), [0, 3, 4, 35, 36, 1000, 130_500, 132_000, 139_999]),
    'growing second': ((3, 6_000), (5, None), (1, 2), [(0, 0), (1, 5), (0, 4_000), (2, 5_999)]),
    'growing in both': ((90, 90), (None, None), (1, 1), [(i % 90, i * 7 % 90) for i in range(0, 2000, 3)]),
    'growing in two of three': ((3, 4, 5), (3, None, None), (1, 3, 2), [(0, 0, 0), (2, 3, 4)]),
}


def sparse(file):
    for name, (shape, maxshape, chunk, points) in SPARSE.items():
        for options in ({}, {'compression': 'gzip'}):
            title = ' '.join([name, *options.values()])
            dataset = file.create_dataset(title, shape, maxshape=maxshape, chunks=chunk, dtype='u1', **options)
            for point in points:
                dataset[point] = 7
            written = {tuple(i // n for i, n in zip(np.atleast_1d(point), chunk)) for point in points}
            dataset.attrs['stored'] = len(written)
    shrunk = file.create_dataset('shrunk', (1000,), maxshape=(None,), chunks=(10,), dtype='u1')
    shrunk[...] = 1
    shrunk.resize((500,))
    shrunk.resize((1000,))
    file.create_dataset('contiguous', (3000,), dtype='f8')
    file.create_dataset('filled', (3000,), dtype='f8', fillvalue=3.5)
    file['zeros'] = np.zeros(3000)


# Nothing is ever put there but what is written, whatever memory or the file held before.
def never(file):
    file['a written'] = np.full(60_000, 0xAB, dtype='u1')
    for layout in ('contiguous', 'chunked', 'filtered'):
        for alloc in (h5d.ALLOC_TIME_EARLY, h5d.ALLOC_TIME_LATE):
            for part in ('nothing', 'some'):
                plist = h5p.create(h5p.DATASET_CREATE)
                plist.set_fill_time(h5d.FILL_TIME_NEVER)
                plist.set_alloc_time(alloc)
                if layout != 'contiguous':
                    plist.set_chunk((100,))
                if layout == 'filtered':
                    plist.set_deflate(6)
                title = f'{layout} {alloc} {part}'
                space = h5s.create_simple((60_000,))
                dataset = h5d.create(file.id, title.encode(), h5t.STD_U8LE, space, plist)
                if part == 'some':
                    h5py.Dataset(dataset)[4_000:4_100] = 1
    for layout in ('contiguous', 'chunked'):
        plist = h5p.create(h5p.DATASET_CREATE)
        plist.set_fill_time(h5d.FILL_TIME_NEVER)
        plist.set_fill_value(np.array(7, 'u1'))
        if layout != 'contiguous':
            plist.set_chunk((100,))
        h5d.create(file.id, f'{layout} with a fill value'.encode(), h5t.STD_U8LE, h5s.create_simple((300,)), plist)
        if layout != 'contiguous':
            file[f'{layout} with a fill value'][50:120] = 1


WRITERS = [numbers, compounds, enums, text, sequences, references, links, properties, bits, many, sparse, never]

for writer in WRITERS:
    for version in ('earliest', 'latest'):
        with create(f'{writer.__name__}-{version}.h5', libver=version) as file:
            writer(file)
with create('userblock.h5', userblock_size=1024) as file:
    properties(file)
    references(file)


def source_of(name, path='x'):
    layout = h5py.VirtualLayout((4,), 'i4')
    layout[:] = h5py.VirtualSource(name, path, (4,))
    return layout


with create('virtual-source.h5') as file:
    file['x'] = np.arange(4, dtype='i4')
with create('virtual.h5', libver='latest') as file:
    file['x'] = np.arange(4, dtype='i4')
    file.create_virtual_dataset('virtual', source_of('virtual-source.h5'))
    file.create_virtual_dataset('virtual here', source_of('.'))
    file.create_virtual_dataset('virtual missing', source_of('nowhere.h5'), fillvalue=-7)
    file.create_virtual_dataset('virtual unknown', source_of('virtual-source.h5', 'a/y'), fillvalue=-7)
with create('damaged.h5') as file:
    chunks = file.create_dataset('chunks', data=np.arange(10_000) % 997, chunks=(1000,), compression='gzip')
    file['whole'] = 1
    place = chunks.id.get_chunk_info(5).byte_offset
with open(os.path.join(folder, 'damaged.h5'), 'r+b') as raw:
    raw.seek(place + 10)
    raw.write(b'\xff' * 100)
