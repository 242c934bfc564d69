"""C03: hard, soft and external links."""

import h5pyd
import numpy as np
from h5pyd import ExternalLink, HardLink, SoftLink
from scenario import FOLDER, check, equal, raises

path = f"{FOLDER}/links.h5"
other = f"{FOLDER}/other.h5"

with h5pyd.File(other, "w") as f:
    f.create_dataset("there/values", data=np.arange(5))

with h5pyd.File(path, "w") as f:
    f.create_dataset("d", data=[7, 8])
    f.create_group("g")
    f["h"] = f["d"]
    equal("a hard link names the same object", f["h"].id.id, f["d"].id.id)
    f["s"] = SoftLink("/d")
    f["relative"] = SoftLink("g")
    f["dangling"] = SoftLink("/nowhere")
    f["x"] = ExternalLink(other, "/there/values")
    f["xr"] = ExternalLink("other.h5", "there/values")
    f["xd"] = ExternalLink(f"{FOLDER}/missing.h5", "/there")
    f["xo"] = ExternalLink(other, "/missing")
    f["s"] = SoftLink("/d")
    check("the same soft link twice is no error", True)
    raises("a hard link over a name of another object", (RuntimeError, OSError, ValueError), lambda: f.__setitem__("d", f["g"]))
    equal("and the name still has its object", f["d"][...].tolist(), [7, 8])

for mode in ("r", "r+"):
    with h5pyd.File(path, mode) as f:
        equal(f"{mode}: the soft link's value", f["s"][...].tolist(), [7, 8])
        equal(f"{mode}: the relative soft link's group", f["relative"].id.id, f["g"].id.id)
        raises(f"{mode}: a soft link to nothing", KeyError, lambda: f["dangling"])
        equal(f"{mode}: the external link's values", f["x"][...].tolist(), [0, 1, 2, 3, 4])
        equal(f"{mode}: its file", f["x"].file.filename, other)
        equal(f"{mode}: the external link relative to the folder", f["xr"][...].tolist(), [0, 1, 2, 3, 4])
        raises(f"{mode}: an external link to no file", KeyError, lambda: f["xd"])
        raises(f"{mode}: an external link to no object", KeyError, lambda: f["xo"])
        for name, kind in (("d", HardLink), ("h", HardLink), ("s", SoftLink), ("dangling", SoftLink), ("x", ExternalLink)):
            equal(f"{mode}: class of {name}", f.get(name, getclass=True, getlink=True), kind)
            check(f"{mode}: link {name}", isinstance(f.get(name, getlink=True), kind))
        equal(f"{mode}: path of the soft link", f.get("s", getlink=True).path, "/d")
        link = f.get("x", getlink=True)
        equal(f"{mode}: path and file of the external link", (link.path, link.filename), ("/there/values", other))
        equal(f"{mode}: class of what the links lead to", f.get("s", getclass=True), h5pyd.Dataset)
        equal(f"{mode}: a default for what is not there", f.get("no", "default"), "default")

with h5pyd.File(path, "r+") as f:
    titles = ["many1", "many2", "many3", "many4"]
    f[titles] = [f["g"], SoftLink("/g"), ExternalLink(other, "/there"), f["d"]]
    equal("links made in one request", [f[title].id.id for title in titles[:2]], [f["g"].id.id] * 2)
    kinds = [f.get(title, getclass=True, getlink=True) for title in titles]
    equal("each of its class", kinds, [HardLink, SoftLink, ExternalLink, HardLink])
    raises("one name of several in use: none is made", (OSError, RuntimeError, ValueError), lambda: f.__setitem__(["new", "d"], [f["g"], f["g"]]))
    fresh = h5pyd.File(path, "r", use_cache=False)
    check("none was made", "new" not in fresh and fresh["d"][...].tolist() == [7, 8])
    found = f.get(["d", "s", "x"], getlink=True)
    equal("links read in one request", {name: type(link) for name, link in found.items()}, {"d": HardLink, "s": SoftLink, "x": ExternalLink})
    equal("all links", sorted(f.get(None, getlink=True)), sorted(f))
    equal("the first of them", sorted(f.get(None, getlink=True, limit=3)), sorted(f)[:3])
    equal("the next", sorted(f.get(None, getlink=True, limit=3, marker=sorted(f)[2])), sorted(f)[3:6])
    equal("those of a pattern", sorted(f.get(None, getlink=True, pattern="many*")), titles)
    f["g"].create_group("many5/many6")
    found = f.get(None, getlink=True, pattern="many*", follow_links=True)
    ids = {f.id.id: titles, f["g"].id.id: ["many5"], f["g/many5"].id.id: ["many6"]}
    equal("those of the groups below, too", {group: sorted(links) for group, links in found.items() if links}, ids)
    del f[["many1", "many3"]]
    fresh = h5pyd.File(path, "r", use_cache=False)
    equal("links deleted in one request", [title in fresh for title in titles], [False, True, False, True])
    equal("their objects stay", fresh["g"].id.id, f["g"].id.id)
    equal("the count follows", len(fresh), len(list(fresh)))
