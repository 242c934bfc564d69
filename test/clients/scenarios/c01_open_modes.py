"""C01: every mode that a file is opened in, and what each finds."""

import h5pyd
from scenario import FOLDER, check, equal, raises

path = f"{FOLDER}/modes.h5"

raises("r on nothing is 404", OSError, lambda: h5pyd.File(path, "r"), 404)
raises("r+ on nothing is 404", OSError, lambda: h5pyd.File(path, "r+"), 404)
with h5pyd.File(path, "w") as f:
    root = f.id.id
    check("the root group's id starts with g- and has 38 characters", root.startswith("g-") and len(root) == 38, root)
    f.create_dataset("d", data=[1, 2, 3])
    f.create_group("g")
    check("flush returns", f.flush() is None)
    equal("the owner is who made it", f.owner, "test_user1")
    check("it is made before it is changed", f.created <= f.modified, (f.created, f.modified))
for mode in ("r", "r+", "a"):
    with h5pyd.File(path, mode) as f:
        equal(f"{mode} opens the same root", f.id.id, root)
        equal(f"{mode} finds what was written", f["d"][...].tolist(), [1, 2, 3])
with h5pyd.File(path, "r") as f:
    counts = (f.num_groups, f.num_datasets, f.num_datatypes, f.num_chunks, f.num_objects)
    equal("objects are counted, chunks among them", counts, (2, 1, 0, 1, 4))
    raises("a file opened to read takes no group", (OSError, ValueError), lambda: f.create_group("no"))
for mode in ("w-", "x"):
    raises(f"{mode} on an existing file is 409", OSError, lambda: h5pyd.File(path, mode), 409)
with h5pyd.File(path, "r") as f:
    equal("refused modes changed nothing", list(f), ["d", "g"])
with h5pyd.File(path, "w") as f:
    check("w makes a new root group", f.id.id != root, f.id.id)
    equal("w leaves nothing of the old file", list(f), [])
with h5pyd.File(f"{FOLDER}/exclusive.h5", "x") as f:
    equal("x makes a file that is not there", list(f), [])
with h5pyd.File(f"{FOLDER}/appended.h5", "a") as f:
    equal("a makes a file that is not there", list(f), [])

raises("a wrong password is 401", OSError, lambda: h5pyd.File(path, "r", password="wrong"), 401)
raises("an unknown user is 401", OSError, lambda: h5pyd.File(path, "r", username="nobody_here"), 401)
raises("a missing parent folder is 404", OSError, lambda: h5pyd.File(f"{FOLDER}/no/such.h5", "w"), 404)
raises("a folder is no file", OSError, lambda: h5pyd.File(FOLDER, "r"), 404)
check("is_hdf5 knows the file", h5pyd.is_hdf5(path))
check("is_hdf5 knows that a folder is none", not h5pyd.is_hdf5(FOLDER + "/"))
check("is_hdf5 knows that nothing is none", not h5pyd.is_hdf5(f"{FOLDER}/nothing.h5"))
