"""C05: growing and shrinking a dataset."""

import h5pyd
import numpy as np
from scenario import FOLDER, equal, raises

path = f"{FOLDER}/resize.h5"
data = np.arange(40, dtype="i4").reshape(10, 4)

with h5pyd.File(path, "w") as f:
    d = f.create_dataset("d", (10, 4), "i4", maxshape=(None, 8), fillvalue=-1)
    d[...] = data
    reader = h5pyd.File(path, "r", use_cache=False)["d"]
    equal("shape seen by another connection", (reader.shape, reader.maxshape), ((10, 4), (None, 8)))

    d.resize((20, 8))
    grown = np.full((20, 8), -1, "i4")
    grown[:10, :4] = data
    equal("new cells are the fill value", d[...], grown)
    reader.refresh()
    equal("the other connection sees the new shape", reader.shape, (20, 8))
    equal("and the new cells", reader[...], grown)

    d.resize((5, 4))
    equal("shrunk", d[...], data[:5])
    d.resize((10, 4))
    regrown = np.full((10, 4), -1, "i4")
    regrown[:5] = data[:5]
    equal("what was cut off does not come back", d[...], regrown)
    d.resize(12, axis=0)
    equal("one axis", d.shape, (12, 4))
    d.resize((0, 4))
    equal("nothing is left", (d.shape, d.size), ((0, 4), 0))
    d.resize((3, 4))
    equal("grown from nothing", d[...], np.full((3, 4), -1, "i4"))

    raises("beyond maxshape is 409", (RuntimeError, OSError), lambda: d.resize((20, 9)))
    reader.refresh()
    equal("and changes nothing", reader.shape, (3, 4))

    fixed = f.create_dataset("fixed", data=data)
    raises("a dataset without maxshape is fixed", (OSError, TypeError), lambda: fixed.resize((11, 4)))
    again = h5pyd.File(path, "r", use_cache=False)["fixed"]
    equal("and unchanged", again[...], data)

    empty = f.create_dataset("empty", (0,), "f8", maxshape=(None,))
    equal("a dataset of no elements", empty[...], np.zeros(0))
    empty.resize((4,))
    equal("grown", empty[...], np.zeros(4))
