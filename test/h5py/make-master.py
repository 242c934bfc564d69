"""Writes `master.h5` into the folder, whose values and links lead into other files, and these: the dataset `virtual` is that of
`parts/source.h5`, `raw` the bytes of `parts/values.raw`, `behind` that of `parts/source.h5` behind an external link of the file
`parts/second.h5`, `outside` the bytes of `outside.raw` beside the folder; `out` is an external link to `parts/source.h5`, `reference` refers to `virtual`."""

import os
import sys

import h5py
import numpy as np

VALUES = np.arange(1000, 1006, dtype='<i4')
folder = sys.argv[1]
os.mkdir(os.path.join(folder, 'parts'))

with h5py.File(os.path.join(folder, 'parts', 'source.h5'), 'w') as file:
    file['values'] = VALUES
with h5py.File(os.path.join(folder, 'parts', 'second.h5'), 'w') as file:
    file['link'] = h5py.ExternalLink('source.h5', '/')
VALUES.tofile(os.path.join(folder, 'parts', 'values.raw'))

with h5py.File(os.path.join(folder, 'master.h5'), 'w', libver='latest') as file:
    for name, source, path in [('virtual', 'source.h5', 'values'), ('behind', 'second.h5', 'link/values')]:
        layout = h5py.VirtualLayout(VALUES.shape, VALUES.dtype)
        layout[:] = h5py.VirtualSource(f'parts/{source}', path, VALUES.shape)
        file.create_virtual_dataset(name, layout, fillvalue=-1)
    for name, path in [(b'raw', b'parts/values.raw'), (b'outside', b'../outside.raw')]:
        create = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        create.set_external(path, 0, VALUES.nbytes)
        space = h5py.h5s.create_simple(VALUES.shape)
        h5py.h5d.create(file.id, name, h5py.h5t.STD_I32LE, space, create)
    file['out'] = h5py.ExternalLink('parts/source.h5', '/values')
    file['reference'] = np.array([file['virtual'].ref], h5py.ref_dtype)
