# Opens domains with one client and compares every value with that of h5py on the file that they were made of.
#
#   open_with.py CLIENT ADDRESS FOLDER DOMAIN...
#
# FOLDER has the files of domains.py; the name of a DOMAIN is that of its file. ADDRESS has credentials where the client
# can send them. Prints what differs, then the number of values that were compared. `open_with.py CLIENT` prints
# whether the client is here: its version, or why it cannot be used.

import http.server
import os
import posixpath
import re
import signal
import sys
import tempfile
import warnings

import h5py
import numpy

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from domains import are_equal, read  # noqa: E402

warnings.simplefilter("ignore")


class CannotBeUsed(Exception):
    pass


def items_of(group, wanted):
    """The arrays of a client that names them by their paths."""
    for name in wanted:
        yield name, group[name][...]


def with_members(group, wanted):
    """The same where compounds may be groups of their members."""
    for name, values in wanted.items():
        if values.dtype.names and not hasattr(group[name], "shape"):
            for member in values.dtype.names:
                yield f"{name}/{member}", group[f"{name}/{member}"][...]
        else:
            yield name, group[name][...]


def credentials(address):
    """The address without credentials, and these."""
    scheme, rest = address.split("//")
    user, host = rest.rsplit("@", 1) if "@" in rest else ("", rest)
    return f"{scheme}//{host}", user


# --- Zarr


def version_of_zarr(major):
    import aiohttp  # noqa: F401
    import fsspec
    import zarr

    if not zarr.__version__.startswith(f"{major}."):
        raise CannotBeUsed(f"it has zarr-python {zarr.__version__}")
    return f"zarr-python {zarr.__version__}, fsspec {fsspec.__version__}"


def zarr2(address, domain, wanted):
    if address is None:
        return version_of_zarr(2)
    import fsspec
    import zarr

    mapper = fsspec.get_mapper(f"{address}/zarr/v2{domain}")
    return items_of(zarr.open_consolidated(mapper, mode="r"), wanted)


def zarr3(version):
    def read_zarr(address, domain, wanted):
        if address is None:
            return version_of_zarr(3)
        import zarr

        view = f"{address}/zarr/v{version}{domain}"
        group = zarr.open_group(view, mode="r", zarr_format=version, use_consolidated=True)
        return with_members(group, wanted)

    return read_zarr


def options_of_references(address, domain, **remote):
    import aiohttp

    host, user = credentials(address)
    options = {"client_kwargs": {"auth": aiohttp.BasicAuth(*user.split(":"))}}
    return {
        "fo": f"{host}/zarr/refs{domain}",
        "target_options": options,
        "remote_protocol": "http",
        "remote_options": {**options, **remote},
    }


class OneByOne(dict):
    """A store that asks for one key at a time: fsspec 2022 mixes up the answers to several."""

    def __init__(self, mapper):
        self.mapper = mapper

    def __getitem__(self, key):
        return self.mapper[key]

    def __contains__(self, key):
        return key in self.mapper

    def __iter__(self):
        return iter(self.mapper)


def references2(address, domain, wanted):
    if address is None:
        return version_of_zarr(2)
    import fsspec
    import zarr

    files = fsspec.filesystem("reference", **options_of_references(address, domain))
    return items_of(zarr.open_group(OneByOne(files.get_mapper("")), mode="r"), wanted)


def references3(address, domain, wanted):
    if address is None:
        return version_of_zarr(3)
    import zarr

    options = options_of_references(address, domain, asynchronous=True)
    group = zarr.open_group("reference://", mode="r", zarr_format=2, use_consolidated=False, storage_options=options)
    return with_members(group, wanted)


# --- xarray, for files of netCDF


def decoded(wanted):
    """What the conventions of netCDF make of stored values."""
    values = dict(wanted)
    if "packed" in values:
        packed = values["packed"].astype("f8")
        packed[packed == -999] = numpy.nan
        values["packed"] = packed * 0.1
    return values


def compare_xarray(dataset, wanted):
    for name, values in decoded(wanted).items():
        found = dataset[name].values
        if values.dtype.kind == "f" and found.dtype == "f4":
            values = values.astype("f4")
        if name == "packed" and are_close(found, values):
            found = values
        yield name, found, values


def are_close(found, wanted):
    return found.shape == wanted.shape and numpy.allclose(found, wanted, rtol=1e-6, equal_nan=True)


def xarray_with(engine, *modules):
    def read_xarray(address, domain, wanted):
        import xarray

        if address is None:
            for module in modules:
                __import__(module)
            if engine == "netcdf4":
                require_byte_ranges()
            if engine == "references":
                version_of_zarr(3)
            return f"xarray {xarray.__version__}"
        options = {"decode_times": False}
        if engine == "zarr":
            version = 2 if __import__("zarr").__version__.startswith("2.") else 3
            dataset = xarray.open_zarr(f"{address}/zarr/v{version}{domain}", **options)
        elif engine == "references":
            backend = {
                "consolidated": False,
                "storage_options": options_of_references(address, domain, asynchronous=True),
            }
            dataset = xarray.open_dataset("reference://", engine="zarr", backend_kwargs=backend, **options)
        elif engine == "h5netcdf":
            import fsspec

            dataset = xarray.open_dataset(fsspec.open(f"{address}/h5{domain}").open(), engine=engine, **options)
        else:
            dataset = xarray.open_dataset(f"{address}/h5{domain}#mode=bytes", engine=engine, **options)
        return compare_xarray(dataset, wanted)

    return read_xarray


# --- Files in ranges


def h5py_ros3(address, domain, wanted):
    if address is None:
        if "ros3" not in h5py.registered_drivers():
            raise CannotBeUsed("its HDF5 has no driver ros3")
        return f"h5py {h5py.__version__}, HDF5 {h5py.version.hdf5_version}"
    # It cannot send Basic.
    return items_of(h5py.File(f"{credentials(address)[0]}/h5{domain}", "r", driver="ros3"), wanted)


def h5py_fsspec(address, domain, wanted):
    import aiohttp  # noqa: F401
    import fsspec

    if address is None:
        return f"h5py {h5py.__version__}, fsspec {fsspec.__version__}"
    return items_of(h5py.File(fsspec.open(f"{address}/h5{domain}").open(), "r"), wanted)


def require_byte_ranges():
    import netCDF4

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.nc")
        with h5py.File(path, "w") as file:
            file["x"] = numpy.arange(3)
        with open(path, "rb") as file:
            server = http.server.HTTPServer(("127.0.0.1", 0), handler_of(file.read()))
    # In another process: the library may keep the interpreter while it reads.
    child = os.fork()
    if child == 0:
        server.serve_forever()
    try:
        with netCDF4.Dataset(f"http://127.0.0.1:{server.server_port}/x.nc#mode=bytes") as dataset:
            can_read = dataset["x"][:].tolist() == [0, 1, 2]
    except (OSError, IndexError):
        can_read = False
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    if not can_read:
        raise CannotBeUsed(f"its netCDF-C {netCDF4.__netcdf4libversion__} reads no file in byte ranges")


def handler_of(content):
    """The handler of a server that has this one file, and sends ranges of it."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_HEAD(self):
            self.answer(200, b"", len(content))

        def do_GET(self):
            asked = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
            if asked is None:
                self.answer(200, content, len(content))
            else:
                part = content[int(asked[1]) : int(asked[2]) + 1]
                self.answer(206, part, len(part), f"bytes {asked[1]}-{asked[2]}/{len(content)}")

        def answer(self, status, body, length, content_range=None):
            self.send_response(status)
            self.send_header("Accept-Ranges", "bytes")
            self.send_header("Content-Length", str(length))
            if content_range is not None:
                self.send_header("Content-Range", content_range)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    return Handler


def netcdf(address, domain, wanted):
    import netCDF4

    if address is None:
        require_byte_ranges()
        return f"netCDF-C {netCDF4.__netcdf4libversion__}"
    dataset = netCDF4.Dataset(f"{address}/h5{domain}#mode=bytes")
    dataset.set_auto_maskandscale(False)
    return items_of(dataset.variables, wanted)


# --- GDAL


def gdal(address, domain, wanted):
    from osgeo import gdal as library

    library.UseExceptions()
    if address is None:
        library.GetDriverByName("Zarr") or fail("it was built without Zarr")
        return f"GDAL {library.__version__}"
    library.SetConfigOption("GDAL_DISABLE_READDIR_ON_OPEN", "EMPTY_DIR")
    root = library.OpenEx(
        f'ZARR:"/vsicurl/{address}/zarr/v2{domain}"', library.OF_MULTIDIM_RASTER
    ).GetRootGroup()

    def arrays():
        for name, values in wanted.items():
            # Its Python reads no text and no compounds.
            if values.dtype != object and not values.dtype.names:
                yield name, root.OpenMDArrayFromFullname(f"/{name}").ReadAsArray()

    return arrays()


def fail(reason):
    raise CannotBeUsed(reason)


CLIENTS = {
    "zarr-python 2, Zarr 2": zarr2,
    "zarr-python 3, Zarr 2": zarr3(2),
    "zarr-python 3, Zarr 3": zarr3(3),
    "zarr-python 2, references": references2,
    "zarr-python 3, references": references3,
    "xarray, Zarr": xarray_with("zarr", "zarr", "aiohttp"),
    "xarray, references": xarray_with("references", "zarr", "aiohttp"),
    "xarray, h5netcdf": xarray_with("h5netcdf", "h5netcdf", "aiohttp"),
    "xarray, netCDF4": xarray_with("netcdf4", "netCDF4"),
    "h5py, ros3": h5py_ros3,
    "h5py, fsspec": h5py_fsspec,
    "netCDF4-python": netcdf,
    "GDAL": gdal,
}


def main(client, address=None, folder=None, *domains):
    opener = CLIENTS[client]
    if address is None:
        try:
            print(opener(None, None, None))
        except (ImportError, CannotBeUsed) as error:
            print(f"{type(error).__name__}: {error}")
            sys.exit(1)
        return
    compared = 0
    for domain in domains:
        wanted = read(os.path.join(folder, posixpath.basename(domain)))
        for name, found, *expected in opener(address, domain, wanted):
            values = wanted
            for part in name.split("/") if name not in wanted else [name]:
                values = values[part]
            compared += 1
            if not are_equal(found, expected[0] if expected else values):
                print(f"{domain}: {name} differs")
    print(f"{compared} compared")


main(*sys.argv[1:])
