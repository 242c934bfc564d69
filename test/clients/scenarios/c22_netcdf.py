"""C22: a netCDF4 file written and read by h5netcdf over h5pyd."""

import numpy as np
from scenario import FOLDER, Proxy, check, equal, missing

try:
    import h5netcdf
except ImportError as error:
    missing(f"h5netcdf is needed: {error}")

proxy = Proxy()
place = f"{proxy.endpoint}{FOLDER}/climate.nc"
temperature = np.random.default_rng(22).normal(280, 10, (5, 4)).astype("f4")

with h5netcdf.File(place, "w") as f:
    f.dimensions = {"time": None, "station": 4}
    t = f.create_variable("temperature", ("time", "station"), "f4")
    f.resize_dimension("time", 5)
    t[...] = temperature
    t.attrs["units"] = "K"
    t.attrs["valid_range"] = np.array([200, 350], "f4")
    names = f.create_variable("name", ("station",), "i4")
    names[...] = np.arange(4)
    time = f.create_variable("time", ("time",), "f8")
    time[...] = np.arange(5.0)
    g = f.create_group("quality")
    flag = g.create_variable("flag", ("time", "station"), "i2", fillvalue=-99)
    flag[0, :] = [1, 2, 3, 4]
    f.attrs["title"] = "Stations, über all"

for mode in ("r", "r+"):
    with h5netcdf.File(place, mode) as f:
        equal(f"{mode}: dimensions", {name: (d.size, d.isunlimited()) for name, d in f.dimensions.items()}, {"time": (5, True), "station": (4, False)})
        equal(f"{mode}: variables", sorted(f.variables), ["name", "temperature", "time"])
        t = f["temperature"]
        equal(f"{mode}: dimensions of a variable", t.dimensions, ("time", "station"))
        equal(f"{mode}: values", t[...], temperature)
        equal(f"{mode}: a coordinate variable", f["time"][...], np.arange(5.0))
        equal(f"{mode}: attributes", (t.attrs["units"], t.attrs["valid_range"].tolist()), ("K", [200, 350]))
        equal(f"{mode}: title", f.attrs["title"], "Stations, über all")
        flag = f["quality/flag"]
        wanted = np.full((5, 4), -99, "i2")
        wanted[0] = [1, 2, 3, 4]
        equal(f"{mode}: fill value of a sub-group's variable", flag[...], wanted)
        equal(f"{mode}: its dimensions", flag.dimensions, ("time", "station"))

with h5netcdf.File(place, "r+") as f:
    f.resize_dimension("time", 7)
    f["temperature"][5:7] = temperature[:2]
with h5netcdf.File(place, "r") as f:
    equal("the unlimited dimension grew", f.dimensions["time"].size, 7)
    equal("with its variable", f["temperature"][...], np.concatenate([temperature, temperature[:2]]))

refused = [request for request in proxy.requests if request[2] >= 400 and request[2] != 404]
unexpected = [request for request in refused if request[2] != 409 or "REFERENCE_LIST" not in request[1]]
equal("nothing is refused but what h5netcdf replaces", unexpected, [])
check("in a moderate number of requests", len(proxy.requests) < 400, len(proxy.requests))
