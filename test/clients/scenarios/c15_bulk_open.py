"""C15: a file of many objects and hostile names, opened with one request."""

import h5pyd
from scenario import FOLDER, Proxy, equal

path = f"{FOLDER}/bulk.h5"
hostile = ["10", "9", "1e3", "-1", "__proto__", "constructor", "toString", "valueOf", "hasOwnProperty", "0", "4294967295"]

expected = {}
with h5pyd.File(path, "w") as f:
    f.attrs["__proto__"] = 1
    for name in [*hostile, *(f"g{i:02}" for i in range(30 - len(hostile)))]:
        g = f.create_group(name)
        for attribute in hostile:
            g.attrs[attribute] = attribute
        expected[name] = dict.fromkeys(hostile)
        for j in range(3):
            d = g.create_dataset(hostile[j], data=[j])
            d.attrs["unit"] = f"{name} {j}"
            expected[f"{name}/{hostile[j]}"] = {"unit": f"{name} {j}"}
    for i in range(10):
        g = f.create_dataset(f"d{i}", data=i)
        expected[f"d{i}"] = {}
for name in list(expected):
    if expected[name] and next(iter(expected[name])) == "10":
        expected[name] = {attribute: attribute for attribute in hostile}


def walk(f):
    seen = {}
    f.visititems(lambda name, thing: seen.__setitem__(name, {key: thing.attrs[key] for key in thing.attrs}))
    return seen


proxy = Proxy()
f = h5pyd.File(path, "r", endpoint=proxy.endpoint)
equal("opened with one request", len(proxy.requests), 1)
equal("every object and attribute", walk(f), expected)
equal("names of the root in order", list(f), sorted(name for name in expected if "/" not in name))
equal("the root's attribute", int(f.attrs["__proto__"]), 1)
equal("without a request more", proxy.since(1), [])
f.close()

for mode, cache in (("r", False), ("r+", True), ("r+", False)):
    with h5pyd.File(path, mode, use_cache=cache, endpoint=proxy.endpoint) as f:
        equal(f"{mode}, cache {cache}: the same", walk(f), expected)
        for name in hostile:
            equal(f"{mode}, cache {cache}: {name}", f[name][hostile[1]][0], 1)
