"""C21: hsload --link. The layouts are kept as given. A server without mounted files says that it has none, instead of
giving fill values."""

import os
import tempfile

import h5py
import h5pyd
import numpy as np
import requests
from scenario import ENDPOINT, FOLDER, check, equal, program, raises

work = tempfile.TemporaryDirectory()
path = f"{FOLDER}/linked.h5"
with h5py.File(os.path.join(work.name, "source.h5"), "w") as f:
    f.create_dataset("contiguous", data=np.arange(100_000, dtype="i4"))
    f.create_dataset("chunked", data=np.arange(4000, dtype="f8").reshape(40, 100), chunks=(10, 100))
    f.attrs["title"] = "attributes are copied"

program("hsload", "--link", "source.h5", path, folder=work.name)
with h5pyd.File(path, "r") as f:
    equal("members", list(f), ["chunked", "contiguous"])
    equal("attributes", f.attrs["title"], "attributes are copied")
    layout = f["contiguous"].id.dcpl_json["layout"]
    equal("where contiguous values lie", (layout["class"], layout["file_uri"], layout["size"]), ("H5D_CONTIGUOUS_REF", "source.h5", 400_000))
    layout = f["chunked"].id.dcpl_json["layout"]
    equal("where chunks lie", (layout["class"], layout["file_uri"], sorted(layout["chunks"])), ("H5D_CHUNKED_REF", "source.h5", ["0_0", "1_0", "2_0", "3_0"]))
    equal("few bytes are stored", (f.allocated_bytes, f.num_chunks), (0, 0))
    for name in ("contiguous", "chunked"):
        error = raises(f"{name}: values are refused, never made up", OSError, lambda: f[name][0])
        check(f"{name}: as not found", "404" in str(error), error)
        target = f"{ENDPOINT}/datasets/{f[name].id.id}/value"
        reply = requests.get(target, params={"domain": path}, auth=("test_user1", "test"))
        check(f"{name}: with the reason", reply.status_code == 404 and "no mounted files" in reply.json()["message"], reply.text)
