"""C14: folders, their listings by batches, patterns and queries, and their deletion."""

import h5pyd
from scenario import FOLDER, Proxy, check, equal, raises

path = f"{FOLDER}/f/"
folder = h5pyd.Folder(path, mode="x")
equal("a new folder is empty", (len(folder), list(folder)), (0, []))
names = [f"file{i:02}.h5" for i in range(25)]
for i, name in enumerate(names):
    with h5pyd.File(path + name, "w") as f:
        if i % 5 == 0:
            f.attrs["mission"] = "apollo"
            f.attrs["number"] = i
h5pyd.Folder(f"{path}sub/", mode="x")
h5pyd.File(f"{path}sub/deep.h5", "w").close()
members = [*names, "sub"]

folder = h5pyd.Folder(path)
equal("all members, sorted", list(folder), members)
equal("len", len(folder), 26)
check("in", "file03.h5" in folder and "sub" in folder and "deep.h5" not in folder)
equal("a file of it", (folder["file03.h5"]["class"], folder["file03.h5"]["owner"]), ("domain", "test_user1"))
equal("a folder of it", (folder["sub"]["class"], folder["sub"].get("root")), ("folder", None))
equal("its own words", (folder.owner, folder.is_folder, folder.domain, folder.parent), ("test_user1", True, path, f"{FOLDER}/"))

for size in (1, 4, 13, 26, 27):
    proxy = Proxy()
    listed = list(h5pyd.Folder(path, batch_size=size, endpoint=proxy.endpoint))
    equal(f"in batches of {size}", listed, members)
    asked = sum(target.startswith("/domains") for _, target, _ in proxy.requests)
    equal("with one request each, and one that finds the end", asked, 26 // size + 1)
equal("pattern", list(h5pyd.Folder(path, pattern="file1?.h5")), names[10:20])
equal("pattern in batches", list(h5pyd.Folder(path, pattern="*[0-1].h5", batch_size=2)), [name for name in names if name[5] in "01"])
equal("pattern of nothing", list(h5pyd.Folder(path, pattern="no*")), [])
raises("a pattern that is none", OSError, lambda: list(h5pyd.Folder(path, pattern="[")), 400)
equal("query of text", list(h5pyd.Folder(path, query="mission=='apollo'")), names[0::5])
equal("query of number", list(h5pyd.Folder(path, query="number > 12")), [names[15], names[20]])
raises("a query that is none", OSError, lambda: list(h5pyd.Folder(path, query="mission ==")), 400)
verbose = h5pyd.Folder(path, verbose=True)
equal("verbose lists the same", list(verbose), members)
entry = verbose["file00.h5"]
check("with times as numbers", isinstance(entry["lastModified"], float) and entry["created"] <= entry["lastModified"], entry)
check("and a root", entry["root"].startswith("g-"), entry)

check("is_hdf5 of a file, a folder and nothing", [h5pyd.is_hdf5(path + name) for name in ("file00.h5", "sub", "nothing")] == [True, False, False])
parent = h5pyd.Folder(f"{FOLDER}/", mode="a")
raises("a folder with content stays", OSError, lambda: parent.__delitem__("f"), 409)
equal("with its content", len(h5pyd.Folder(path)), 26)
raises("a folder that is there is not made", OSError, lambda: h5pyd.Folder(f"{FOLDER}/no/such/", mode="x"), 404)
raises("nor one that is not there opened", OSError, lambda: h5pyd.Folder(f"{FOLDER}/no/"), 404)
sub = h5pyd.Folder(f"{path}sub/", mode="a")
del sub["deep.h5"]
folder = h5pyd.Folder(path, mode="a")
for name in members:
    del folder[name]
equal("emptied", len(h5pyd.Folder(path)), 0)
raises("what is deleted is gone", OSError, lambda: h5pyd.File(path + names[0], "r"))
del parent["f"]
raises("an empty folder goes", OSError, lambda: h5pyd.Folder(path))
check("the top has /home", "home" in h5pyd.Folder("/"), list(h5pyd.Folder("/")))
