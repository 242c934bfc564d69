"""C04: a compressed compound dataset, whole, by fields, by rows."""

import h5pyd
import numpy as np
from scenario import FOLDER, check, equal

path = f"{FOLDER}/compound.h5"
rng = np.random.default_rng(4)
dtype = np.dtype([("a", "i4"), ("b", "f8"), ("s", "S5"), ("v", "f4", (2,))])
data = np.zeros(1000, dtype)
data["a"] = rng.integers(-(2**31), 2**31, 1000)
data["b"] = rng.normal(size=1000)
data["s"] = [f"r{i}".encode() for i in range(1000)]
data["v"] = rng.normal(size=(1000, 2))

with h5pyd.File(path, "w") as f:
    d = f.create_dataset("d", (1000,), dtype, chunks=(100,), compression="gzip", compression_opts=6, shuffle=True)
    equal("unwritten rows are the fill value", d[...], np.zeros(1000, dtype))
    d[...] = data
    equal("written whole, read whole", d[...], data)

for mode in ("r", "r+"):
    with h5pyd.File(path, mode) as f:
        d = f["d"]
        equal(f"{mode}: compression", (d.compression, d.compression_opts, d.shuffle, d.fletcher32), ("gzip", 6, True, False))
        given = d.id.dcpl_json["layout"]["dims"]
        equal(f"{mode}: chunks as given, and as stored: of at least 1 MiB or whole", (given, d.chunks), ([100], (1000,)))
        equal(f"{mode}: dtype", d.dtype, dtype)
        equal(f"{mode}: all rows", d[...], data)
        equal(f"{mode}: a slice of one field", d["b", 10:500:7], data["b"][10:500:7])
        equal(f"{mode}: a field across chunks", d[95:205]["a"], data["a"][95:205])
        check(f"{mode}: one row", d[123] == data[123], d[123])
        equal(f"{mode}: two fields", d["a", "s"][:20].tolist(), data[["a", "s"]][:20].tolist())

with h5pyd.File(path, "r+") as f:
    d = f["d"]
    data["a"][:] = np.arange(1000)
    d["a"] = data["a"]
    equal("one field written leaves the others", d[...], data)
    row = np.array([(5, 0.5, b"five", (5, 55))], dtype)
    d[500:501] = row
    data[500] = row[0]
    equal("one row written leaves the others", d[...], data)
    filters = f["d"].id.dcpl_json["filters"]
    names = [item.get("name") for item in filters]
    check("the filters carry their names", "gzip" in names and "shuffle" in names, filters)
