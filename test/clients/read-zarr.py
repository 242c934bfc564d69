# Opens a domain as Zarr with zarr-python and compares every value with that of h5py.
#
#   read-zarr.py ADDRESS USER PASSWORD FOLDER
#
# FOLDER is one of the server, in which USER may create domains. Prints what differs, and then the number of values that
# were compared.

import base64
import os
import sys
import tempfile
import urllib.request
import warnings

import fsspec
import h5py
import numpy
import zarr

warnings.simplefilter("ignore")
address, user, password, folder = sys.argv[1:]


def make(path):
    numbers = numpy.cumsum(numpy.random.default_rng(1).integers(0, 5, (100, 70)), axis=1)
    with h5py.File(path, "w") as file:
        tiles = {"chunks": (32, 32)}
        file["contiguous"] = numbers.astype(">f8")
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


def read(path):
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
        return [str(text) for text in found.ravel()] == [text.decode() for text in wanted.ravel()]
    return numpy.array_equal(found, wanted, equal_nan=wanted.dtype.kind in "fc")


def upload(path, domain):
    credentials = base64.b64encode(f"{user}:{password}".encode()).decode()
    headers = {"Authorization": f"Basic {credentials}", "Content-Type": "application/x-hdf5"}
    with open(path, "rb") as file:
        request = urllib.request.Request(f"{address}/?domain={domain}", file.read(), headers, method="PUT")
    urllib.request.urlopen(request).close()


def open_view(version, domain):
    view = f"{address.replace('//', f'//{user}:{password}@')}/zarr/v{version}{domain}"
    if zarr.__version__.startswith("2."):
        return zarr.open_consolidated(fsspec.get_mapper(view), mode="r")
    return zarr.open_group(view, mode="r", zarr_format=version, use_consolidated=True)


with tempfile.TemporaryDirectory() as temporary:
    path = os.path.join(temporary, "file.h5")
    make(path)
    domain = f"{folder}/zarr-{os.getpid()}.h5"
    upload(path, domain)
    wanted = read(path)
    compared = 0
    for version in (2,) if zarr.__version__.startswith("2.") else (2, 3):
        group = open_view(version, domain)
        for name, values in wanted.items():
            # Zarr 3 has no compounds: they are groups of their members.
            parts = {name: values}
            if version == 3 and values.dtype.names:
                parts = {f"{name}/{member}": values[member] for member in values.dtype.names}
            for part, expected in parts.items():
                compared += 1
                if not are_equal(group[part][...], expected):
                    print(f"Zarr {version}: {part} differs")
    print(f"{compared} compared with zarr-python {zarr.__version__}")
