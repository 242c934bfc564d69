# padded-compounds.py make FILE: a file whose compounds have gaps between their members, or members in another order
# than their offsets, wherever types are.
# padded-compounds.py compare FILE COPY: prints what differs between their objects: sizes, offsets and classes of types,
# values, chunks, filters, fill values; otherwise "equal".

import sys

import h5py
import numpy
from h5py import h5d, h5p, h5s, h5t

ALIGNED = numpy.dtype([('a', 'i1'), ('b', 'f8'), ('c', 'i1', (3,)), ('text', 'S5'), ('d', '>u2')], align=True)
NESTED = numpy.dtype([('x', 'i1'), ('inner', ALIGNED, (2,)), ('y', 'i2')], align=True)
REORDERED = numpy.dtype(
    {'names': ['p', 'q', 'r'], 'formats': ['i4', 'f8', 'i2'], 'offsets': [16, 0, 10], 'itemsize': 40})
DENSE = numpy.dtype({'names': ['p', 'q'], 'formats': ['i4', 'f8'], 'offsets': [8, 0], 'itemsize': 12})


def values(dtype, count):
    """Numbers and text in all members, and nothing between them."""
    rows = numpy.zeros(count, dtype)
    fill(rows, iter(range(1, 1 << 30)))
    return rows


def fill(rows, numbers):
    for name in rows.dtype.names:
        member = rows[name]
        if member.dtype.names:
            fill(member, numbers)
        elif member.dtype.kind == 'S':
            member[...] = [b't%d' % (i % 1000) for i in range(member.size)] if member.ndim == 1 else b't'
        else:
            member[...] = numpy.reshape([next(numbers) % 120 for _ in range(member.size)], member.shape)


def raw(file, name, type_id, shape, creation=None):
    space = h5s.create_simple(shape)
    return h5py.Dataset(h5d.create(file.id, name.encode(), type_id, space, creation))


def make(path):
    with h5py.File(path, 'w') as file:
        file['contiguous'] = values(ALIGNED, 5)
        file['scalar'] = values(ALIGNED, 1)[0]
        file['nested'] = values(NESTED, 7)
        file['reordered'] = values(REORDERED, 6)
        filters = {'compression': 'gzip', 'shuffle': True, 'fletcher32': True}
        file.create_dataset('filtered', data=values(ALIGNED, 9000), chunks=(1000,), **filters)
        file.create_dataset('growing', data=values(NESTED, 1234), chunks=(1000,), maxshape=(None,), compression='gzip')
        file.create_dataset('two dimensions', data=values(ALIGNED, 35).reshape(5, 7), chunks=(3, 4), compression='gzip')
        file.create_dataset('same size', data=values(DENSE, 3000), chunks=(500,), compression='gzip')
        file.create_dataset('unfiltered', data=values(ALIGNED, 900), chunks=(100,))
        file.create_dataset('no elements', (0,), ALIGNED, maxshape=(None,), chunks=(10,), compression='gzip')
        file.create_dataset('never written', (10,), ALIGNED)
        file.create_dataset('null', data=h5py.Empty(ALIGNED))
        compact = h5p.create(h5p.DATASET_CREATE)
        compact.set_layout(h5d.COMPACT)
        raw(file, 'compact', h5t.py_create(REORDERED), (6,), compact)[...] = values(REORDERED, 6)
        arrays = raw(file, 'arrays', h5t.array_create(h5t.py_create(ALIGNED), (2, 3)), (4,))
        arrays[...] = values(ALIGNED, 24).reshape(4, 2, 3)
        sequences = file.create_dataset('sequences', (3,), dtype=h5py.vlen_dtype(ALIGNED))
        for i in range(3):
            sequences[i] = values(ALIGNED, i + 1)
        texts = h5t.create(h5t.COMPOUND, 64)
        texts.insert(b'n', 3, h5t.STD_I32LE)
        texts.insert(b'text', 16, h5t.py_create(h5py.string_dtype(), logical=True))
        texts.insert(b'z', 50, h5t.STD_I8LE)
        rows = numpy.array([(1, 'a', 7), (2, 'bb', 8)], [('n', 'i4'), ('text', h5py.string_dtype()), ('z', 'i1')])
        raw(file, 'texts', texts, (2,))[...] = rows
        references = h5t.create(h5t.COMPOUND, 32)
        references.insert(b'n', 3, h5t.STD_I32LE)
        references.insert(b'to', 16, h5t.STD_REF_OBJ)
        rows = numpy.array([(4, file['nested'].ref), (5, file['filtered'].ref)], [('n', 'i4'), ('to', h5py.ref_dtype)])
        raw(file, 'references', references, (2,))[...] = rows
        file['type'] = ALIGNED
        fill_value = values(ALIGNED, 3)[2]
        committed = file.create_dataset('committed', (5,), file['type'], chunks=(5,), compression='gzip',
                                        fillvalue=fill_value)
        committed[:3] = values(ALIGNED, 3)
        file['contiguous'].attrs['nested'] = values(NESTED, 3)
        file['contiguous'].attrs.create('reordered', values(REORDERED, 1)[0], dtype=REORDERED)
        file.attrs.create('committed', values(ALIGNED, 4), dtype=file['type'])


def describe_type(type_id):
    kind, size = type_id.get_class(), type_id.get_size()
    if kind == h5t.COMPOUND:
        members = range(type_id.get_nmembers())
        return ['compound', size, [[type_id.get_member_name(i), type_id.get_member_offset(i),
                                    describe_type(type_id.get_member_type(i))] for i in members]]
    if kind == h5t.ARRAY:
        return ['array', size, type_id.get_array_dims(), describe_type(type_id.get_super())]
    if kind == h5t.VLEN:
        return ['sequence', describe_type(type_id.get_super())]
    return [kind, size]


def describe_value(file, value):
    if isinstance(value, h5py.Reference):
        return file[value].name
    if isinstance(value, h5py.Empty):
        return None
    if getattr(value, 'dtype', None) is not None and value.dtype.names:
        return [describe_value(file, value[name]) for name in value.dtype.names]
    if isinstance(value, numpy.ndarray):
        return [describe_value(file, item) for item in value.ravel()] if value.dtype == object else value.tolist()
    return value


def describe(path):
    with h5py.File(path) as file:
        found = {'/': attributes(file, file)}
        for name, item in file.items():
            type_id = item.id if isinstance(item, h5py.Datatype) else item.id.get_type()
            found[name] = {'type': describe_type(type_id), **attributes(file, item)}
            if isinstance(item, h5py.Dataset):
                found[name].update(describe_dataset(file, item))
        return found


def describe_dataset(file, dataset):
    chunks = range(dataset.id.get_num_chunks() if dataset.chunks else 0)
    return {
        'values': repr(describe_value(file, dataset[()])),
        'layout': [dataset.chunks, dataset.compression, dataset.shuffle, dataset.fletcher32, len(chunks)],
        'unfiltered': any(dataset.id.get_chunk_info(i).filter_mask for i in chunks),
        'fill value': repr(describe_value(file, dataset.fillvalue)) if dataset.compression else None,
    }


def attributes(file, item):
    def describe_attribute(name):
        type_id = item.attrs.get_id(name).get_type()
        return [describe_type(type_id), repr(describe_value(file, item.attrs[name]))]

    return {f'@{name}': describe_attribute(name) for name in item.attrs}


def compare(path, copy):
    expected, found = describe(path), describe(copy)
    differences = []
    for name, parts in expected.items():
        for key, part in parts.items():
            other = found.get(name, {}).get(key)
            if part != other:
                differences.append(f'{name} {key}: expected {part}, got {other}')
    print('\n'.join(differences) or 'equal')


if __name__ == '__main__':
    {'make': make, 'compare': compare}[sys.argv[1]](*sys.argv[2:])
