# The files that clients open, and what h5py reads from them.
#
#   domains.py FOLDER        makes the files in FOLDER and prints their values as JSON, for clients that have no h5py
#
# `all.h5` has what HDF5 files have: layouts, filters, types, missing chunks, a filter that one chunk skipped. `grid.nc`
# is a file of netCDF, with dimension scales, an unlimited dimension and packed values.

import json
import os
import sys

import h5py
import numpy


def make(folder):
    make_all(os.path.join(folder, "all.h5"))
    make_grid(os.path.join(folder, "grid.nc"))


def make_all(path):
    numbers = numpy.cumsum(numpy.random.default_rng(1).integers(0, 5, (100, 70)), axis=1)
    with h5py.File(path, "w") as file:
        tiles = {"chunks": (32, 32)}
        file["contiguous"] = numbers.astype(">f8")
        file["long"] = numpy.arange(400000, dtype="i4").reshape(1000, 400)
        file.create_dataset("plain", data=numbers.astype("u2"), **tiles)
        file.create_dataset("deflate", data=numbers.astype("i4"), compression="gzip", **tiles)
        file.create_dataset("shuffle", data=numbers.astype("f8"), compression="gzip", shuffle=True, **tiles)
        file.create_dataset("checksum", data=numbers.astype("i2"), compression="gzip", fletcher32=True, **tiles)
        file.create_dataset("lzf", data=numbers.astype("i8"), compression="lzf", shuffle=True, **tiles)
        file.create_dataset("offset", data=numbers.astype("i4"), scaleoffset=0, **tiles)
        file.create_dataset("boolean", data=numbers % 2 == 0, compression="gzip", **tiles)
        file.create_dataset("complex", data=(numbers + 1j).astype("c8"), compression="gzip", **tiles)
        part = file.create_dataset("part", (100, 100), "f4", fillvalue=numpy.nan, compression="gzip", chunks=(10, 10))
        part[30:45, :10] = 7
        direct = file.create_dataset("mask", (40,), "i4", chunks=(10,), compression="gzip", shuffle=True)
        direct[...] = numpy.arange(40)
        direct.id.write_direct_chunk((10,), numpy.arange(10, dtype="i4").tobytes(), filter_mask=3)
        table = numpy.zeros(50, dtype=[("t", "f4"), ("n", "i2"), ("place", "f8", (3,))])
        table["t"] = numpy.arange(50)
        table["place"] = numpy.arange(150).reshape(50, 3)
        file.create_dataset("table", data=table, chunks=(20,), compression="gzip")
        text = file.create_dataset("sub/text", (5, 3), h5py.string_dtype(), chunks=(2, 2))
        text[...] = [[f"{row}-é{column}" for column in range(3)] for row in range(5)]
        file["soft"] = h5py.SoftLink("/sub/text")
        file["scalar"] = 3.5
        file["名"] = numpy.arange(3)


def make_grid(path):
    # Attributes and links in the order of creation: netCDF-C asks for it.
    with h5py.File(path, "w", track_order=True) as file:
        sizes = {"time": 6, "lat": 30, "lon": 40}
        for name, size in sizes.items():
            values = numpy.arange(size, dtype="f8") * 1.5
            file.create_dataset(name, data=values, maxshape=(None if name == "time" else size,), chunks=(size,))
            file[name].make_scale(name)
        file["time"].attrs["units"] = numpy.bytes_("days since 2000-01-01")
        shape = tuple(sizes.values())
        packed = file.create_dataset(
            "packed", shape, "i2", maxshape=(None, 30, 40), chunks=(1, 30, 40), compression="gzip", shuffle=True,
            fillvalue=-999,
        )
        packed[:3] = numpy.arange(3600).reshape(3, 30, 40)
        packed.attrs["_FillValue"] = numpy.array([-999], "i2")
        packed.attrs["scale_factor"] = numpy.array([0.1])
        count = file.create_dataset("count", data=numpy.arange(7200, dtype="i4").reshape(shape), chunks=(2, 30, 40))
        for dataset in (packed, count):
            for axis, name in enumerate(sizes):
                dataset.dims[axis].attach_scale(file[name])


def read(path):
    """Values of all datasets, by their paths."""
    values = {}
    with h5py.File(path, "r") as file:
        file.visititems(lambda name, item: values.update({name: item[...]}) if isinstance(item, h5py.Dataset) else None)
    return values


def are_equal(found, wanted):
    found, wanted = numpy.asarray(found), numpy.asarray(wanted)
    if found.shape != wanted.shape:
        return False
    if wanted.dtype.names:
        return all(are_equal(found[name], wanted[name]) for name in wanted.dtype.names)
    if wanted.dtype == object:
        return [str_of(text) for text in found.ravel()] == [str_of(text) for text in wanted.ravel()]
    return numpy.array_equal(found, wanted, equal_nan=wanted.dtype.kind in "fc")


def str_of(text):
    return text.decode() if isinstance(text, bytes) else str(text)


def as_json(values):
    """Numbers, booleans and text as a flat list, with the names of non-finite numbers; None for other types."""
    if values.dtype.names or values.dtype.kind == "c":
        return None
    if values.dtype == object:
        return [str_of(text) for text in values.ravel()]
    return [item if numpy.isfinite(item) else str(item) for item in values.ravel().tolist()]


if __name__ == "__main__":
    folder = sys.argv[1]
    make(folder)
    files = sorted(os.listdir(folder))
    print(
        json.dumps(
            {
                file: {
                    name: {"shape": list(values.shape), "values": as_json(values)}
                    for name, values in read(os.path.join(folder, file)).items()
                }
                for file in files
            }
        )
    )
