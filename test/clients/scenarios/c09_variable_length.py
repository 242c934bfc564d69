"""C09: variable-length strings, bytes, numbers, and compounds with them."""

import h5pyd
import numpy as np
from scenario import FOLDER, equal

path = f"{FOLDER}/variable.h5"
text, binary = h5pyd.special_dtype(vlen=str), h5pyd.special_dtype(vlen=bytes)
numbers = h5pyd.special_dtype(vlen=np.dtype("i4"))
record = np.dtype([("id", "i4"), ("name", text), ("x", "f8")])


def listed(array):
    return [item.tolist() if isinstance(item, np.ndarray) else item for item in array]


def words(array):
    """Texts, however this client gives them."""
    return [item.decode() if isinstance(item, bytes) else item for item in array]


with h5pyd.File(path, "w") as f:
    t = f.create_dataset("text", (10,), text, maxshape=(None,))
    b = f.create_dataset("bytes", (4,), binary)
    n = f.create_dataset("numbers", (6,), numbers)
    c = f.create_dataset("record", (5,), record, maxshape=(None,))
    equal("unwritten texts are empty", words(t[...]), [""] * 10)
    equal("unwritten sequences are empty", [len(item) for item in n[...]], [0] * 6)
    t[0:4] = np.array(["first", "", "ü日本\U0001f642", 'a"b'], dtype=object)
    t[7] = "x" * (2**20)
    b[...] = np.array([b"raw", b"", b"three", b"z"], dtype=object)
    n[0] = [1, 2, 3]
    n[2] = np.arange(1000, dtype="i4")
    n[3:5] = np.array([np.array([-1], "i4"), np.zeros(0, "i4")], dtype=object)
    rows = np.zeros(3, record)
    rows["id"], rows["name"], rows["x"] = [1, 2, 3], ["one", "", "drei ü"], [0.5, np.inf, -1]
    c[1:4] = rows

expected_text = ["first", "", "ü日本\U0001f642", 'a"b', "", "", "", "x" * (2**20), "", ""]
expected_numbers = [[1, 2, 3], [], list(range(1000)), [-1], [], []]
for mode in ("r", "r+"):
    with h5pyd.File(path, mode) as f:
        equal(f"{mode}: texts", words(f["text"][...]), expected_text)
        equal(f"{mode}: texts one by one", words([f["text"][i] for i in range(10)]), expected_text)
        equal(f"{mode}: a slice of them", words(f["text"][1:8:3]), expected_text[1:8:3])
        equal(f"{mode}: bytes", [item if isinstance(item, bytes) else item.encode() for item in f["bytes"][...]], [b"raw", b"", b"three", b"z"])
        equal(f"{mode}: numbers", [item.tolist() if len(item) else [] for item in f["numbers"][...]], expected_numbers)
        equal(f"{mode}: one of them", f["numbers"][2].tolist(), list(range(1000)))
        got = f["record"][...]
        equal(f"{mode}: records' numbers", got["id"].tolist(), [0, 1, 2, 3, 0])
        equal(f"{mode}: records' texts", words(item or "" for item in got["name"]), ["", "one", "", "drei ü", ""])
        equal(f"{mode}: one record", words([f["record"][3]["name"]]), ["drei ü"])

with h5pyd.File(path, "r+") as f:
    t, c = f["text"], f["record"]
    t.resize((12,))
    equal("appended rows are empty", words(t[9:12]), ["", "", ""])
    t[10:12] = np.array(["appended", "last"], dtype=object)
    equal("and written", words(t[9:]), ["", "appended", "last"])
    t[0] = "shorter"
    t[7] = ""
    equal("overwritten", words(t[...]), ["shorter", *expected_text[1:7], "", "", "", "appended", "last"])
    t.resize((2,))
    t.resize((4,))
    equal("what was cut off does not come back", words(t[...]), ["shorter", "", "", ""])
