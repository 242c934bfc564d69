"""C12: an external link into a file of another user, with and without permission."""

import h5pyd
import numpy as np
from h5pyd import ExternalLink
from scenario import FOLDER, check, equal, raises

OTHER = {"username": "test_user2", "password": "test"}
none = dict.fromkeys(("create", "read", "update", "delete", "readACL", "updateACL"), False)

# test_user2 may make files in this folder
folder = h5pyd.Folder(f"{FOLDER}/shared/", mode="x")
folder.putACL({**none, "userName": "test_user2", "create": True, "read": True})
path, theirs = f"{FOLDER}/shared/mine.h5", f"{FOLDER}/shared/theirs.h5"

with h5pyd.File(theirs, "w", **OTHER) as f:
    equal("test_user2 owns the file", f.owner, "test_user2")
    f.create_dataset("g/d", data=np.arange(4))
    f.putACL({**none, "userName": "default"})
    f.putACL({**none, "userName": "test_user1"})

with h5pyd.File(path, "w") as f:
    f.create_dataset("own", data=[1, 2])
    f.create_group("g")
    f["absolute"] = ExternalLink(theirs, "/g/d")
    f["relative"] = ExternalLink("theirs.h5", "/g/d")
    f["group"] = ExternalLink(theirs, "/g")

raises("the file itself is refused", OSError, lambda: h5pyd.File(theirs, "r"), 403)
for mode in ("r", "r+"):
    with h5pyd.File(path, mode) as f:
        for name in ("absolute", "relative", "group"):
            raises(f"{mode}: {name} may not be read", KeyError, lambda: f[name])
        equal(f"{mode}: other members may", f["own"][...].tolist(), [1, 2])
        seen = []
        f.visititems(lambda name, thing: seen.append(name))
        check(f"{mode}: visititems goes on", "own" in seen and "g" in seen, seen)

with h5pyd.File(theirs, "r+", **OTHER) as f:
    f.putACL({**none, "userName": "test_user1", "read": True})
for mode in ("r", "r+"):
    with h5pyd.File(path, mode) as f:
        for name in ("absolute", "relative"):
            equal(f"{mode}: {name} may be read now", f[name][...].tolist(), [0, 1, 2, 3])
        equal(f"{mode}: and walked through", f["group"]["d"][...].tolist(), [0, 1, 2, 3])
        raises(f"{mode}: but not written", (OSError, ValueError), lambda: f["absolute"].__setitem__(0, 9))
raises("to write it is refused by the server, too", OSError, lambda: h5pyd.File(theirs, "r+")["g/d"].__setitem__(0, 9))
with h5pyd.File(theirs, "r", **OTHER) as f:
    equal("nothing was written", f["g/d"][...].tolist(), [0, 1, 2, 3])
