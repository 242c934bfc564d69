"""C20: the other command-line programs."""

import re
import tempfile

import h5pyd
import numpy as np
from scenario import ENDPOINT, FOLDER, check, equal, program, raises

work = tempfile.TemporaryDirectory()
program("hstouch", f"{FOLDER}/made/")
equal("hstouch makes a folder", h5pyd.Folder(f"{FOLDER}/made/").is_folder, True)
path = f"{FOLDER}/made/x.h5"
program("hstouch", path)
with h5pyd.File(path, "r+") as f:
    equal("hstouch makes a file", list(f), [])
    f.create_dataset("g/d", data=np.arange(1000, dtype="i4"), chunks=(100,), compression="gzip")
    f["g"].attrs["a"] = "text"
    f["g"].attrs["n"] = [1.5, np.nan]
    f["s"] = h5pyd.SoftLink("/g/d")
    f["t"] = np.dtype("i4")
    root = f.id.id
program("hstouch", path)
with h5pyd.File(path, "r") as f:
    equal("hstouch of a file that is there leaves it", (f.id.id, list(f)), (root, ["g", "s", "t"]))
printed = program("hstouch", f"{FOLDER}/no/such/x.h5", status=None)
check("hstouch says that a parent is missing", "parent" in printed.lower() or "404" in printed or "not found" in printed.lower(), printed)

copy = f"{FOLDER}/made/copy.h5"
program("hscopy", path, copy)
local = f"{work.name}/local.h5"
program("hsget", path, local)
program("hsdiff", local, copy)
with h5pyd.File(copy, "r+") as f:
    check("a copy is another file", f.id.id != root)
    equal("of equal content", f["g/d"][...], np.arange(1000, dtype="i4"))
    f["g/d"][5] = -5
program("hsdiff", local, copy, status=1)

moved = f"{FOLDER}/made/moved.h5"
program("hsmv", path, moved)
raises("hsmv: the old name is gone", OSError, lambda: h5pyd.File(path, "r"))
with h5pyd.File(moved, "r") as f:
    equal("the new one has the same root", f.id.id, root)
    equal("and content", f["g/d"][...], np.arange(1000, dtype="i4"))

printed = program("hsstat", moved)
check("hsstat says the domain's size", re.search(r"\b[1-9]\d*\b", printed) and "moved.h5" in printed, printed)
printed = program("hsstat", "-v", moved)
with h5pyd.File(moved, "r") as f:
    counts = (f.num_groups, f.num_datasets, f.num_datatypes, f.num_chunks)
    equal("the counts are exact at once", counts, (2, 1, 1, 1))
    check("the sizes are plausible", 0 < f.allocated_bytes <= 4000 + 100 and f.total_size >= f.allocated_bytes, f.total_size)

printed = program("hsinfo")
for word in ("test_user1", "READY", "/home/test_user1", ENDPOINT):
    check(f"hsinfo says {word}", word in printed, printed)
printed = program("hsinfo", password="wrong", status=None)
check("hsinfo says that the password is wrong", "401" in printed or "unauthorized" in printed.lower() or "password" in printed.lower(), printed)

printed = program("hsls", f"{FOLDER}/made/")
check("hsls lists the folder", "moved.h5" in printed and "copy.h5" in printed, printed)
check("hsls lists the top", "/home" in program("hsls", "/"))
printed = program("hsls", "-r", "-v", moved)
check("hsls -r -v shows datasets", "/g/d" in printed and "gzip" in printed, printed)

program("hsdel", moved)
program("hsdel", copy)
program("hsdel", f"{FOLDER}/made/")
raises("hsdel deletes files and folders", OSError, lambda: h5pyd.Folder(f"{FOLDER}/made/"))
