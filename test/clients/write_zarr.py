# What xarray and zarr-python write over HTTP is there: for each other, for h5py, and for writers that share an array.
# Arguments: the address of the service, the version of Zarr, a folder. Prints what was compared.

import multiprocessing
import sys
import tempfile
import warnings

import fsspec
import numpy
import xarray
import zarr

warnings.simplefilter("ignore")
# fsspec cannot delete over HTTP, which is what zarr-python does with chunks of fill values.
zarr.config.set({"array.write_empty_chunks": True})


def data(offset=0.0):
    time = numpy.array(["2026-01-01", "2026-01-02", "2026-01-03"], "M8[ns]")
    attributes = {"units": "K", "ok": True, "n": 3, "l": [1, 2], "name": "ä"}
    variables = {
        "t": (("time", "x"), numpy.arange(12.0).reshape(3, 4) + offset, attributes),
        "n": (("x",), ["a", "b", "cé", ""]),
        "c": (("x",), numpy.array([1 + 2j] * 4)),
        "b": (("x",), [True, False, True, True]),
        "u": ((), numpy.int16(5)),
        "m": (("x",), numpy.array([1, numpy.nan, 3, 4]), {}, {"_FillValue": -9.0}),
    }
    return xarray.Dataset(variables, coords={"time": time, "x": [1, 2, 3, 4]}, attrs={"title": "hi"})


def with_xarray(address, form):
    first = data()
    for _ in range(2):
        first.to_zarr(address, mode="w", zarr_format=form)
        xarray.testing.assert_identical(xarray.open_zarr(address).load(), first)
    later = first[["t"]].drop_vars("x").assign_coords(time=first.time + numpy.timedelta64(3, "D"))
    later.to_zarr(address, append_dim="time")
    assert xarray.open_zarr(address).sizes["time"] == 6
    part = (first[["t"]] + 100).isel(time=slice(0, 2)).drop_vars(["x", "time"])
    part.to_zarr(address, region={"time": slice(1, 3), "x": slice(0, 4)}, mode="r+")
    found = xarray.open_zarr(address).t.values
    expected = numpy.concatenate([first.t.values, first.t.values])
    expected[1:3] = first.t.values[:2] + 100
    numpy.testing.assert_array_equal(found, expected)
    return 4


def with_netcdf(service, path, form):
    """The file of the domain is the same dataset for programs that read netCDF."""
    # netCDF-C has no complex numbers and no booleans in attributes, and its builds lack the filters for other codecs.
    first = data().drop_vars("c").assign(bounds=(("time", "nv"), numpy.arange(6.0).reshape(3, 2)))
    del first.t.attrs["ok"]
    codec = {"compressors": [zarr.codecs.GzipCodec()]} if form == 3 else {"compressor": codecs(2)["zlib"]}
    none = {"compressors": None} if form == 3 else {"compressor": None}
    encoding = {name: none if name == "n" else codec for name in first.variables}
    address = f"{service}/zarr/v{form}{path}"
    first.to_zarr(address, mode="w", zarr_format=form, encoding=encoding)
    later = first[["t", "bounds"]].drop_vars("x").assign_coords(time=first.time + numpy.timedelta64(3, "D"))
    later.to_zarr(address, append_dim="time")
    expected = xarray.open_zarr(address).load()
    assert dict(expected.sizes) == {"time": 6, "x": 4, "nv": 2}
    with fsspec.open(f"{service}/h5{path}") as file, tempfile.NamedTemporaryFile(suffix=".nc") as copy:
        xarray.testing.assert_identical(xarray.open_dataset(file, engine="h5netcdf").load(), expected)
        file.seek(0)
        copy.write(file.read())
        copy.flush()
        with xarray.open_dataset(copy.name, engine="netcdf4") as found:
            xarray.testing.assert_identical(found.load(), expected)
    return 2


def with_zarr(address, form, codec):
    written = zarr.create_array(
        address, name=f"g/{codec}", shape=(10, 10), chunks=(4, 4), dtype="f4", zarr_format=form,
        **({} if codec == "default" else {"compressors": codecs(form)[codec]}),
    )
    expected = numpy.zeros((20, 12), "f4")
    written[:] = expected[:10, :10] = 1
    written[2:7, 3] = expected[2:7, 3] = 7
    written.resize((20, 12))
    written[15:] = expected[15:] = 3
    for array in (written, zarr.open_array(f"{address}/g/{codec}", mode="r")):
        numpy.testing.assert_array_equal(array[:], expected)
    return 2


def codecs(form):
    if form == 3:
        return {"none": None, "gzip": zarr.codecs.GzipCodec(), "blosc": zarr.codecs.BloscCodec(cname="zstd")}
    import numcodecs

    return {"none": None, "zlib": numcodecs.Zlib(), "zstd": numcodecs.Zstd(), "gzip": numcodecs.GZip()}


def write_rows(job):
    address, first = job
    array = zarr.open_array(address, mode="r+")
    for row in range(first, 64, 4):
        array[row * 10 : (row + 1) * 10] = row + 1


def with_processes(address, form):
    zarr.create_array(address, name="v", shape=(640, 100), chunks=(10, 50), dtype="i4", zarr_format=form)
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        pool.map(write_rows, [(f"{address}/v", first) for first in range(4)])
    found = zarr.open_array(f"{address}/v", mode="r")[:]
    numpy.testing.assert_array_equal(found, numpy.repeat(numpy.arange(1, 65), 10)[:, None] * numpy.ones(100))
    return 1


def main():
    service, form, folder = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    base = f"{service}/zarr/v{form}{folder}"
    compared = with_xarray(f"{base}/x{form}.h5", form)
    compared += with_netcdf(service, f"{folder}/n{form}.h5", form)
    for codec in ["default", *codecs(form)]:
        compared += with_zarr(f"{base}/z{form}.h5", form, codec)
    compared += with_processes(f"{base}/p{form}.h5", form)
    print(f"{compared} compared")


if __name__ == "__main__":
    if len(sys.argv) == 1:
        assert zarr.__version__ >= "3", "zarr-python 2 cannot write over HTTP"
        print(f"zarr-python {zarr.__version__}, xarray {xarray.__version__}")
    else:
        main()
