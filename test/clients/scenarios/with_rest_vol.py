"""Part of C24: h5pyd reads the file that the REST VOL wrote (rest-vol/client.c), and writes one for it to read."""

import sys

import h5pyd
import numpy as np
from scenario import equal

written, foreign = sys.argv[1:]
with h5pyd.File(written, "r") as f:
    names = "array,chunked,committed,compound,dangling,enum,external,fixed,g,hard,named,null,of type,scalar,soft,text,vlen"
    equal("members", list(f), names.split(","))
    chunked = np.full((120, 50), -7, "i4")
    chunked[:100] = np.arange(5000).reshape(100, 50)
    chunked[1:6:2, 2:6:3] = np.arange(-100, -106, -1).reshape(3, 2)
    chunked[99, 49], chunked[0, 0], chunked[1, 2] = 1, 2, 3
    equal("chunked values", f["chunked"][...], chunked)
    equal("its filter and limit", (f["chunked"].compression, f["chunked"].compression_opts, f["chunked"].maxshape), ("gzip", 6, (None, 50)))
    records = np.array([(1, 0.5), (-2, 1e300)], [("a", "i8"), ("b", "f8")])
    equal("records", f["compound"][...], records)
    equal("records of the committed type", f["of type"][...], records)
    equal("the committed type", f["committed"].dtype, records.dtype)
    equal("enum values", f["enum"][...].tolist(), [0, 42, 42])
    # h5pyd reads no dataset of arrays
    equal("fixed texts", f["fixed"][...].tolist(), [b"eight ch", b"two"])
    equal("sequences", [row.tolist() for row in f["vlen"][...]], [[7, 8, 9], [9]])
    equal("a scalar, by its three links", [f[name][()] for name in ("scalar", "hard", "soft")], [2.5, 2.5, 2.5])
    equal("through the external link", f["external"][()], 7.5)
    attributes = f["g"].attrs
    equal("attributes", [attributes[name].tolist() for name in ("a", "z")], [[20, 21, 22, 23], [10, 11, 12, 13]])
    equal("names in a group", list(f["g"]), ['with "quotes" and ü'])

with h5pyd.File(foreign, "w") as f:
    g = f.create_group("g")
    g.create_dataset("numbers", data=np.arange(10, 14, dtype="i4"), chunks=(2,), compression="gzip")
    g.attrs["a"] = np.arange(5, 9, dtype="i4")
    f.create_dataset("records", data=np.array([(1, 0.5), (2, -2.5)], records.dtype))
    f.create_dataset("fixed", data=np.array([b"eight ch", b"two"], "S8"))
