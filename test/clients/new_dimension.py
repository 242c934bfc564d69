"""Files that get a new dimension, by xarray: those that the service joins beside those that xarray stacks.

new_dimension.py                  the versions of what it needs; fails without one
new_dimension.py make FOLDER      makes the files and their document
new_dimension.py ADDRESS FOLDER   compares the domain /lab/runs.ncml with the files
"""

import base64
import os
import sys
import urllib.parse
import urllib.request

import netCDF4
import numpy
import xarray
import zarr

NUMBERS = [1, 2, 10]
DOCUMENT = """<netcdf xmlns="http://www.unidata.ucar.edu/namespaces/netcdf/ncml-2.2">
  <aggregation dimName="run" type="joinNew"><scan location="runs" /></aggregation>
</netcdf>"""


def path_of(folder, number):
    return os.path.join(folder, "runs", f"run_{number}.nc")


def make(folder):
    os.makedirs(os.path.join(folder, "runs"))
    for number in NUMBERS:
        random = numpy.random.default_rng(number)
        packed = xarray.DataArray(random.integers(0, 90, (4, 5)) / 10, dims=("y", "x"))
        dataset = xarray.Dataset(
            {
                "temp": (("y", "x"), random.random((4, 5)).astype("f4"), {"units": "K"}),
                "count": (("y", "x"), random.integers(0, 99, (4, 5)).astype("i2")),
                "packed": packed,
                "mean": ((), number * 1.5),
                "title": ((), f"run {number}"),
            },
            coords={"y": numpy.arange(4.0), "x": numpy.arange(5.0)},
        )
        encoding = {
            "temp": {"zlib": True, "chunksizes": (2, 5)},
            "packed": {"dtype": "i2", "scale_factor": 0.1, "_FillValue": -999},
        }
        dataset.to_netcdf(path_of(folder, number), engine="netcdf4", encoding=encoding)
    with open(os.path.join(folder, "runs.ncml"), "w", encoding="utf-8") as file:
        file.write(DOCUMENT)


def fetch(address, target):
    parts = urllib.parse.urlsplit(address)
    request = urllib.request.Request(f"{parts.scheme}://{parts.hostname}:{parts.port}/h5/lab/runs.ncml")
    login = base64.b64encode(f"{parts.username}:{parts.password}".encode()).decode()
    request.add_header("Authorization", f"Basic {login}")
    with urllib.request.urlopen(request) as reply, open(target, "wb") as file:
        file.write(reply.read())


def ways(address, folder):
    for version in (2,) if zarr.__version__.startswith("2.") else (2, 3):
        yield xarray.open_zarr(f"{address}/zarr/v{version}/lab/runs.ncml")
    whole = os.path.join(folder, "whole.nc")
    fetch(address, whole)
    yield xarray.open_dataset(whole, engine="netcdf4")
    try:
        import h5netcdf  # noqa: F401
    except ImportError:
        return
    yield xarray.open_dataset(whole, engine="h5netcdf")


def compare(address, folder):
    files = [xarray.open_dataset(path_of(folder, number), engine="netcdf4").load() for number in NUMBERS]
    wanted = xarray.concat(files, dim="run", data_vars="all", coords="minimal", compat="override")
    compared = 0
    for found in ways(address, folder):
        assert list(found.run.values) == [f"run_{number}.nc" for number in NUMBERS], found.run
        assert sorted(found.variables) == sorted([*wanted.variables, "run"]), found
        for name, variable in wanted.variables.items():
            assert found[name].dims == variable.dims, (name, found[name].dims)
            assert found[name].attrs == variable.attrs, (name, found[name].attrs)
            numpy.testing.assert_array_equal(found[name].values, variable.values, err_msg=name)
            compared += 1
    print(f"{compared} compared")


if len(sys.argv) == 1:
    import aiohttp  # noqa: F401

    print(f"xarray {xarray.__version__}, zarr {zarr.__version__}, netCDF4 {netCDF4.__version__}")
elif sys.argv[1] == "make":
    make(sys.argv[2])
else:
    compare(*sys.argv[1:])
