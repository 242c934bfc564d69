# export-members.py make FILE: a file with many links, attributes and chunks, and with messages that are too long for a
#   block of a heap.
# export-members.py compare FILE COPY: compares them with h5diff, where it is.
# export-members.py change FILE: changes such a file, as exported, and checks that libhdf5 finds the changes: so its
#   heaps and indexes are sound.

import shutil
import subprocess
import sys

import h5py
import numpy


def make(path):
    with h5py.File(path, 'w', libver='latest') as file:
        target = file.create_dataset('target', data=1)
        many = file.create_group('many')
        for i in range(3000):
            many[f'link number {i}'] = h5py.SoftLink('/target') if i % 3 else target
        many['x' * 5000] = h5py.SoftLink('y' * 6000)
        owner = file.create_group('owner')
        for i in range(700):
            owner.attrs[f'attribute {i}'] = numpy.arange(i % 40)
        owner.attrs['long'] = numpy.arange(3000.0)
        owner.attrs['longer'] = numpy.arange(20000.0)
        owner.attrs['text'] = 'x' * 9000
        owner.attrs['texts'] = [f'text {i}' for i in range(500)]
        strings = file.create_dataset('strings', (2000,), dtype=h5py.string_dtype(), chunks=(77,), maxshape=(None,))
        strings[...] = ['s' * (i % 100) for i in range(2000)]
        sequences = file.create_dataset('sequences', (30,), dtype=h5py.vlen_dtype('f4'))
        for i in range(30):
            sequences[i] = numpy.arange(i * 1000)
        chunks = file.create_dataset('chunks', (200, 1600), chunks=(8, 8), dtype='i4', compression='gzip',
                                     shuffle=True, maxshape=(None, None))
        chunks[...] = numpy.arange(320000).reshape(200, 1600)


def compare(path, copy):
    if shutil.which('h5diff'):
        subprocess.run(['h5diff', path, copy], check=True)
    print('equal')


def change(path):
    with h5py.File(path, 'r+') as file:
        many = file['many']
        for i in range(1000):
            many[f'new {i}'] = h5py.SoftLink('/target')
        for i in range(2900):
            del many[f'link number {i}']
        attributes = file['owner'].attrs
        for i in range(100):
            attributes[f'new {i}'] = i
        for i in range(650):
            del attributes[f'attribute {i}']
        del attributes['longer']
        attributes['longer'] = numpy.arange(10000.0)
        file['strings'].resize((2500,))
        file['strings'][2000:] = 'new'
        file['strings'][5] = 'other'
        file['sequences'][3] = [1, 2, 3]
        file['chunks'][:150, 3] = 7
        file['chunks'].resize((220, 1700))
    with h5py.File(path) as file:
        many, attributes = file['many'], file['owner'].attrs
        assert len(many) == 1101 and len(attributes) == 154
        assert many['link number 2999'][()] == 1 and many.get('x' * 5000, getlink=True).path == 'y' * 6000
        assert numpy.array_equal(attributes['attribute 679'], numpy.arange(39))
        assert numpy.array_equal(attributes['longer'], numpy.arange(10000.0))
        assert list(file['strings'][3:7]) == [b'sss', b'ssss', b'other', b'ssssss'] and file['strings'][2499] == b'new'
        assert list(file['sequences'][3]) == [1, 2, 3] and len(file['sequences'][29]) == 29000
        chunks = file['chunks']
        assert (chunks[:150, 3] == 7).all() and (chunks[:, 1600:] == 0).all()
        assert (chunks[150:200, :1600] == numpy.arange(240000, 320000).reshape(50, 1600)).all()
    print('changed')


if __name__ == '__main__':
    {'make': make, 'compare': compare, 'change': change}[sys.argv[1]](*sys.argv[2:])
