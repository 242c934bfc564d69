"""Writes a folder as it is after it was moved from the machine that measured: `data master.h5` names the files beside it by absolute
names of that machine. `top.h5` names files in the folder by their absolute names there. Every dataset of the master files is [0, 1, 2, 3]."""

import os
import sys

import h5py
import numpy as np

BEFORE = '/beam line/données'
VALUES = np.arange(4, dtype='<i4')
folder = sys.argv[1]
moved = os.path.join(folder, 'scan 1')
os.makedirs(moved)


def write_virtual(file, name, source, dataset='entry/data'):
    layout = h5py.VirtualLayout((4,), '<i4')
    layout[:] = h5py.VirtualSource(source, dataset, (4,))
    file.create_virtual_dataset(name, layout, fillvalue=-1)


def write_raw(file, name, raw):
    create = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    create.set_external(raw.encode(), 0, 16)
    h5py.h5d.create(file.id, name.encode(), h5py.h5t.STD_I32LE, h5py.h5s.create_simple((4,)), create)


with h5py.File(os.path.join(moved, 'Röntgen série_1.h5'), 'w') as file:
    file['entry/data'] = VALUES
VALUES.tofile(os.path.join(moved, 'frames.raw'))
with h5py.File(os.path.join(moved, 'linked.h5'), 'w') as file:
    file['far'] = h5py.ExternalLink(f'{BEFORE}/Röntgen série_1.h5', '/entry/data')
with h5py.File(os.path.join(moved, 'data master.h5'), 'w', libver='latest') as file:
    file['link'] = h5py.ExternalLink(f'{BEFORE}/scan 1/Röntgen série_1.h5', '/entry/data')
    file['windows'] = h5py.ExternalLink('D:\\données\\Röntgen série_1.h5', '/entry/data')
    write_virtual(file, 'virtual', f'{BEFORE}/scan 1/Röntgen série_1.h5')
    write_virtual(file, 'through a link', 'linked.h5', 'far')
    write_virtual(file, 'of itself', './data master.h5', 'own')
    write_virtual(file, 'of itself before', f'{BEFORE}/data master.h5', 'own')
    write_raw(file, 'raw', f'{BEFORE}/scan 1/frames.raw')
    file['own'] = VALUES
with h5py.File(os.path.join(folder, 'top.h5'), 'w', libver='latest') as file:
    file['link'] = h5py.ExternalLink(os.path.join(moved, 'Röntgen série_1.h5'), '/entry/data')
    file['out'] = h5py.ExternalLink('/secret.h5', '/secret')
    write_virtual(file, 'virtual', os.path.join(moved, 'Röntgen série_1.h5'))
    write_raw(file, 'raw', os.path.join(moved, 'frames.raw'))
