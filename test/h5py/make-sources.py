"""Writes files whose datasets are those of others, and the others, into the folder: `virtual.h5` and `nested.h5` have rows that are
in `s0.h5` to `s2.h5`, `external.h5` in `r0.raw` to `r2.raw`. Row i is [value, value, value, value]: 10 * i. The files in `later/`
are the same with 10 * i + 1, and there is `s2.h5` and `r2.raw` only there."""

import os
import sys

import h5py
import numpy as np

ROWS, COLUMNS = 3, 4
folder = sys.argv[1]
os.mkdir(os.path.join(folder, 'later'))


def write_source(path, value):
    with h5py.File(path, 'w') as file:
        file.create_dataset('row', data=np.full(COLUMNS, value, '<i4'))


def write_virtual(name, sources):
    layout = h5py.VirtualLayout((ROWS, COLUMNS), '<i4')
    for i, source in enumerate(sources):
        layout[i] = source
    with h5py.File(os.path.join(folder, name), 'w', libver='latest') as file:
        file.create_virtual_dataset('rows', layout, fillvalue=-1)


for i in range(ROWS):
    for where, value in [('', 10 * i), ('later', 10 * i + 1)]:
        if i == 2 and where == '':
            continue
        write_source(os.path.join(folder, where, f's{i}.h5'), value)
        np.full(COLUMNS, value, '<i4').tofile(os.path.join(folder, where, f'r{i}.raw'))

write_virtual('virtual.h5', [h5py.VirtualSource(f's{i}.h5', 'row', (COLUMNS,)) for i in range(ROWS)])
whole = h5py.VirtualSource('virtual.h5', 'rows', (ROWS, COLUMNS))
write_virtual('nested.h5', [whole[i] for i in range(ROWS)])
with h5py.File(os.path.join(folder, 'external.h5'), 'w') as file:
    create = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    for i in range(ROWS):
        create.set_external(f'r{i}.raw'.encode(), 0, 4 * COLUMNS)
    space = h5py.h5s.create_simple((ROWS, COLUMNS))
    h5py.h5d.create(file.id, b'rows', h5py.h5t.STD_I32LE, space, create)
