"""The client against a service, beside h5py and NumPy on the same data.

`HYPERSLAB_URL`, `HYPERSLAB_USER` (`name:password`) and `HYPERSLAB_FOLDER`, a folder of that user, name the service.
"""

import asyncio
import io
import os
import pickle
import random
import threading
import unittest

import h5py
import hyperslab
import numpy as np

SEED = int(os.environ.get('HYPERSLAB_SEED') or random.randrange(10**9))
COMPOUND = np.dtype([('id', '<i4'), ('at', '<f8'), ('name', 'S5'), ('v', '>i2', (2,))])
DTYPES = ['i1', '<u2', '>i4', '<i8', '>u8', '<f2', '>f4', '<f8', '?', '<c8', '>c16', 'S7', 'V3', COMPOUND]


def connect() -> hyperslab.Server:
    return hyperslab.connect(os.environ['HYPERSLAB_URL'], user=os.environ['HYPERSLAB_USER'])


def values_of(dtype: np.dtype, shape: tuple, numbers: np.random.Generator) -> np.ndarray:
    """Random elements: those of floats are finite, so that they can be compared."""
    dtype = np.dtype(dtype)
    if dtype.names:
        array = np.zeros(shape, dtype)
        for name in dtype.names:
            field = dtype[name]
            array[name] = values_of(field.base, shape + field.shape, numbers)
        return array
    if dtype.kind == 'S':
        words = numbers.choice([b'', b'a', b'xyz', b'abcdefg'[: dtype.itemsize]], shape)
        return words.astype(dtype)
    if dtype.kind == 'V':
        return np.frombuffer(numbers.bytes(int(np.prod(shape)) * dtype.itemsize), dtype).reshape(shape)
    if dtype.kind == 'c':
        return (numbers.normal(size=shape) + 1j * numbers.normal(size=shape)).astype(dtype)
    return numbers.integers(0, 2 if dtype.kind == 'b' else 100, shape).astype(dtype)


def random_key(shape: tuple, numbers: np.random.Generator) -> tuple:
    """An index of NumPy with at most one list: with more the service pairs them, as the test below says."""
    keys: list = []
    has_list = False
    for extent in shape:
        kind = numbers.integers(0, 6)
        low, high = sorted(int(n) for n in numbers.integers(-extent - 1, extent + 2, 2))
        if kind == 0:
            keys.append(int(numbers.integers(-extent, extent)))
        elif kind == 1 and not has_list:
            has_list = True
            keys.append([int(n) for n in numbers.integers(-extent, extent, numbers.integers(0, 5))])
        elif kind == 2 and not has_list:
            has_list = True
            keys.append(numbers.integers(0, 2, extent).astype(bool))
        elif kind == 3:
            keys.append(slice(low, high, int(numbers.integers(1, 4))))
        else:
            keys.append(slice(None if kind == 4 else low, high))
    if numbers.integers(0, 3) == 0:
        keys[-1:] = [...]
    return tuple(keys)


def expected_of(array: np.ndarray, key: tuple) -> np.ndarray:
    """Each key applied to its own dimension, last first, as h5py has it."""
    keys = list(key)
    if ... in [k for k in keys if k is ...]:
        keys[-1:] = [slice(None)] * (array.ndim - len(keys) + 1)
    for axis in reversed(range(len(keys))):
        k = keys[axis]
        if isinstance(k, list):
            k = np.array(k, int)
        array = array[(slice(None),) * axis + (k,)]
    return array


class ClientTest(unittest.TestCase):
    def setUp(self) -> None:
        self.server = connect()
        self.addCleanup(self.server.close)
        self.path = f'{os.environ["HYPERSLAB_FOLDER"]}/{self.id().rpartition(".")[2]}-{random.randrange(10**9)}.h5'
        self.numbers = np.random.default_rng(SEED)

    def new(self) -> hyperslab.Domain:
        return self.server.open(self.path, 'x')

    def same(self, got: object, expected: object) -> None:
        np.testing.assert_array_equal(got, expected, f'seed {SEED}')
        self.assertEqual(np.asarray(got).dtype, np.asarray(expected).dtype, f'seed {SEED}')
        self.assertEqual(np.shape(got), np.shape(expected), f'seed {SEED}')

    def test_every_type_comes_back_from_the_service_and_from_the_hdf5_file(self) -> None:
        domain = self.new()
        arrays = {f'{i}': values_of(dtype, (3, 4), self.numbers) for i, dtype in enumerate(DTYPES)}
        arrays['day'] = np.array(['2024-02-29', 'NaT'], 'M8[ns]')
        arrays['wait'] = np.array([1, -2], 'm8[ms]')
        for name, array in arrays.items():
            domain[name] = array
            domain.attrs[name] = array
            domain.attrs[f'{name} scalar'] = array.reshape(-1)[0]
        for name, array in arrays.items():
            self.same(domain[name][...], array)
            self.same(domain.attrs[name], array)
            self.same(domain.attrs[f'{name} scalar'], array.reshape(-1)[0])
        with self.exported() as file:
            for name, array in arrays.items():
                self.same(file[name][...], array)
                self.same(file.attrs[name], array)

    def exported(self) -> h5py.File:
        content = io.BytesIO()
        self.server.download(self.path, content)
        return h5py.File(content, 'r')

    def test_values_of_variable_size(self) -> None:
        domain = self.new()
        words = np.array([['né', ''], ['q', 'x' * 300]], object)
        text = domain.create_dataset('words', data=words, dtype=hyperslab.string_dtype())
        self.assertEqual(text.asstr()[...].tolist(), words.tolist())
        self.assertEqual(text[1, 0], b'q')
        big = domain.create_dataset('big', data=[np.arange(2), np.arange(3)], dtype=hyperslab.vlen_dtype('>u2'))
        self.assertEqual(big[1].tolist(), [0, 1, 2])
        text[0, :] = 'both'
        self.assertEqual(text.asstr()[:, 0].tolist(), ['both', 'q'])
        # h5py 3.7 itself swaps the bytes of sequences of big-endian numbers.
        sequences = domain.create_dataset('sequences', (3,), hyperslab.vlen_dtype('<u2'))
        sequences[...] = [[7, 8], [], [9]]
        sequences[2] = [1, 2, 3]
        self.assertEqual([row.tolist() for row in sequences[...]], [[7, 8], [], [1, 2, 3]])
        parts = [('k', '>i2'), ('t', hyperslab.string_dtype()), ('v', hyperslab.vlen_dtype('<f4'))]
        mixed = np.dtype([*parts, ('a', '<i4', (2,))])
        table = domain.create_dataset('table', (2,), mixed)
        table[...] = [(1, 'a', [0.5], (1, 2)), (-300, 'bé', [], (3, -4))]
        self.assertEqual(table['k'].tolist(), [1, -300])
        self.assertEqual(table['t', 1], 'bé'.encode())
        self.assertEqual(table['a'].tolist(), [[1, 2], [3, -4]])
        domain.attrs['words'] = words
        domain.attrs['word'] = 'é'
        domain.attrs.create('table', [(5, 'z', [1.5, 2], (6, 7))], dtype=mixed)
        self.assertEqual(domain.attrs['words'].tolist(), words.tolist())
        self.assertEqual(domain.attrs['word'], 'é')
        self.assertEqual(domain.attrs['table'][0]['v'].tolist(), [1.5, 2])
        with self.exported() as file:
            self.assertEqual(file['words'].asstr()[...].tolist(), text.asstr()[...].tolist())
            self.assertEqual([row.tolist() for row in file['sequences'][...]], [[7, 8], [], [1, 2, 3]])
            self.assertEqual(file['table']['t'].tolist(), [b'a', 'bé'.encode()])
            self.assertEqual(file['table']['a'].tolist(), [[1, 2], [3, -4]])
            self.assertEqual(h5py.check_vlen_dtype(sequences.dtype), h5py.check_vlen_dtype(file['sequences'].dtype))

    def test_files_of_h5py_read_as_h5py_reads_them(self) -> None:
        content = io.BytesIO()
        with h5py.File(content, 'w') as file:
            for i, dtype in enumerate(DTYPES):
                file.create_dataset(f'{i}', data=values_of(dtype, (5, 3), self.numbers), chunks=(2, 3), compression='gzip')
            file['enum'] = np.array([1, 0], h5py.enum_dtype({'OFF': 0, 'ON': 1}, 'u1'))
            file['text'] = ['a', 'bé']
            file['array'] = np.zeros(2, np.dtype(('<i4', (3,))))
            file.create_dataset('vlen', (2,), h5py.vlen_dtype('i4'))[0] = [1, 2]
            file['null'] = h5py.Empty('f4')
            file['ref'] = np.array([file['enum'].ref], h5py.ref_dtype)
            file['filled'] = file.create_dataset('f', (2,), 'i2', fillvalue=-9)
            file.attrs['text'] = 'é'
            file.attrs['list'] = ['a', 'bé']
        content.seek(0)
        self.server.upload(self.path, content)
        domain = self.server.open(self.path)
        with h5py.File(content, 'r') as file:
            self.assertEqual(list(domain), list(file))
            for name in [str(i) for i in range(len(DTYPES))] + ['enum', 'array', 'filled']:
                self.same(domain[name][...], file[name][...])
                self.assertEqual(domain[name].dtype, file[name].dtype)
                self.assertEqual(domain[name].shape, file[name].shape)
                self.assertEqual(domain[name].compression, file[name].compression)
            self.assertEqual(domain['filled'].fillvalue, file['filled'].fillvalue)
            self.assertEqual(h5py.check_enum_dtype(domain['enum'].dtype), h5py.check_enum_dtype(file['enum'].dtype))
            self.assertEqual(domain['text'][...].tolist(), file['text'][...].tolist())
            self.assertEqual([v.tolist() for v in domain['vlen'][...]], [v.tolist() for v in file['vlen'][...]])
            self.assertEqual(domain['null'][()], hyperslab.Empty('f4'))
            self.assertIsNone(domain['null'].chunks)
            self.assertEqual(domain[domain['ref'][0]], domain['enum'])
            self.assertEqual(domain.attrs['text'], file.attrs['text'])
            self.assertEqual(domain.attrs['list'].tolist(), file.attrs['list'].tolist())
        with self.assertRaisesRegex(hyperslab.HyperslabError, "mode 'r'"):
            domain['1'][0] = 3

    def test_random_selections_read_and_write_as_numpy(self) -> None:
        domain = self.new()
        for shape in [(9,), (5, 7), (3, 4, 5)]:
            array = values_of('<i4', shape, self.numbers)
            dataset = domain.create_dataset(f'{len(shape)}', data=array, chunks=tuple(min(2, e) for e in shape))
            self.assertEqual(dataset.chunks, (2,) * len(shape))
            keys = [random_key(shape, self.numbers) for _ in range(40)]
            for key, got in zip(keys, domain.read_many([(dataset, key) for key in keys]), strict=True):
                self.same(got, expected_of(array, key))
            for key in keys[:15]:
                indices = expected_of(np.arange(array.size).reshape(shape), key)
                value = self.numbers.integers(0, 100, indices.shape).astype('<i4')
                array.reshape(-1)[indices.reshape(-1)] = value.reshape(-1)
                dataset[key] = value
                self.same(dataset[...], array)
            mask = array > 50
            self.same(dataset[mask], array[mask])
            dataset[mask] = -1
            array[mask] = -1
            self.same(dataset[...], array)

    def test_selections_that_numpy_rejects_or_that_the_service_pairs(self) -> None:
        array = np.arange(60).reshape(3, 4, 5)
        dataset = self.new().create_dataset('x', data=array)
        self.same(dataset[[0, 2], 1:3, [4, 0]], array[[0, 2], 1:3, [4, 0]])
        self.same(dataset[0, 0, 0], array[0, 0, 0])
        self.assertEqual(dataset[..., 0].shape, (3, 4))
        for key in [(3,), (0, -5), (0, 0, 0, 0), ([3],), (..., ...), (np.zeros((2, 2), bool),), ([0], [0, 1])]:
            with self.assertRaises(IndexError, msg=key):
                dataset[key]
        for key in [slice(None, None, -1), slice(0, 1, 0)]:
            with self.assertRaises(ValueError):
                dataset[key]
        with self.assertRaises(TypeError):
            dataset[1.5]
        with self.assertRaises(ValueError):
            dataset[0] = np.zeros((7, 7))
        self.same(dataset[...], array)

    def test_groups_and_links(self) -> None:
        domain = self.new()
        inner = domain.create_group('a/b/c')
        inner['x'] = np.arange(3)
        domain['soft'] = hyperslab.SoftLink('/a/b')
        domain['a/hard'] = inner
        domain['out'] = hyperslab.ExternalLink(self.path, '/a')
        domain['nowhere'] = hyperslab.SoftLink('/none')
        domain['type'] = np.dtype('<i4')
        self.same(domain['soft/c/x'][1:], np.arange(1, 3))
        self.assertEqual(domain['a']['hard'], inner)
        self.assertEqual(domain.get('soft', getlink=True), hyperslab.SoftLink('/a/b'))
        self.assertEqual(domain.get('out', getlink=True), hyperslab.ExternalLink(self.path, '/a'))
        self.assertEqual(domain['type'].dtype, np.dtype('<i4'))
        self.assertIsNone(dict(domain.items())['nowhere'])
        self.assertEqual(dict(domain['a'].items())['b'], domain['a/b'])
        seen: list = []
        domain.visit(seen.append)
        with self.exported() as file:
            expected: list = []
            file.visit(expected.append)
            self.assertEqual(seen, expected)
        self.assertIs(domain.require_group('a').__class__, hyperslab.Group)
        self.assertEqual(domain.require_dataset('a/b/c/x', (3,), int), domain['a/b/c/x'])
        del domain['a/hard']
        self.assertNotIn('hard', domain['a'])
        self.assertEqual(len(domain['a']), 1)
        with self.assertRaises(KeyError) as caught:
            domain['a/hard']
        self.assertIn(caught.exception.status, (404, 410))
        with self.assertRaises(hyperslab.HyperslabError) as taken:
            domain.create_group('a')
        self.assertEqual(taken.exception.status, 409)

    def test_datasets_grow_and_have_the_properties_that_they_were_given(self) -> None:
        domain = self.new()
        frames = domain.create_dataset(
            'frames', (0, 2, 3), '<u2', maxshape=(None, 2, 3), compression='gzip', compression_opts=4, shuffle=True,
            fillvalue=7,
        )  # fmt: skip
        frames.append(np.ones((2, 2, 3)))
        frames.append(np.full((2, 3), 5))
        frames.resize(4, axis=0)
        self.assertEqual(frames.shape, (4, 2, 3))
        self.assertEqual(frames.maxshape, (None, 2, 3))
        self.assertEqual((frames.compression, frames.compression_opts, frames.shuffle), ('gzip', 4, True))
        self.assertEqual(frames[:, 0, 0].tolist(), [1, 1, 5, 7])
        self.assertEqual([row[0, 0] for row in frames], [1, 1, 5, 7])
        wide = domain.create_dataset('wide', (2, 0), 'i4', maxshape=(2, None))
        wide.append([[1, 2], [3, 4]], axis=1)
        wide.append([9, 9], axis=1)
        self.assertEqual(wide[...].tolist(), [[1, 2, 9], [3, 4, 9]])
        log = domain.create_dataset('log', (0,), hyperslab.string_dtype(), maxshape=(None,))
        log.append(['a', 'b'])
        log.append('c')
        self.assertEqual(log.asstr()[...].tolist(), ['a', 'b', 'c'])
        table = domain.create_dataset('rows', (0,), COMPOUND, maxshape=(None,))
        table.append(np.zeros(3, COMPOUND))
        self.assertEqual(table.shape, (3,))
        table['id', 1:] = [4, 5]
        self.assertEqual(table['id'].tolist(), [0, 4, 5])
        times = domain.create_dataset('times', (0,), 'f8', maxshape=(None,))
        domain.append_many([(frames, np.zeros((1, 2, 3))), (times, [1.5])])
        self.assertEqual((len(frames), len(times)), (5, 1))

    def test_many_values_in_one_request(self) -> None:
        domain = self.new()
        a = domain.create_dataset('a', data=np.arange(10))
        domain['s'] = 2.5
        domain.write_many([('a', [1, 3], [-1, -3]), ('s', (), 4.5), (a, slice(5, 5), [])])
        first, second, none = domain.read_many([(a, slice(1, 4)), ('s', ()), (a, [])])
        self.same(first, np.array([-1, 2, -3]))
        self.same(second, np.array(4.5))
        self.same(none, np.zeros(0, int))
        with self.assertRaises(KeyError):
            domain.write_many([('a', 0, 100), ('none', (), 1)])
        self.assertEqual(a[0], 0)

    def test_batches_have_each_row_once(self) -> None:
        domain = self.new()
        x = domain.create_dataset('x', data=np.arange(50).reshape(25, 2))
        y = domain.create_dataset('y', data=np.arange(25))
        in_order = list(y.iter_batches(8))
        self.assertEqual([len(batch) for batch in in_order], [8, 8, 8, 1])
        self.same(np.concatenate(in_order), np.arange(25))
        shuffled = list(hyperslab.iter_batches([x, y], 8, shuffle=True, seed=SEED))
        rows = np.concatenate([batch[1] for batch in shuffled])
        self.assertNotEqual(rows.tolist(), list(range(25)))
        self.same(np.sort(rows), np.arange(25))
        self.same(np.concatenate([batch[0] for batch in shuffled]), x[...][rows])
        again = np.concatenate([batch[1] for batch in hyperslab.iter_batches([x, y], 8, shuffle=True, seed=SEED)])
        self.same(again, rows)

    def test_a_state_is_required(self) -> None:
        domain = self.new()
        x = domain.create_dataset('x', data=[1, 2])
        fixed = domain.at(domain.state)
        self.assertEqual(fixed['x'][0], 1)
        x[0] = 5
        with self.assertRaises(hyperslab.HyperslabError) as caught:
            fixed.read_many([(x, 0)])
        self.assertEqual((caught.exception.status, caught.exception.code), (412, 'state-changed'))

    def test_the_feed_goes_on_behind_the_last_event(self) -> None:
        domain = self.new()
        x = domain.create_dataset('x', (0,), 'i4', maxshape=(None,))
        feed = domain.follow()
        start = next(feed)
        self.assertEqual((start.kind, start.state), ('start', domain.state))
        writer = threading.Thread(target=lambda: [x.append([i]) for i in range(5)])
        writer.start()
        shapes = [next(feed)]
        position = shapes[0].position
        writer.join()
        feed.close()
        for event in domain.follow(since=position):
            shapes.append(event)
            if event.changes[0]['shape'] == [5]:
                break
        self.assertEqual([e.kind for e in shapes], ['change'] * len(shapes))
        # Appends that were stored together are one event.
        ends = [e.changes[0]['stop'][0] for e in shapes]
        self.assertEqual(ends, sorted(set(ends)))
        self.assertEqual([shapes[0].changes[0]['start']] + [[end] for end in ends[:-1]], [e.changes[0]['start'] for e in shapes])

    def test_async(self) -> None:
        domain = self.new()
        x = domain.create_dataset('x', (0,), 'i4', maxshape=(None,))

        async def scenario() -> list:
            twin = hyperslab.AsyncDomain(domain)
            await asyncio.gather(*(twin.append(x, [i]) for i in range(10)))
            await twin.write(x, 0, 100)
            batches = [batch async for batch in twin.iter_batches(await twin.get('x'), 4)]
            return [(await twin.read('x')).tolist(), [len(b) for b in batches]]

        values, sizes = asyncio.run(scenario())
        self.assertEqual((len(values), values[0], sizes), (10, 100, [4, 4, 2]))

    def test_errors_have_the_sentences_of_the_service(self) -> None:
        with self.assertRaises(hyperslab.NotFoundError) as caught:
            self.server.open(self.path)
        self.assertEqual((caught.exception.status, caught.exception.code), (404, 'domain-not-found'))
        self.assertIn(self.path, str(caught.exception))
        anonymous = hyperslab.connect(os.environ['HYPERSLAB_URL'])
        self.addCleanup(anonymous.close)
        with self.assertRaises(hyperslab.HyperslabError) as refused:
            anonymous.open(self.path, 'x')
        self.assertIn(refused.exception.status, (401, 403))
        with self.assertRaises(hyperslab.HyperslabError) as unreachable:
            hyperslab.connect('http://127.0.0.1:9').json('PUT', '/')
        self.assertEqual(unreachable.exception.code, 'unreachable')

    def test_what_the_service_need_not_be_asked(self) -> None:
        for address in ('127.0.0.1:5101', 'ftp://127.0.0.1', '', 'http:///a.h5'):
            with self.assertRaisesRegex(ValueError, 'begins with http://'):
                hyperslab.connect(address)
        with self.assertRaisesRegex(ValueError, 'not empty'):
            self.server.open('')
        domain = self.server.open(self.path, 'w')
        dataset = domain.create_dataset('a', data=np.zeros((2, 3)), maxshape=(None, 3))
        with self.assertRaises(ValueError):
            domain.create_dataset('b', (2,), data=[1, 2, 3])
        self.assertEqual(list(domain), ['a'])
        for wrong in (0, '', None):
            with self.assertRaisesRegex(TypeError, 'no path'):
                domain[wrong]
        with self.assertRaisesRegex(TypeError, 'has no fields'):
            dataset['x']
        with self.assertRaisesRegex(TypeError, 'has no text'):
            dataset.asstr()[0]
        with self.assertRaises(KeyError):
            domain.attrs['']
        state = domain.state
        dataset.append(np.zeros((0, 3)))
        domain.append_many([(dataset, np.zeros((0, 3)))])
        self.assertEqual(domain.state, state)

    def test_extents_are_integers_of_numpy_too(self) -> None:
        domain = self.server.open(self.path, 'w')
        extents = np.array([2, 3])
        dataset = domain.create_dataset('a', tuple(extents), maxshape=(None, extents[1]), chunks=tuple(extents))
        dataset.resize(extents[1], axis=0)
        self.assertEqual((dataset.shape, dataset.maxshape, dataset.chunks), ((3, 3), (None, 3), (2, 3)))
        self.assertEqual(domain.create_dataset('b', extents[0]).shape, (2,))
        with self.assertRaises(TypeError):
            domain.create_dataset('c', (2.5,))

    def test_pickled_datasets_and_errors(self) -> None:
        dataset = self.server.open(self.path, 'w').create_dataset('a', data=[1, 2])
        copy = pickle.loads(pickle.dumps(dataset))
        self.addCleanup(copy.domain.server.close)
        self.assertEqual(copy[1], 2)
        error = pickle.loads(pickle.dumps(hyperslab.NotFoundError(404, 'link-not-found', 'no link')))
        self.assertEqual((type(error), error.code), (hyperslab.NotFoundError, 'link-not-found'))
        self.assertEqual(str(error), 'no link (404 link-not-found)')

    def test_folders_are_listed(self) -> None:
        self.new()
        names = [item['name'] for item in self.server.list(os.environ['HYPERSLAB_FOLDER'])]
        self.assertIn(self.path, names)
        self.server.delete(self.path)
        self.assertNotIn(self.path, [item['name'] for item in self.server.list(os.environ['HYPERSLAB_FOLDER'])])


if __name__ == '__main__':
    print(f'HYPERSLAB_SEED={SEED}')
    unittest.main()
