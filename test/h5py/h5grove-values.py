"""Makes a file with values of all types; prints what h5py reads, in the form in which h5grove.test.ts compares it."""

import json
import sys

import h5py
import numpy as np


def make(path):
    with h5py.File(path, 'w') as file:
        numbers = file.create_group('numbers')
        for order in '<>':
            for kind in ('i1', 'i2', 'i4', 'i8', 'u1', 'u2', 'u4', 'u8'):
                info = np.iinfo(kind)
                numbers[order + kind] = np.array([[info.min, 1, 2], [3, 4, info.max]], order + kind)
            for kind in ('f2', 'f4', 'f8'):
                numbers[order + kind] = np.array([[0.5, -1.25, np.nan], [np.inf, -np.inf, 1 / 3]], order + kind)
            for kind in ('c8', 'c16'):
                numbers[order + kind] = np.array([[1 + 2j, -0.5j], [complex(3, np.nan), 0]], order + kind)
        for kind in ('i4', 'i8', 'f2', 'f8', 'c16'):
            numbers['scalar ' + kind] = np.array(7, kind)
        numbers['none'] = np.zeros((0, 3), 'f4')
        numbers['null'] = h5py.Empty('f8')
        rows = np.arange(600, dtype='f8').reshape(20, 30)
        numbers.create_dataset('chunked', data=rows, chunks=(7, 8), compression='gzip', shuffle=True)
        numbers.create_dataset('never written', (3, 4), 'i2', fillvalue=-5)
        types = file.create_group('types')
        types['bool'] = np.array([[True, False], [False, True]])
        types['scalar bool'] = np.bool_(True)
        enum = h5py.special_dtype(enum=('i2', {'RED': 1, 'GREEN': 300, 'grün': -2}))
        types.create_dataset('enum', data=np.array([300, -2], 'i2'), dtype=enum)
        types['fixed'] = np.array([b'ab', b'cde', b''], 'S3')
        text = h5py.special_dtype(vlen=str)
        types.create_dataset('text', data=['grüß', '', '日本'], dtype=text)
        types.create_dataset('scalar text', data='a "b" \\ c', dtype=text)
        types.create_dataset('opaque', data=np.array([b'\x01\x02\xff', b'\x00\x00\x07'], 'V3'))
        point = np.dtype([('x', 'f4'), ('name', 'S4'), ('in', [('a', '>i2'), ('b', 'u1', (2, 2))])])
        types['compound'] = np.array([(0.5, b'one', (1, [[1, 2], [3, 4]])), (2, b'two', (-2, [[5, 6], [7, 8]]))], point)
        types['scalar compound'] = np.array((1.5, b'x', (3, [[0, 1], [2, 3]])), point)
        types['array'] = np.array([([1, 2, 3],), ([4, 5, 6],)], [('v', 'i4', (3,))])
        ragged = types.create_dataset('vlen', (3,), h5py.special_dtype(vlen=np.dtype('i4')))
        ragged[0], ragged[2] = [1, 2, 3], [4]
        types['committed'] = np.dtype('>f4')
        types['of committed'] = np.zeros(2, types['committed'].dtype)
        links = file.create_group('links')
        links['soft'] = h5py.SoftLink('/types/fixed')
        links['broken'] = h5py.SoftLink('/nowhere')
        links['away'] = h5py.ExternalLink('other.h5', '/x')
        links['again'] = file['numbers/chunked']
        attributes = file['types/text'].attrs
        attributes['text'] = 'grüß'
        attributes['texts'] = np.array(['a', 'bb'], text)
        attributes['number'] = 0.1
        attributes['matrix'] = np.arange(6, dtype='>i2').reshape(2, 3)
        attributes['flag'] = True
        attributes['empty'] = h5py.Empty('f4')
        attributes['nan'] = np.array([np.nan, 1.5])
        attributes['complex'] = np.array([1 + 2j])
        attributes['point'] = np.array((0.5, b'one', (1, [[1, 2], [3, 4]])), point)
        file.attrs['ünit'] = 'm'


def number(value):
    """A number as JSON has it, and whole numbers as digits: doubles do not hold all of them."""
    if isinstance(value, (np.integer, int)):
        return str(int(value))
    return float(value) if np.isfinite(value) else None


def plain(value):
    """The JSON of an element or of an array of elements."""
    if isinstance(value, (np.bool_, bool)):
        return str(int(value))
    if isinstance(value, (complex, np.complexfloating)):
        return [number(value.real), number(value.imag)]
    if isinstance(value, bytes):
        return value.decode('utf-8')
    if isinstance(value, str):
        return value
    if isinstance(value, np.ndarray):
        return [plain(item) for item in value]
    if isinstance(value, np.void) and value.dtype.names:
        return [plain(value[name]) for name in value.dtype.names]
    if isinstance(value, np.void):
        return [str(byte) for byte in value.tobytes()]
    return number(value)


def values_of(dataset):
    if dataset.shape is None:
        return None
    value = dataset[()]
    if dataset.dtype.kind == 'V' and not dataset.dtype.names:
        return [str(byte) for byte in np.asarray(value).tobytes()]
    return plain(value) if dataset.shape == () else [plain(item) for item in value.reshape(-1)]


def describe(path):
    datasets, attributes = {}, {}
    with h5py.File(path, 'r') as file:

        def visit(name, item):
            read = {key: None if isinstance(value, h5py.Empty) else plain(value) for key, value in item.attrs.items()}
            if read:
                attributes[name] = read
            if isinstance(item, h5py.Dataset):
                shape = None if item.shape is None else list(item.shape)
                datasets[name] = {'shape': shape, 'value': values_of(item)}

        visit('/', file)
        for group in ('numbers', 'types'):
            for name, item in file[group].items():
                visit(f'/{group}/{name}', item)
        chunked = file['numbers/chunked']
        parts = {text: chunked[eval(f'np.s_[{text}]')].reshape(-1).tolist() for text in SELECTIONS}
    return {'datasets': datasets, 'attributes': attributes, 'parts': parts}


SELECTIONS = ['3', '3,:', ':,4', '2:9:3,-5:', '-1,-1:', '...,0', '4:100,10:12']

make(sys.argv[1])
print(json.dumps(describe(sys.argv[1])))
