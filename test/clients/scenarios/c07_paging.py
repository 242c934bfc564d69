"""C07: a dataset of 10 MiB in one statement, whole and in the pages that a limit of 2 MiB makes of it."""

import h5pyd
import numpy as np
import requests
from scenario import ENDPOINT, FOLDER, Proxy, check, equal

MIB = 2**20
path = f"{FOLDER}/large.h5"
data = np.random.default_rng(7).normal(size=(1280, 1024))

with h5pyd.File(path, "w") as f:
    f.create_dataset("d", data=data, chunks=(100, 1000))
with h5pyd.File(path, "r") as f:
    equal("10 MiB written in one statement, read in one", f["d"][...], data)
    equal("a column over all chunks", f["d"][:, 511], data[:, 511])

# A limit such as a gateway before the server may have: h5pyd halves its pages until they pass.
proxy = Proxy(largest=2 * MIB)
with h5pyd.File(path, "r+", endpoint=proxy.endpoint) as f:
    equal("read in pages", f["d"][...], data)
    pages = [status for method, target, status in proxy.requests if target.startswith("/datasets/") and "/value" in target]
    check("several of which came", pages.count(200) >= 5 and 413 in pages, pages)
    f["d"][0:64] = -data[0:64]
    data[0:64] *= -1
    equal("read in pages after a write", f["d"][...], data)

# The server itself has no limit on values, in one request or in its answer.
with h5pyd.File(path, "r+") as f:
    target = f"{ENDPOINT}/datasets/{f['d'].id.id}/value"
who = {"params": {"domain": path}, "auth": ("test_user1", "test")}
binary = {"Content-Type": "application/octet-stream"}
reply = requests.put(target, data=data[::-1].tobytes(), headers=binary, **who)
equal("one PUT of 10 MiB", reply.status_code, 200)
reply = requests.put(target, data=data.tobytes() + b"x", headers=binary, **who)
equal("a byte too many is refused", reply.status_code, 400)
reply = requests.get(target, headers={"Accept": "application/octet-stream"}, **who)
equal("and nothing of it written", reply.content, data[::-1].tobytes())
