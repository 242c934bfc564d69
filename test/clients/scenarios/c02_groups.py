"""C02: groups in groups, names of every kind, and walks that meet each object once."""

import h5pyd
from scenario import FOLDER, check, equal, raises

path = f"{FOLDER}/groups.h5"

with h5pyd.File(path, "w") as f:
    c = f.create_group("a/b/c")
    equal("intermediate groups are made", ("a" in f, "a/b" in f, "a/b/c" in f), (True, True, True))
    equal("the last of them is what is returned", f["a/b/c"].id.id, c.id.id)
    check("a path that is not there is not there", "a/x" not in f and "x/y" not in f)
    first = f.require_group("r/s").id.id
    equal("require_group gives the same group twice", f.require_group("r/s").id.id, first)
    raises("a group over a name in use", ValueError, lambda: f.create_group("a"))
    equal("it is still the old one", list(f["a"]), ["b"])
    raises("a name that is not there", KeyError, lambda: f["nothing"])

    names = ["with blank", "ü", "plus+sign", "and&", "equals=", 'quote"', "b", "B", "1e3", "日本"]
    for name in names:
        f["a"].create_group(name) if name != "b" else None
    equal("names are sorted by code point", list(f["a"]), sorted(names))
    equal("len counts them", len(f["a"]), len(names))
    for name in names:
        equal(f"{name!r} is found again", f["a"][name].name, f"/a/{name}")

    anonymous = f.create_group(None)
    check("an anonymous group has an id", anonymous.id.id.startswith("g-"))
    f["named"] = anonymous
    equal("an anonymous group gets its name", f["named"].id.id, anonymous.id.id)

    f["second"] = f["a/b/c"]
    f["a/b/c"].create_dataset("leaf", data=1)
    del f["a"]["plus+sign"]
    check("a deleted link is gone", "plus+sign" not in f["a"] and "plus+sign" not in list(f["a"]))
    del f["r"]
    check("a deleted tree is gone", "r" not in f and "r/s" not in f)
    raises("deleting what is not there", (KeyError, OSError), lambda: f.__delitem__("r"))

for mode in ("r", "r+"):
    with h5pyd.File(path, mode) as f:
        for cache in ("visit", "visititems"):
            seen = []
            if cache == "visit":
                f.visit(lambda name: seen.append(name))
            else:
                f.visititems(lambda name, thing: seen.append(name))
            equal(f"{cache} in {mode} meets no path twice", len(seen), len(set(seen)))
            objects = {f[name].id.id for name in seen}
            equal(f"{cache} in {mode} meets an object of two links once", len(seen), len(objects))
            # a, its 9 members, a/b/c (or second), the leaf, named
            equal(f"{cache} in {mode} meets every object", len(seen), 1 + 9 + 1 + 1 + 1)
            stop = []
            result = f.visit(lambda name: stop.append(name) or "stopped")
            equal(f"visit in {mode} stops at the first value", (result, len(stop)), ("stopped", 1))
