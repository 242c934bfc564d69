"""C11: dimension scales, made with h5pyd, read with h5netcdf."""

import h5pyd
import numpy as np
from scenario import FOLDER, check, equal, missing

try:
    import h5netcdf
except ImportError as error:
    missing(f"h5netcdf is needed: {error}")

path = f"{FOLDER}/scales.h5"
with h5pyd.File(path, "w", track_order=True) as f:
    x = f.create_dataset("x", data=np.arange(4.0))
    y = f.create_dataset("y", data=np.arange(3.0) * 10)
    d = f.create_dataset("d", data=np.arange(12).reshape(3, 4))
    x.make_scale("the x")
    y.make_scale("the y")
    d.dims[0].attach_scale(y)
    d.dims[1].attach_scale(x)
    d.dims[0].label = "rows"
    d.dims[1].label = "columns"
    f.create_dataset("plain", data=1)
    spare = f.create_dataset("spare", data=np.arange(4.0))
    spare.make_scale("spare")
    d.dims[1].attach_scale(spare)
    equal("two scales on one dimension", len(d.dims[1]), 2)
    d.dims[1].detach_scale(spare)
    equal("one is detached", d.dims[1].keys(), ["the x"])

for mode in ("r", "r+"):
    with h5pyd.File(path, mode) as f:
        d = f["d"]
        check(f"{mode}: scales are scales", [h5pyd.h5ds.is_scale(f[name].id) for name in ("x", "y", "plain", "d")] == [True, True, False, False])
        equal(f"{mode}: labels", [dim.label for dim in d.dims], ["rows", "columns"])
        equal(f"{mode}: keys", [dim.keys() for dim in d.dims], [["the y"], ["the x"]])
        equal(f"{mode}: the scale behind a dimension", d.dims[1][0][...], np.arange(4.0))
        equal(f"{mode}: by name", d.dims[0]["the y"][...], np.arange(3.0) * 10)
        equal(f"{mode}: items", [(name, scale[...].tolist()) for name, scale in d.dims[0].items()], [("the y", [0.0, 10.0, 20.0])])
        kind = f.GET(f"/datasets/{f['x'].id.id}/attributes/CLASS")["type"]
        seen = {key: kind[key] for key in ("class", "charSet", "strPad", "length")}
        wanted = {"class": "H5T_STRING", "charSet": "H5T_CSET_ASCII", "strPad": "H5T_STR_NULLTERM", "length": 16}
        equal(f"{mode}: the type of CLASS", seen, wanted)

with h5netcdf.File(f"{h5pyd.get_config()['hs_endpoint']}{path}", "r") as f:
    equal("h5netcdf finds the dimensions", {name: size.size for name, size in f.dimensions.items()}, {"x": 4, "y": 3, "spare": 4})
    equal("of the variable", f["d"].dimensions, ("y", "x"))
    equal("and its values", f["d"][...], np.arange(12).reshape(3, 4))

with h5pyd.File(path, "r+") as f:
    f["d"].dims[0].detach_scale(f["y"])
    equal("detached", len(f["d"].dims[0]), 0)
    del f["y"]
with h5pyd.File(path, "r") as f:
    check("deleted, the other remains", "y" not in f and f["d"].dims[1].keys() == ["the x"])
