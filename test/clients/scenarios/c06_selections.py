"""C06: selections of every kind, compared with NumPy."""

import h5pyd
import numpy as np
from scenario import FOLDER, equal, raises

path = f"{FOLDER}/selections.h5"
rng = np.random.default_rng(6)
a = rng.integers(-1000, 1000, (12, 30, 7)).astype("i8")

with h5pyd.File(path, "w") as f:
    f.create_dataset("a", data=a, chunks=(5, 8, 3))
    f.create_dataset("long", data=np.arange(10_000, dtype="i4"), chunks=(1000,))
    f.create_dataset("none", (0,), "i4", maxshape=(None,))
    f.create_dataset("none2", (0, 5), "f4")

for mode in ("r", "r+"):
    with h5pyd.File(path, mode) as f:
        d = f["a"]
        selections = {
            "all": ..., "an integer": 3, "negative": -1, "two integers": (3, 4), "one element": (11, 29, 6),
            "a slice": np.s_[2:9], "steps": np.s_[::3, 1:29:4, ::2], "a large step": np.s_[::100],
            "an ellipsis first": np.s_[..., 2], "an ellipsis last": np.s_[4, ...], "in the middle": np.s_[4, ..., 1],
            "negative bounds": np.s_[-5:-1, -3:], "a list": np.s_[:, [2, 5, 20]],
            "a list of one": np.s_[[4], :, :],            "a list and an integer": np.s_[3, [1, 2, 3], 2:5], "nothing": np.s_[5:5], "nothing in the middle": np.s_[:, 3:3, :],
            "the last": np.s_[11:12, 29:30, 6:7],
        }
        for name, selection in selections.items():
            equal(f"{mode}: {name}", np.asarray(d[selection]), np.asarray(a[selection]))
        equal(f"{mode}: two lists are pairs", d[[1, 4, 9], [2, 5, 8], 3], a[[1, 4, 9], [2, 5, 8], 3])
        mask = a > 600
        equal(f"{mode}: a mask", d[mask], a[mask])
        rows = np.array([i % 3 == 0 for i in range(12)])
        equal(f"{mode}: a mask of rows", d[rows, :, :], a[rows, :, :])
        equal(f"{mode}: no true in a mask", d[np.zeros(a.shape, bool)], a[np.zeros(a.shape, bool)])

        long = f["long"]
        b = np.arange(10_000, dtype="i4")
        for count in (1, 40, 2500):
            picked = np.sort(rng.choice(10_000, count, replace=False))
            equal(f"{mode}: a list of {count}", long[picked.tolist()], b[picked])
        points = np.stack([rng.integers(0, n, 1000) for n in a.shape])
        chosen = np.zeros(a.shape, bool)
        chosen[tuple(points)] = True
        equal(f"{mode}: a thousand points", d[chosen], a[chosen])
        equal(f"{mode}: a dataset of no elements", f["none"][...], np.zeros(0, "i4"))
        equal(f"{mode}: of no rows", f["none2"][...], np.zeros((0, 5), "f4"))

with h5pyd.File(path, "r+") as f:
    d = f["a"]

    def put(what, selection, value):
        d[selection] = value
        a[selection] = value
        equal(f"written: {what}", d[...], a)

    put("a scalar to rows", np.s_[2:5], 7)
    put("a scalar with steps", np.s_[::2, ::3, ::4], -9)
    put("rows", np.s_[5:9, 3, :], np.broadcast_to(np.arange(7), (4, 7)))
    # h5pyd sends a row for many rows as it is, without saying that it is to be repeated
    raises("a row for many rows", (OSError, TypeError), lambda: d.__setitem__(np.s_[5:9, 3, :], np.ones(7, "i8")))
    equal("and nothing of it is written", d[...], a)
    put("a block", np.s_[1:3, 4:6, 2:4], np.arange(8).reshape(2, 2, 2))
    put("one element", np.s_[0, 0, 0], 12345)
    put("a list of rows", np.s_[[1, 5, 6], :, :], np.ones((3, 30, 7), "i8"))
    put("the whole", ..., a[::-1].copy())
    put("a scalar to the whole", ..., 3)
    long = f["long"]
    long[10:20] = 5
    b[10:20] = 5
    equal("written: a scalar to a slice of one dimension", long[...], b)
    long[-3:] = [1, 2, 3]
    b[-3:] = [1, 2, 3]
    equal("written: the end", long[...], b)
