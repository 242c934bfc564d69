"""The filesystem of fsspec, the engine of xarray and `serve`, found by their entry points, as an installation has them.

The variables of test_hyperslab.py name the service.
"""

import io
import os
import pathlib
import pickle
import random
import shutil
import subprocess
import sys
import tempfile
import unittest
import warnings
from unittest import mock

PACKAGE = pathlib.Path(__file__).parent.parent
WORK = pathlib.Path(tempfile.mkdtemp())
unittest.addModuleCleanup(shutil.rmtree, WORK)
# The metadata of an installation, without one: xarray and fsspec look for engines in it when they are imported.
subprocess.run(
    [sys.executable, 'setup.py', '-q', 'egg_info', '--egg-base', WORK], cwd=PACKAGE, check=True, capture_output=True
)
sys.path.append(str(WORK))

import fsspec  # noqa: E402
import h5py  # noqa: E402
import hyperslab  # noqa: E402
import numpy as np  # noqa: E402
import xarray  # noqa: E402
from hyperslab._connection import split_address  # noqa: E402

SERVICE = os.environ['HYPERSLAB_URL']
HOST = SERVICE.partition('://')[2]
USER = os.environ['HYPERSLAB_USER']


def write_measurement(path: pathlib.Path) -> None:
    """A file by the rules of netCDF-4, with what else HDF5 allows beside it."""
    with h5py.File(path, 'w') as file:
        file.attrs['title'] = 'two stations'
        file.attrs['versions'] = ['1', '2']
        file.attrs['nothing'] = h5py.Empty('i4')
        file['time'] = np.arange(6)
        file['time'].attrs['units'] = np.bytes_('hours since 2026-01-01')
        file['x'] = np.zeros(4, 'f4')
        data = np.arange(24, dtype='i2').reshape(6, 4)
        grid = file.create_dataset('grid', data=data, chunks=(2, 4), compression='gzip')
        grid.attrs['scale_factor'], grid.attrs['_FillValue'] = np.array([0.5]), np.array([3], 'i2')
        file['time'].make_scale('time')
        file['x'].make_scale('This is a netCDF dimension but not a netCDF variable.         4')
        for dataset in (grid, file.create_dataset('inner/part', data=data)):
            dataset.dims[0].attach_scale(file['time'])
            dataset.dims[1].attach_scale(file['x'])
        file['labelled'] = data
        file['labelled'].dims[1].label = 'column'
        file['same'] = np.arange(36).reshape(6, 6)
        file['short'] = np.arange(3)
        file['short'].dims[0].attach_scale(file['time'])
        file.create_dataset('names', data=['Aldenau', 'Bö'], dtype=h5py.string_dtype())
        file['scalar'] = 2.5
        file['pointer'] = file['time'].ref
        file['null'] = h5py.Empty('f4')


class OpeningTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.local = WORK / 'measurement.nc'
        write_measurement(cls.local)

    def setUp(self) -> None:
        self.folder = f'{os.environ["HYPERSLAB_FOLDER"]}/{self.id().rpartition(".")[2]}-{random.randrange(10**9)}'
        self.fs = fsspec.filesystem('hyperslab', service=SERVICE, user=USER, skip_instance_cache=True)
        self.addCleanup(self.fs.server.close)
        self.path = f'{self.folder}/a b%20ü.nc'
        self.fs.mkdir(self.folder)
        self.fs.put(str(self.local), self.path)

    def open(self, address: str, **options: object) -> xarray.Dataset:
        with warnings.catch_warnings(record=True) as self.warned:
            warnings.simplefilter('always', UserWarning)
            # Other engines claim any address where they are installed.
            opened = xarray.open_dataset(address, **{'engine': 'hyperslab', **options})
        self.addCleanup(opened.close)
        return opened

    def test_domains_are_files_and_folders_are_folders(self) -> None:
        self.fs.makedirs(f'{self.folder}/in/ner')
        self.fs.pipe({f'{self.folder}/in/ner/b.nc': self.local.read_bytes()})
        self.assertEqual(self.fs.ls(self.folder, detail=False), [self.path, f'{self.folder}/in'])
        self.assertEqual([e['type'] for e in self.fs.ls(self.folder)], ['file', 'directory'])
        self.assertEqual(self.fs.ls(self.path, detail=False), [self.path])
        self.assertEqual(self.fs.find(self.folder), [self.path, f'{self.folder}/in/ner/b.nc'])
        self.assertEqual(self.fs.glob(f'{self.folder}/**/b.nc'), [f'{self.folder}/in/ner/b.nc'])
        self.assertTrue(self.fs.isdir(self.folder) and self.fs.isfile(self.path) and self.fs.isdir('/'))
        self.assertFalse(self.fs.exists(f'{self.folder}/none'))
        for request in (self.fs.info, self.fs.ls, self.fs.cat_file, self.fs.open, self.fs.rm_file):
            with self.assertRaises(FileNotFoundError, msg=request):
                request(f'{self.folder}/none')
        with self.assertRaises(IsADirectoryError):
            self.fs.cat_file(self.folder)
        self.fs.rm(f'{self.folder}/in', recursive=True)
        self.assertEqual(self.fs.ls(self.folder, detail=False), [self.path])

    def test_bytes_are_those_of_a_download(self) -> None:
        downloaded = io.BytesIO()
        self.fs.server.download(self.path, downloaded)
        whole = downloaded.getvalue()
        self.assertEqual(self.fs.info(self.path)['size'], len(whole))
        for start, end in [(None, None), (0, 10), (5, 50), (-7, None), (10, -10), (None, -1), (9, 9), (10**9, 10**9 + 1)]:
            self.assertEqual(self.fs.cat_file(self.path, start, end), whole[start:end], (start, end))
        with fsspec.open(f'hyperslab://{USER}@{HOST}{self.path}').open() as file, h5py.File(file) as h5:
            self.assertEqual(h5['grid'][1].tolist(), [4, 5, 6, 7])
        self.fs.get(self.path, str(WORK / 'copy.nc'))
        self.assertEqual((WORK / 'copy.nc').read_bytes(), whole)

    def test_what_changes_or_is_refused_is_an_error(self) -> None:
        with self.assertRaises(hyperslab.HyperslabError) as there:
            self.fs.pipe_file(self.path, self.local.read_bytes(), mode='create')
        self.assertEqual(there.exception.status, 412)
        with self.assertRaises(hyperslab.HyperslabError) as no_file:
            self.fs.pipe_file(f'{self.folder}/text.h5', b'no HDF5')
        self.assertEqual(no_file.exception.code, 'not-hdf5')
        with self.assertRaises(ValueError):
            self.fs.open(self.path, 'wb')
        with self.assertRaises(ValueError):
            fsspec.filesystem('hyperslab')
        anonymous = fsspec.filesystem('hyperslab', service=SERVICE, skip_instance_cache=True)
        self.addCleanup(anonymous.server.close)
        with self.assertRaises(hyperslab.HyperslabError) as refused:
            anonymous.exists(self.path)
        self.assertIn(refused.exception.status, (401, 403))
        with self.fs.open(self.path, block_size=512) as file:
            file.read(10)
            with self.fs.server.open(self.path, 'r+') as domain:
                domain['new'] = 1
            file.seek(-10, io.SEEK_END)
            with self.assertRaises(hyperslab.HyperslabError) as changed:
                file.read(10)
        self.assertEqual(changed.exception.status, 412)

    def test_xarray_has_dimensions_times_and_masks(self) -> None:
        opened = self.open(f'hyperslab://{USER}@{HOST}{self.path}')
        dimensions = {name: variable.dims for name, variable in opened.variables.items()}
        self.assertEqual(
            dimensions,
            {
                'grid': ('time', 'x'),
                'labelled': ('phony_dim_0', 'column'),
                'names': ('phony_dim_1',),
                'same': ('phony_dim_0', 'phony_dim_2'),
                'scalar': (),
                'short': ('phony_dim_3',),
                'time': ('time',),
            },
        )
        self.assertEqual(opened.time.values[5], np.datetime64('2026-01-01T05:00'))
        expected = np.arange(24.0).reshape(6, 4) / 2
        expected[0, 3] = np.nan
        np.testing.assert_array_equal(opened.grid.values, expected)
        self.assertEqual(opened.grid.encoding['preferred_chunks'], {'time': 2, 'x': 4})
        self.assertEqual(opened.names.values.tolist(), ['Aldenau', 'Bö'])
        self.assertEqual(opened.attrs, {'title': 'two stations', 'versions': ['1', '2']})
        self.assertEqual(opened.scalar.item(), 2.5)
        self.assertEqual(opened.encoding['source'], SERVICE + self.path)
        self.assertEqual(sorted(str(w.message).split(' is left out')[0] for w in self.warned), ['/null', '/pointer'])
        inner = self.open(self.path, engine='hyperslab', service=SERVICE, user=USER, group='inner')
        self.assertEqual(inner.part.dims, ('time', 'x'))

    def test_xarray_reads_selections_when_they_are_needed(self) -> None:
        opened = self.open(f'hyperslab://{self.path}', service=SERVICE, user=USER, chunks={}, decode_cf=False)
        self.assertEqual(opened.grid.chunks, ((2, 2, 2), (4,)))
        lazy = self.open(self.path, engine='hyperslab', service=SERVICE, user=USER, decode_cf=False).grid
        with h5py.File(self.local) as file:
            grid = xarray.DataArray(file['grid'][...], dims=('time', 'x'))
        np.testing.assert_array_equal(opened.grid.values, grid.values)
        pairs = xarray.DataArray([0, 2, 2], dims='pair')
        keys = [
            {'time': 3},
            {'time': slice(None, None, -2), 'x': slice(1, 3)},
            {'time': [4, 0, 4], 'x': [3, 1]},
            {'time': pairs, 'x': pairs},
            {'time': slice(0, 0), 'x': -1},
        ]
        for key in keys:
            np.testing.assert_array_equal(lazy.isel(key).values, grid.isel(key).values, str(key))
        with mock.patch.object(hyperslab.Domain, '_post_values', side_effect=AssertionError('values were read')):
            lazy.isel(time=slice(2), x=0)

    def test_xarray_computes_in_other_processes(self) -> None:
        chunked = self.open(f'hyperslab://{self.path}', service=SERVICE, user=USER, chunks={}, decode_cf=False).grid
        sent = pickle.dumps(chunked)
        program = 'import pickle, sys; print(int(pickle.load(sys.stdin.buffer)[2:].sum()))'
        done = subprocess.run([sys.executable, '-c', program], input=sent, capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, b'%d\n' % sum(range(8, 24))), done.stderr)

    def test_xarray_says_why_it_cannot_open(self) -> None:
        options = {'engine': 'hyperslab', 'user': USER}
        with self.assertRaises(ValueError):
            self.open(self.path, **options)
        with self.assertRaises(KeyError):
            self.open(f'{SERVICE}{self.folder}/none.nc', **options)
        with self.assertRaises(TypeError):
            self.open(self.path, service=SERVICE, group='grid', **options)

    def test_addresses(self) -> None:
        cases = {
            '/a/b.h5': ({}, '/a/b.h5'),
            'hyperslab:///a/b.h5': ({}, '/a/b.h5'),
            'hyperslab://host:1/a%20b/': ({'service': 'http://host:1'}, '/a%20b'),
            'https://host/a%20b': ({'service': 'https://host'}, '/a b'),
            'hyperslab://ann:p%40ss@host': ({'service': 'http://host', 'user': 'ann:p@ss'}, '/'),
        }
        for address, expected in cases.items():
            self.assertEqual(split_address(address), expected, address)


class ServeTest(unittest.TestCase):
    def program(self, name: str) -> str:
        folder = pathlib.Path(tempfile.mkdtemp(dir=WORK))
        (folder / name).write_text('#!/bin/sh\necho "$@"\n')
        (folder / name).chmod(0o755)
        return str(folder)

    def run_with(self, path: str) -> subprocess.CompletedProcess:
        command = [sys.executable, '-m', 'hyperslab', 'serve', './my data', '--port', '5999']
        environment = {**os.environ, 'PATH': path}
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    def test_the_program_is_found(self) -> None:
        self.assertEqual(self.run_with(self.program('hyperslab')).stdout, 'serve ./my data --port 5999\n')
        self.assertEqual(
            self.run_with(self.program('npx')).stdout, '--no-install hyperslab serve ./my data --port 5999\n'
        )
        with mock.patch.dict(os.environ, PATH=self.program('hyperslab')):
            self.assertEqual(hyperslab.serve('x').wait(), 0)

    def test_without_node_a_sentence_says_so(self) -> None:
        done = self.run_with(str(WORK))
        self.assertEqual((done.returncode, done.stdout, done.stderr.count('\n')), (1, '', 1))
        self.assertIn('install Node.js', done.stderr)


if __name__ == '__main__':
    unittest.main()
