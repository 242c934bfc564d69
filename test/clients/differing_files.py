"""Files of one series that differ, by xarray: those that the service joins beside those that xarray joins.

differing_files.py                  the versions of what it needs; fails without one
differing_files.py make FOLDER      makes the files and the NcML documents
differing_files.py ADDRESS FOLDER   makes the other domains, and compares all with the files
"""

import base64
import datetime
import glob
import json
import os
import sys
import urllib.parse
import urllib.request

import netCDF4
import numpy
import xarray
import zarr

DAYS = 6
SENSOR_DAYS = (2, 3, 5)
UNION = """<netcdf xmlns="http://www.unidata.ucar.edu/namespaces/netcdf/ncml-2.2">
  <aggregation type="union"><scan location="union" /></aggregation>
</netcdf>"""
DOCUMENT = """<netcdf xmlns="http://www.unidata.ucar.edu/namespaces/netcdf/ncml-2.2">
  <aggregation dimName="time" type="joinExisting" timeUnitsChange="true"><scan location="NAME" /></aggregation>
</netcdf>"""


def since(unit, day, hour=0):
    return f"{unit} since {datetime.datetime(2026, 1, 1, hour) + datetime.timedelta(days=day)}"


def write(folder, name, day, times, units, dtype="f8", calendar=None, pack=None, kind="i4", bounds=False):
    os.makedirs(os.path.join(folder, name), exist_ok=True)
    random = numpy.random.default_rng(day)
    with netCDF4.Dataset(os.path.join(folder, name, f"{day}.nc"), "w") as file:
        file.set_auto_maskandscale(False)
        file.createDimension("time", None)
        file.createDimension("x", 3)
        time = file.createVariable("time", dtype, ("time",))
        time.units = units
        if calendar:
            time.calendar = calendar
        time[:] = times
        if bounds:
            file.createDimension("two", 2)
            time.bounds = "time_bounds"
            file.createVariable("time_bounds", dtype, ("time", "two"))[:] = numpy.stack([times, times + 1], 1)
        value = file.createVariable("value", kind, ("time", "x"), fill_value=-999 + day if pack else None)
        value.set_auto_maskandscale(False)
        numbers = random.integers(-500, 500, (len(times), 3)).astype(kind)
        if pack:
            numbers[random.random(numbers.shape) < 0.2] = -999 + day
        value[:] = numbers
        if pack:
            value.scale_factor, value.add_offset = pack


def write_sensors(folder):
    """Daily files of which some have a sensor, with a dimension that the others lack."""
    os.makedirs(os.path.join(folder, "sensors"))
    for day in range(DAYS):
        random = numpy.random.default_rng(day)
        times = numpy.datetime64("2026-01-01", "ns") + numpy.arange(24 * day, 24 * (day + 1)).astype("m8[h]")
        dataset = xarray.Dataset(
            {"temp": (("time", "x"), random.random((24, 3)).astype("f4"))},
            coords={"time": times, "x": [1.0, 2.0, 3.0]},
        )
        if day in SENSOR_DAYS:
            dataset["wind"] = ("time", "height", "x"), random.random((24, 2, 3)), {"units": "m s-1"}
            dataset["gust"] = ("time",), random.random(24).astype("f4")
            dataset = dataset.assign_coords(height=("height", [2.0, 10.0], {"units": "m"}))
        # Without an attribute _FillValue NaN stands for what is missing, too.
        encoding = {"wind": {"zlib": True}, "gust": {"_FillValue": None}} if day in SENSOR_DAYS else None
        path = os.path.join(folder, "sensors", f"{day}.nc")
        dataset.to_netcdf(path, engine="netcdf4", encoding=encoding, unlimited_dims=["time"])


def sensors(folder):
    files = [xarray.open_dataset(path).load() for path in paths(folder, "sensors")]
    series = xarray.concat([file[["temp"]] for file in files], dim="time")
    return xarray.merge([series, xarray.concat([files[day][["wind", "gust"]] for day in SENSOR_DAYS], dim="time")])


def write_union(folder):
    os.makedirs(os.path.join(folder, "union"))
    random = numpy.random.default_rng(0)
    depth = {"depth": ("depth", [0.0, 5.0, 20.0, 100.0], {"positive": "down"})}
    places = {"x": [1.0, 2.0, 3.0], "y": [5.0, 6.0]}
    air = xarray.Dataset({"temp": (("y", "x"), random.random((2, 3)), {"units": "K"})}, places)
    sea = xarray.Dataset({"salt": (("depth", "x"), random.random((4, 3)))}, {**depth, "x": places["x"]})
    sea["mask"] = ("x",), numpy.array([1, 0, 1], "i2")
    for name, dataset in (("air", air), ("sea", sea)):
        encoding = {name: {"zlib": True} for name in dataset.data_vars}
        dataset.to_netcdf(os.path.join(folder, "union", f"{name}.nc"), engine="netcdf4", encoding=encoding)
    with open(os.path.join(folder, "union.ncml"), "w", encoding="utf-8") as file:
        file.write(UNION)


def make(folder):
    write_sensors(folder)
    write_union(folder)
    hours = numpy.arange(24)
    for day in range(DAYS):
        write(folder, "hours", day, hours, since("hours", day), dtype="i4", bounds=True)
        write(folder, "days", day, hours / 24, since("days", day))
        unit, length = [("minutes", 60), ("hours", 1), ("seconds", 3600)][day % 3]
        write(folder, "units", day, hours * length, since(unit, day, day), dtype="i8")
        write(folder, "leapless", day, hours, f"hours since 2024-02-{24 + day}", dtype="i4", calendar="noleap")
        write(folder, "packed", day, hours, since("hours", day), pack=(0.25 * (day + 1), 10.0 * day))
        write(folder, "overlap", day, numpy.arange(72), since("hours", day))
    os.remove(os.path.join(folder, "leapless", f"{DAYS - 1}.nc"))
    for name in ("hours", "days", "units", "leapless", "sensors"):
        with open(os.path.join(folder, f"{name}.ncml"), "w", encoding="utf-8") as file:
            file.write(DOCUMENT.replace("NAME", name))


def send(address, target, **rest):
    parts = urllib.parse.urlsplit(address)
    request = urllib.request.Request(f"{parts.scheme}://{parts.hostname}:{parts.port}{target}", **rest)
    login = base64.b64encode(f"{parts.username}:{parts.password}".encode()).decode()
    request.add_header("Authorization", f"Basic {login}")
    request.add_header("Content-Type", "application/json")
    return urllib.request.urlopen(request)


def put(address, domain, join):
    send(address, f"/?domain={domain}", data=json.dumps({"join": join}).encode(), method="PUT").close()


def fetch(address, source, path):
    with send(address, source) as reply, open(path, "wb") as file:
        file.write(reply.read())


def paths(folder, name):
    return sorted(glob.glob(os.path.join(folder, name, "*.nc")))


def joined(folder, name):
    try:
        import dask  # noqa: F401
    except ImportError:
        return xarray.concat([xarray.open_dataset(path) for path in paths(folder, name)], dim="time")
    return xarray.open_mfdataset(paths(folder, name), combine="by_coords")


def kept(folder, keep):
    """The files of `overlap`, each without the times of the files before, or after it."""
    files = [xarray.open_dataset(path).load() for path in paths(folder, "overlap")]
    instant = numpy.timedelta64(1, "ns")
    cut = []
    for before, file, after in zip([None, *files], files, [*files[1:], None]):
        first, last = None, None
        if keep == "first" and before is not None:
            first = before.time.values[-1] + instant
        if keep == "last" and after is not None:
            last = after.time.values[0] - instant
        cut.append(file.sel(time=slice(first, last)))
    return xarray.concat(cut, dim="time")


def compare(address, folder):
    sources = "/lab/{}/*.nc".format
    # Each Python makes its own.
    own = f"zarr{zarr.__version__[0]}"
    put(address, f"/{own}_packed.nc", {"sources": sources("packed"), "along": "time", "unpack": True})
    cases = [(f"lab/{name}.ncml", joined(folder, name)) for name in ("hours", "days", "units", "leapless")]
    cases.append((f"{own}_packed.nc", joined(folder, "packed")))
    added = {
        "sensors": sensors(folder),
        "union": xarray.merge([xarray.open_dataset(path) for path in paths(folder, "union")]),
    }
    cases.extend((f"lab/{name}.ncml", wanted) for name, wanted in added.items())
    for keep in ("first", "last"):
        put(address, f"/{own}_{keep}.nc", {"sources": sources("overlap"), "along": "time", "keep": keep})
        cases.append((f"{own}_{keep}.nc", kept(folder, keep)))
    compared = 0
    for version in (2,) if zarr.__version__.startswith("2.") else (2, 3):
        for domain, wanted in cases:
            found = xarray.open_zarr(f"{address}/zarr/v{version}/{domain}", chunks=None)
            for name, variable in wanted.variables.items():
                assert found[name].dims == variable.dims, (domain, name, found[name].dims)
                assert found[name].attrs == variable.attrs, (domain, name, found[name].attrs)
                numpy.testing.assert_array_equal(found[name].values, variable.values, err_msg=f"{domain} {name}")
                compared += 1
    for name, wanted in added.items():
        path = os.path.join(folder, f"{name}.{own}.whole")
        fetch(address, f"/h5/lab/{name}.ncml", path)
        with xarray.open_dataset(path, engine="netcdf4") as found:
            xarray.testing.assert_equal(found, wanted)
        compared += 1
    print(f"{compared} compared")


if len(sys.argv) == 1:
    import aiohttp  # noqa: F401
    import cftime  # noqa: F401

    print(f"xarray {xarray.__version__}, zarr {zarr.__version__}, netCDF4 {netCDF4.__version__}")
elif sys.argv[1] == "make":
    make(sys.argv[2])
else:
    compare(*sys.argv[1:])
