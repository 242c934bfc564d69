"""C08: attributes of every type, read back bit for bit, also by the bulk load of a file opened to read."""

import h5py
import h5pyd
import numpy as np
from scenario import FOLDER, check, equal, raises

path = f"{FOLDER}/attributes.h5"

values = {}
for order in "<>":
    for kind in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"):
        dtype = np.dtype(order + kind)
        info = np.finfo(dtype) if dtype.kind == "f" else np.iinfo(dtype)
        values[f"{dtype.str} limits"] = np.array([info.min, 0, 1, info.max], dtype)
        values[f"{dtype.str} scalar"] = np.array(info.max, dtype)[()]
values["non-finite"] = np.array([np.nan, np.inf, -np.inf, -0.0, 5e-324])
values["nan"] = np.float64("nan")
values["infinity"] = np.float32("inf")
values["bool"] = np.bool_(True)
values["bools"] = np.array([True, False, True])
values["matrix"] = np.arange(12, dtype="i2").reshape(3, 4)
values["empty list"] = np.zeros((0,), "f8")
values["fixed"] = np.bytes_(b"fixed")
values["fixed array"] = np.array([b"ab", b"", b"abc"], "S3")
values["compound"] = np.array([(1, 2.5, b"x"), (-1, np.nan, b"yz")], [("a", "i4"), ("b", "f8"), ("s", "S2")])
values["with blank and ü"] = np.int32(5)
values["plus+and&"] = np.int32(6)
texts = {"text": "text", "unicode": "ü日本\U0001f642", "empty text": "", "long": "x" * 3000, "quotes": 'a"b\\c\n\t\x01', "nan text": "NaN"}
text_type = h5py.string_dtype()

enum_type = h5pyd.special_dtype(enum=("i2", {"RED": 0, "GREEN": 1, "BLUE": 42}))
vlen_type = h5pyd.special_dtype(vlen=np.dtype("i4"))

with h5pyd.File(path, "w") as f:
    d = f.create_dataset("d", data=1)
    for target in (f, d):
        a = target.attrs
        for name, value in values.items():
            a[name] = value
        for name, value in texts.items():
            a[name] = value
        a["texts"] = np.array(["a", "", "ü"], dtype=object).astype(h5pyd.special_dtype(vlen=str))
        a["null"] = h5pyd.Empty("f4")
        a.create("enum", np.array([0, 42, 1], "i2"), dtype=enum_type)
        a.create("vlen", np.array([np.arange(3, dtype="i4"), np.zeros(0, "i4"), np.array([-5], "i4")], dtype=object), dtype=vlen_type)
        a["not UTF-8"] = b"\xff\xfe".decode("utf-8", "surrogateescape")
        a["ascii"] = np.bytes_("abc")
    for i in range(500):
        f.create_group("many") if i == 0 else None
        f["many"].attrs[f"a{i:03}"] = i


def compare(where, a):
    for name, value in values.items():
        equal(f"{where}: {name}", a[name], value)
    for name, value in texts.items():
        equal(f"{where}: {name}", a[name], value)
    equal(f"{where}: texts", a["texts"].tolist(), ["a", "", "ü"])
    check(f"{where}: null", isinstance(a["null"], h5pyd.Empty) and a["null"].dtype == np.dtype("f4"), a["null"])
    equal(f"{where}: enum", a["enum"].tolist(), [0, 42, 1])
    equal(f"{where}: vlen", [row.tolist() for row in a["vlen"]], [[0, 1, 2], [], [-5]])
    raw = a["not UTF-8"]
    raw = raw.encode("utf-8", "surrogateescape") if isinstance(raw, str) else bytes(raw)
    equal(f"{where}: bytes that are not UTF-8", raw, b"\xff\xfe")
    raises(f"{where}: one that is not there", KeyError, lambda: a["nothing"])
    check(f"{where}: in", "nan" in a and "nothing" not in a)
    expected = sorted([*values, *texts, "texts", "null", "enum", "vlen", "not UTF-8", "ascii"])
    equal(f"{where}: names in order", list(a), expected)
    equal(f"{where}: count", len(a), len(expected))


for mode in ("r", "r+"):
    for cache in (True, False):
        with h5pyd.File(path, mode, use_cache=cache) as f:
            where = f"{mode} {'with' if cache else 'without'} cache"
            compare(f"{where}, root group", f.attrs)
            compare(f"{where}, dataset", f["d"].attrs)
            many = f["many"].attrs
            equal(f"{where}: five hundred", [(name, int(many[name])) for name in many], [(f"a{i:03}", i) for i in range(500)])

with h5pyd.File(path, "r+") as f:
    a = f["d"].attrs
    a["nan"] = "now text"
    a["text"] = np.arange(6).reshape(2, 3)
    del a["compound"]
    del a["with blank and ü"]
    raises("deleting what is not there", (KeyError, OSError), lambda: a.__delitem__("compound"))
with h5pyd.File(path, "r") as f:
    a = f["d"].attrs
    equal("overwritten by another type", a["nan"], "now text")
    equal("overwritten by another shape", a["text"], np.arange(6).reshape(2, 3))
    check("deleted", "compound" not in a and "with blank and ü" not in a)
    equal("the count follows", len(a), len(list(a)))
