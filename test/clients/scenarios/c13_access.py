"""C13: access control lists, by the library and by hsacl."""

import h5pyd
import numpy as np
from scenario import FOLDER, check, equal, program, raises

OTHER = {"username": "test_user2", "password": "test"}
NAMES = ("create", "read", "update", "delete", "readACL", "updateACL")
none = dict.fromkeys(NAMES, False)
path = f"{FOLDER}/access.h5"

with h5pyd.File(path, "w") as f:
    f.create_dataset("d", data=np.arange(3))
    equal("the owner may do everything", {key: f.getACL("test_user1")[key] for key in NAMES}, dict.fromkeys(NAMES, True))
    f.putACL({**none, "userName": "default"})

raises("another user is refused", OSError, lambda: h5pyd.File(path, "r", **OTHER), 403)

with h5pyd.File(path, "r+") as f:
    f.putACL({**none, "userName": "test_user2", "read": True, "readACL": True})
    names = {item["userName"] for item in f.getACLs()}
    check("the list has every user", {"test_user1", "test_user2", "default"} <= names, names)
with h5pyd.File(path, "r", **OTHER) as f:
    equal("who may read reads", f["d"][...].tolist(), [0, 1, 2])
    equal("and sees the list", f.getACL("test_user2")["update"], False)
with h5pyd.File(path, "r+", **OTHER) as f:
    raises("but does not write values", OSError, lambda: f["d"].__setitem__(0, 9))
    raises("nor make groups", OSError, lambda: f.create_group("g"))
    raises("nor attributes", OSError, lambda: f.attrs.__setitem__("a", 1))
    raises("nor change the list", OSError, lambda: f.putACL({**dict.fromkeys(NAMES, True), "userName": "test_user2"}))
raises("nor open to append", OSError, lambda: h5pyd.File(path, "a", **OTHER), 403)
raises("nor delete the file", OSError, lambda: h5pyd.File(path, "w", **OTHER), 403)
with h5pyd.File(path, "r+") as f:
    equal("nothing was written", (f["d"][...].tolist(), list(f), len(f.attrs)), ([0, 1, 2], ["d"], 0))
    f.putACL({**none, "userName": "test_user2", "read": True, "update": True, "create": True})
with h5pyd.File(path, "a", **OTHER) as f:
    f["d"][0] = 9
    f.create_group("g")
with h5pyd.File(path, "r") as f:
    equal("granted, it holds at once", (f["d"][...].tolist(), list(f)), ([9, 1, 2], ["d", "g"]))

program("hsacl", path, "-crudep", "test_user2")
raises("taken away by hsacl, it holds at once", OSError, lambda: h5pyd.File(path, "r", **OTHER), 403)
program("hsacl", path, "+ru", "test_user2")
with h5pyd.File(path, "r+") as f:
    acl = f.getACL("test_user2")
    equal("hsacl gives read and update", {key: acl[key] for key in NAMES}, {**none, "read": True, "update": True})
printed = program("hsacl", path)
check("hsacl lists the users", "test_user1" in printed and "test_user2" in printed, printed)
program("hsacl", path, "-u", "test_user2")
with h5pyd.File(path, "r+") as f:
    acl = f.getACL("test_user2")
    equal("hsacl takes update", {key: acl[key] for key in NAMES}, {**none, "read": True})
printed = program("hsls", "--showacls", path)
check("hsls --showacls prints the users", "test_user2" in printed and "default" in printed, printed)
printed = program("hsacl", path, user="test_user2", status=None)
check("hsacl says who may not see the list", "does not have permission" in printed, printed)

folder = h5pyd.Folder(f"{FOLDER}/inherited/", mode="x")
folder.putACL({**none, "userName": "test_user2", "read": True, "update": True})
folder.putACL({**none, "userName": "default"})
equal("the folder's list", {item["userName"] for item in folder.getACLs()} >= {"test_user1", "test_user2", "default"}, True)
with h5pyd.File(f"{FOLDER}/inherited/new.h5", "w") as f:
    f.create_dataset("d", data=[1])
    acl = f.getACL("test_user2")
    equal("a new file has the folder's list", {key: acl[key] for key in NAMES}, {**none, "read": True, "update": True})
with h5pyd.File(f"{FOLDER}/inherited/new.h5", "a", **OTHER) as f:
    f["d"][0] = 2
with h5pyd.File(f"{FOLDER}/inherited/new.h5", "r") as f:
    equal("which holds", f["d"][0], 2)
