"""C26: what `hyperslab import` took in comes out by hsget as it was, whatever filters, chunks and fill values it has.

The files are written by h5py: every filter of HDF5 that it has, alone and together, over several types, chunk shapes
and chunk indexes, with chunks that were never written; and h5serv's sample files, where they are. h5diff is the judge.
"""

import os
import shutil
import subprocess
import tempfile

import h5py
import h5pyd
import numpy as np
from h5py import h5d, h5p, h5s, h5t, h5z
from scenario import FOLDER, check, equal, missing, program

COMMAND = os.environ.get("HYPERSLAB_TEST_COMMAND")
DATA = os.environ.get("HYPERSLAB_TEST_DATA")
SAMPLES = os.environ.get("HYPERSLAB_SAMPLES")
if not COMMAND or not DATA:
    missing("the data folder of the server is not known here, and files are imported into it")
if not shutil.which("h5diff"):
    missing("h5diff is needed (Debian: hdf5-tools)")

# What h5pyd itself refuses or changes on the way out, or what the importer warns of.
LOSSY = {
    "array_attr.h5", "array_dset.h5", "arraytype.h5", "comp_complex.h5", "fixed_string_attr.h5", "fixed_string_dset.h5",
    "h5ex_d_extern.h5", "notahdf5file.h5", "opaque_attr.h5", "regionref_dset.h5", "sample.h5", "tall_with_udlink.h5",
    "tallrw.h5", "tstr.h5",
}  # fmt: skip
SLOW = {"attr1k.h5", "dset1k.h5", "group1k.h5", "type1k.h5"}

FILTERS = {
    "none": lambda p: None,
    "gzip 0": lambda p: p.set_deflate(0),
    "gzip 1": lambda p: p.set_deflate(1),
    "gzip 9": lambda p: p.set_deflate(9),
    "shuffle": lambda p: p.set_shuffle(),
    "fletcher32": lambda p: p.set_fletcher32(),
    "shuffle gzip": lambda p: (p.set_shuffle(), p.set_deflate(6)),
    "fletcher32 shuffle gzip": lambda p: (p.set_fletcher32(), p.set_shuffle(), p.set_deflate(6)),
    "shuffle gzip fletcher32": lambda p: (p.set_shuffle(), p.set_deflate(6), p.set_fletcher32()),
    "nbit": lambda p: p.set_filter(h5z.FILTER_NBIT, h5z.FLAG_OPTIONAL),
    "nbit gzip": lambda p: (p.set_filter(h5z.FILTER_NBIT, h5z.FLAG_OPTIONAL), p.set_deflate(6)),
    "lzf": lambda p: p.set_filter(h5z.FILTER_LZF, h5z.FLAG_OPTIONAL),
    "szip": lambda p: p.set_szip(h5z.SZIP_NN_OPTION_MASK, 8),
}
INTEGER_FILTERS = {
    "scaleoffset": lambda p: p.set_scaleoffset(h5z.SO_INT, 0),
    "scaleoffset gzip": lambda p: (p.set_scaleoffset(h5z.SO_INT, 0), p.set_shuffle(), p.set_deflate(6)),
}
FLOAT_FILTERS = {"scaleoffset": lambda p: p.set_scaleoffset(h5z.SO_FLOAT_DSCALE, 3)}

TYPES = ("<i2", "<u8", ">f8")

# Extents, maximum extents, chunk; the chunk does not divide the extents, is larger, or is one element.
SHAPES = (
    ((100, 30), (100, 30), (40, 30)),
    ((100, 30), (None, 30), (33, 7)),
    ((7, 5, 9), (None, 5, None), (3, 5, 4)),
    ((11,), (11,), (1,)),
    ((3,), (None,), (1000,)),
)


def available(name):
    if name.startswith("szip"):
        return h5z.filter_avail(h5z.FILTER_SZIP) and bool(h5z.get_filter_info(h5z.FILTER_SZIP) & h5z.FILTER_CONFIG_ENCODE_ENABLED)
    return True


def numbers(shape, dtype):
    return (np.arange(np.prod(shape)) * 7 % 101).reshape(shape).astype(dtype)


def fill_of(dtype):
    return np.array(42, dtype=dtype)


def make(path, libver):
    """Writes a file of each filter by each type and shape."""
    with h5py.File(path, "w", libver=libver) as file:
        for dtype in TYPES:
            own = FLOAT_FILTERS if np.dtype(dtype).kind == "f" else INTEGER_FILTERS
            for name, apply in {**FILTERS, **own}.items():
                if not available(name):
                    continue
                for index, (shape, maxshape, chunk) in enumerate(SHAPES):
                    where = f"{dtype.strip('<>')}/{name}/{index}"
                    group = file.require_group(where)
                    for fill, part in ((False, "all"), (False, "some"), (True, "some"), (True, "none")):
                        space = h5s.create_simple(shape, tuple(h5s.UNLIMITED if n is None else n for n in maxshape))
                        properties = h5p.create(h5p.DATASET_CREATE)
                        properties.set_chunk(chunk)
                        if fill:
                            properties.set_fill_value(fill_of(dtype))
                        try:
                            apply(properties)
                            title = f"{part} {'filled' if fill else 'plain'}"
                            identifier = h5d.create(group.id, title.encode(), h5t.py_create(np.dtype(dtype)), space, properties)
                        except ValueError:
                            continue  # szip: not for chunks of one element
                        dataset = h5py.Dataset(identifier)
                        values = numbers(shape, dtype)
                        if part == "all":
                            dataset[...] = values
                        elif part == "some":
                            dataset[tuple(slice(0, 1 + n // 3) for n in shape)] = values[tuple(slice(0, 1 + n // 3) for n in shape)]
        for index, options in enumerate(({}, {"compression": "gzip"}, {"compression": "gzip", "shuffle": True})):
            chunks = (5,) if options else None
            options_of_text = {name: value for name, value in options.items() if name != "shuffle"}
            file.create_dataset(f"text {index}", data=["a", "bc", "", "gr\u00fcn", "x" * 300] * 3, dtype=h5py.string_dtype(), chunks=chunks, **options_of_text)
            pairs = np.array([(1, 2.5), (3, 4.5), (5, 6.5)] * 4, dtype=[("a", ">i2"), ("b", "<f8")])
            file.create_dataset(f"pairs {index}", data=pairs, chunks=chunks, **options)
        grown = file.create_dataset("grown", (10,), maxshape=(None,), chunks=(4,), dtype="i4", compression="gzip", fillvalue=-1)
        grown[...] = np.arange(10)
        grown.resize((3,))
        grown.resize((50,))
        file.create_dataset("long ago", (2**50,), maxshape=(None,), chunks=(1000,), dtype="f8", compression="gzip")


def imported(folder, *files):
    """Runs the importer; what it printed."""
    command = [*COMMAND.split("\n"), "import", "--data", DATA, "--to", folder, *files]
    # What names the clients for the tests would be settings for the command.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("HYPERSLAB_")}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True)
    printed = ended.stdout + ended.stderr
    check(f"import of {len(files)} files ends with 0", ended.returncode == 0, printed)
    return printed


def same(first, second, *options):
    """Whether HDF5 finds no difference between two local files."""
    ended = subprocess.run(["h5diff", *options, first, second], capture_output=True, text=True)
    return ended.returncode == 0, ended.stdout + ended.stderr


work = tempfile.TemporaryDirectory()

# The newest formats are not read by every h5diff.
for libver in ("earliest", "v110"):
    original, copy, domain = f"{work.name}/{libver}.h5", f"{work.name}/{libver}-copy.h5", f"{FOLDER}/{libver}.h5"
    make(original, libver)
    check(f"{libver}: no warning", "warning:" not in imported(FOLDER, original), original)
    with h5pyd.File(domain, "r") as file, h5py.File(original, "r") as local:
        for name in ("gzip 9", "shuffle gzip", "fletcher32 shuffle gzip", "nbit gzip", "scaleoffset gzip"):
            got, expected = file[f"i2/{name}/0/all plain"], local[f"i2/{name}/0/all plain"]
            for key in ("compression", "compression_opts", "shuffle", "chunks", "dtype", "shape", "maxshape"):
                equal(f"{libver}: {key} with {name}", getattr(got, key), getattr(expected, key))
        equal(f"{libver}: the end of a dataset of 2^50 elements", file["long ago"][2**50 - 2 :], np.zeros(2))
        for dtype in TYPES:
            path = f"{dtype.strip('<>')}/lzf/0/all plain"
            equal(f"{libver}: the values of {path}", file[path][...], local[path][...])
    # h5pyd fetches all of a dataset, stored or not; only h5py has the filter LZF, h5diff has not.
    with h5py.File(original, "r+") as local:
        del local["/long ago"]
        for dtype in TYPES:
            del local[f"{dtype.strip('<>')}/lzf"]
    program("hsrm", "-r", domain, status=None)
    kept = f"{work.name}/kept/{libver}.h5"
    os.makedirs(os.path.dirname(kept), exist_ok=True)
    shutil.copyfile(original, kept)
    imported(f"{FOLDER}/kept", kept)
    program("hsget", f"{FOLDER}/kept/{libver}.h5", copy)
    holds, printed = same(kept, copy)
    check(f"{libver}: h5diff finds the copy equal", holds, printed)
    with h5py.File(kept, "r") as local, h5py.File(copy, "r") as back:
        pairs = []
        local.visititems(lambda name, item: pairs.append((name, item, back[name])) if isinstance(item, h5py.Dataset) else None)
        for name, item, got in pairs:
            if "gzip" in name.split("/")[1:2]:
                equal(f"{libver}: {name} is compressed again", (got.compression, got.chunks), (item.compression, item.chunks))
        check(f"{libver}: datasets were compared", len(pairs) > 500, len(pairs))

if SAMPLES and os.path.exists(f"{SAMPLES}/tall.h5"):
    names = [
        name
        for name in sorted(os.listdir(SAMPLES))
        if name.endswith(".h5") and name not in LOSSY and name not in SLOW
    ]
    imported(f"{FOLDER}/samples", *[f"{SAMPLES}/{name}" for name in names])
    for name in names:
        original, local = f"{SAMPLES}/{name}", f"{work.name}/{name}"
        program("hsget", f"{FOLDER}/samples/{name}", local)
        holds, printed = same(original, local)
        check(f"{name} comes back equal", holds, printed)
    check("most sample files were compared", len(names) >= 50, len(names))
