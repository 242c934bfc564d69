"""C10: object references and committed types."""

import h5pyd
import numpy as np
from scenario import FOLDER, check, equal, raises

path = f"{FOLDER}/references.h5"
reference = h5pyd.special_dtype(ref=h5pyd.Reference)
record = np.dtype([("n", "i4"), ("to", reference)])

with h5pyd.File(path, "w") as f:
    g, d = f.create_group("g"), f.create_dataset("d", data=np.arange(3))
    f["t"] = np.dtype([("x", "f4"), ("y", "f4")])
    t = f["t"]
    check("a committed type's id starts with t-", t.id.id.startswith("t-"), t.id.id)
    d.attrs["to group"] = g.ref
    d.attrs.create("to both", np.array([g.ref, d.ref], dtype=object), dtype=reference)
    r = f.create_dataset("r", (4,), reference)
    r[0], r[1], r[2] = g.ref, d.ref, t.ref
    c = f.create_dataset("c", (2,), record)
    rows = np.zeros(2, record)
    rows["n"], rows["to"] = [1, 2], [d.ref, g.ref]
    c[...] = rows
    made = f.create_dataset("made", (2,), t)
    made[...] = np.array([(1, 2), (3, 4)], t.dtype)
    # h5pyd makes no attribute of a committed type that is not a complex number, so it is asked for by hand
    made.PUT(f"/datasets/{made.id.id}/attributes/typed", body={"type": t.id.id, "shape": [], "value": [5, 6]})
    t.attrs["unit"] = "metre"
    ids = {name: f[name].id.id for name in ("g", "d", "t")}

for mode in ("r", "r+"):
    with h5pyd.File(path, mode) as f:
        equal(f"{mode}: reference in an attribute", f[f["d"].attrs["to group"]].id.id, ids["g"])
        both = f["d"].attrs["to both"]
        equal(f"{mode}: references in an attribute", [f[one].id.id for one in both], [ids["g"], ids["d"]])
        r = f["r"]
        equal(f"{mode}: the type of the dataset", h5pyd.check_dtype(ref=r.dtype), h5pyd.Reference)
        equal(f"{mode}: references in a dataset", [f[r[0]].id.id, f[r[1]].id.id], [ids["g"], ids["d"]])
        equal(f"{mode}: a reference to a type", f[r[2]].id.id, ids["t"])
        check(f"{mode}: an unwritten reference is null", not r[3], r[3])
        equal(f"{mode}: what it leads to", f[r[1]][...].tolist(), [0, 1, 2])
        rows = f["c"][...]
        equal(f"{mode}: references in a compound", [f[one].id.id for one in rows["to"]], [ids["d"], ids["g"]])
        equal(f"{mode}: the other field", rows["n"].tolist(), [1, 2])
        t = f["t"]
        check(f"{mode}: a committed type is one", isinstance(t, h5pyd.Datatype), t)
        equal(f"{mode}: its dtype", t.dtype, np.dtype([("x", "f4"), ("y", "f4")]))
        equal(f"{mode}: its attribute", t.attrs["unit"], "metre")
        equal(f"{mode}: a dataset of it", f["made"][...].tolist(), [(1.0, 2.0), (3.0, 4.0)])
        equal(f"{mode}: an attribute of it", f["made"].attrs["typed"].tolist(), (5.0, 6.0))

with h5pyd.File(path, "r+") as f:
    del f["t"]
    raises("the type's link is gone", KeyError, lambda: f["t"])
    del f["g"]
with h5pyd.File(path, "r", use_cache=False) as f:
    equal("its dataset stays readable", f["made"][...].tolist(), [(1.0, 2.0), (3.0, 4.0)])
    equal("with the same type", f["made"].dtype, np.dtype([("x", "f4"), ("y", "f4")]))
    equal("a reference to another object is as it was", f[f["r"][1]].id.id, ids["d"])
