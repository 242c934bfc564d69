"""Writes files most of whose values the importer can take over as they are, and beside each dataset its bytes.

large-files.py FOLDER: FOLDER/<bounds>-<user block>.h5 and FOLDER/<the same>.<dataset>.bytes
"""

import sys

import h5py
import numpy as np

SHAPE = (350, 500)


def write(path, libver, userblock):
    numbers = np.random.default_rng(1).integers(0, 1000, SHAPE).astype('<i4')
    with h5py.File(path, 'w', libver=libver, userblock_size=userblock) as file:
        file['contiguous'] = numbers
        file['big-endian'] = numbers.astype('>i2')
        file['text'] = np.array([b'%d' % i for i in range(20000)], dtype='S12')
        packed = np.zeros(20000, dtype=[('a', '<i4'), ('b', '<f8')])
        packed['a'] = np.arange(20000)
        file['packed'] = packed
        aligned = packed.astype(np.dtype([('a', '<i4'), ('b', '<f8')], align=True))
        file['aligned'] = aligned
        create = file.create_dataset
        create('chunks', data=numbers, chunks=(128, 128))
        create('one chunk', data=numbers, chunks=SHAPE)
        create('one filtered chunk', data=numbers, chunks=SHAPE, compression=1)
        create('growing', data=numbers, chunks=(128, 128), maxshape=(None, 500))
        create('growing both ways', data=numbers, chunks=(128, 128), maxshape=(None, None), shuffle=True, compression=4)
        create('checked', data=numbers, chunks=(128, 128), shuffle=True, compression=4, fletcher32=True)
        create('lzf', data=numbers, chunks=(100, 100), compression='lzf')
        create('scaled', data=numbers, chunks=(100, 100), scaleoffset=0)
        partly = create('partly', SHAPE, '<f4', chunks=(100, 100), fillvalue=7, compression=1)
        partly[5:110, 20] = 3
        shrunk = create('shrunk', data=numbers, chunks=(128, 128), maxshape=(None, None))
        shrunk.resize((300, 430))
        for name, dataset in file.items():
            values = dataset[()]
            # The model has no gaps between the members of a compound.
            values = values.astype(packed.dtype) if name == 'aligned' else values
            with open(f'{path}.{name}.bytes', 'wb') as out:
                out.write(np.ascontiguousarray(values).tobytes())


for bounds in ('earliest', 'latest'):
    for block in (0, 1024):
        write(f'{sys.argv[1]}/{bounds}-{block}.h5', bounds, block)
