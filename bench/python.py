"""The cost of a slice and of a frame from Python, in this process, the service and time: python.bench.mjs runs it.

All ways take turns in each round, the first round warms up, and the values of each way are compared with NumPy's.
"""

import json
import os
import sys
import time
from pathlib import Path

import aiohttp
import fsspec
import h5py
import hyperslab
import numpy as np
import zarr

try:
    import h5pyd
except ImportError:
    h5pyd = None

ADDRESS, PID, FOLDER, ROUNDS = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4])
LOGIN = ('admin', 'admin')
DOMAIN = '/home/bench.h5'
H5PYD = {'endpoint': ADDRESS, 'username': LOGIN[0], 'password': LOGIN[1]}
SLICES = 200
MANY = 2560
BATCH = 256
FRAMES = 200
TICKS = os.sysconf('SC_CLK_TCK')


def main():
    print(', '.join(f'{m.__name__} {m.__version__}' for m in (np, h5py, zarr, fsspec)), file=sys.stderr)
    print(f'h5pyd {h5pyd.__version__}' if h5pyd else 'h5pyd cannot be imported: it is left out', file=sys.stderr)
    server = hyperslab.connect(ADDRESS, user=LOGIN)
    report('slice', slices(server))
    for compression in (None, 'gzip'):
        report(f'frame, {compression or "no filter"}', frames(server, compression))


def slices(server):
    """Ways to the same 10 x 10 elements of 2048 x 2048 with gzip in chunks of 256 KiB: one by one, in batches."""
    field = np.random.default_rng(1).integers(0, 1000, (2048, 2048)).astype('f4')
    local = h5py.File(FOLDER / 'local.h5', 'w')
    domain = server.open(DOMAIN, 'w')
    for file in (domain, local):
        file.create_dataset('field', data=field, chunks=(256, 256), compression='gzip')
    corners = np.random.default_rng(2).integers(0, 2038, (MANY, 2)).tolist()
    keys = [np.s_[y : y + 10, x : x + 10] for y, x in corners]
    batches = [keys[i : i + BATCH] for i in range(0, MANY, BATCH)]
    login = {'client_kwargs': {'auth': aiohttp.BasicAuth(*LOGIN)}}
    file = fsspec.open(f'{ADDRESS}/h5{DOMAIN}', **login).open()
    ours = domain['field']
    one_by_one = {
        'hyperslab': ours,
        'zarr-python': zarr.open_group(f'{ADDRESS}/zarr/v3{DOMAIN}', mode='r', storage_options=login)['field'],
        'h5py over fsspec': h5py.File(file, 'r')['field'],
        'h5py, local file': local['field'],
    }
    many = {'hyperslab, read_many': lambda: [a for b in batches for a in domain.read_many([(ours, k) for k in b])]}
    if h5pyd:
        theirs = h5pyd.File(DOMAIN, 'r', **H5PYD)['field']
        one_by_one['h5pyd'] = theirs
        many['h5pyd, MultiManager'] = lambda: [
            a for b in batches for a in h5pyd.MultiManager([theirs] * len(b))[list(b)]
        ]
    few = {name: lambda dataset=d: [dataset[key] for key in keys[:SLICES]] for name, d in one_by_one.items()}
    tasks = [(name, work, SLICES) for name, work in few.items()] + [(name, work, MANY) for name, work in many.items()]
    return rounds(tasks, lambda values, count: np.testing.assert_array_equal(values, [field[k] for k in keys[:count]]))


def frames(server, compression):
    """Ways to write an acquisition: frames of 512 x 512 numbers of 16 bits, each durable before the next."""
    images = np.random.default_rng(3).poisson(20, (FRAMES, 512, 512)).astype('u2')
    layout = {
        'shape': (0, 512, 512), 'dtype': 'u2', 'maxshape': (None, 512, 512),
        'chunks': (1, 512, 512), 'compression': compression,
    }  # fmt: skip

    def append(path):
        stored = server.open(path, 'w').create_dataset('frames', **layout)
        for image in images:
            stored.append(image)
        return stored

    def extend(file):
        stored = file.create_dataset('frames', **layout)
        for number, image in enumerate(images):
            stored.resize(number + 1, axis=0)
            stored[number] = image
            file.flush()
        return stored

    def check(stored, _count):
        np.testing.assert_array_equal(stored[...], images)

    tasks = [
        ('hyperslab, append', lambda: append('/home/ours.h5'), FRAMES),
        ('h5py, local file, not synced', lambda: extend(h5py.File(FOLDER / 'frames.h5', 'w')), FRAMES),
    ]
    if h5pyd:
        tasks.append(('h5pyd', lambda: extend(h5pyd.File('/home/theirs.h5', 'w', **H5PYD)), FRAMES))
    return rounds(tasks, check)


def rounds(tasks, check):
    """For each task its rounds: milliseconds of client, service and time for one of its items."""
    results = {name: [] for name, _, _ in tasks}
    for number in range(-1, ROUNDS):
        for name, work, count in tasks:
            before = spent()
            values = work()
            after = spent()
            check(values, count)
            if number >= 0:
                results[name].append([1000 * (b - a) / count for a, b in zip(before, after, strict=True)])
    return results


def spent():
    """Seconds: processor time of this process, of the service with its threads, and time."""
    fields = Path(f'/proc/{PID}/stat').read_text().rpartition(') ')[2].split()
    return time.process_time(), (int(fields[11]) + int(fields[12])) / TICKS, time.perf_counter()


def report(unit, results):
    print(json.dumps({'unit': unit, 'results': results}), flush=True)


main()
