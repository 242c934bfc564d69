"""C16: the order in which links and attributes were made."""

import h5pyd
from scenario import FOLDER, equal

names = ["z", "a", "10", "9", "m"]
for track in (True, False):
    path = f"{FOLDER}/order-{track}.h5"
    order = names if track else sorted(names)
    with h5pyd.File(path, "w", track_order=track) as f:
        for name in names:
            g = f.create_group(name, track_order=track)
            f.attrs[name] = name
        for name in names:
            f["m"].create_group(name, track_order=track)
            f["m"].attrs[name] = name
        equal(f"{track}: as made", list(f), order)
    for mode in ("r", "r+"):
        with h5pyd.File(path, mode, track_order=track) as f:
            equal(f"{track}, {mode}: members", list(f), order)
            equal(f"{track}, {mode}: members backwards", list(reversed(f)), order[::-1])
            equal(f"{track}, {mode}: keys of items", [name for name, _ in f.items()], order)
            equal(f"{track}, {mode}: attributes", list(f.attrs), order)
            seen = []
            f.visit(lambda name: seen.append(name))
            # h5pyd's walk takes what it has put by last, so the last member of each group comes first
            equal(f"{track}, {mode}: visit", [name for name in seen if "/" not in name], order[::-1])
            equal(f"{track}, {mode}: visit below", [name[2:] for name in seen if name.startswith("m/")], order[::-1])

path = f"{FOLDER}/fast.h5"
fast = [f"n{(i * 7919) % 1000}" for i in range(200)]
with h5pyd.File(path, "w", track_order=True) as f:
    for name in fast:
        f[name] = h5pyd.SoftLink("/nowhere")
with h5pyd.File(path, "r+", track_order=True) as f:
    equal("200 links made as fast as can be", list(f), fast)
    listed = f.GET(f"/groups/{f.id.id}/links", params={"CreateOrder": 1})["links"]
    times = [link["created"] for link in listed]
    equal("no two of them at the same time", len(set(times)), 200)
    equal("times rise", times, sorted(times))
    del f[fast[0]]
    f[fast[0]] = h5pyd.SoftLink("/nowhere")
with h5pyd.File(path, "r", track_order=True) as f:
    equal("one made again is the last", list(f), [*fast[1:], fast[0]])
