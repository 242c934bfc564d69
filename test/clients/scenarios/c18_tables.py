"""C18: tables and queries, compared with NumPy."""

import h5pyd
import numpy as np
from scenario import FOLDER, equal, raises

path = f"{FOLDER}/table.h5"
rng = np.random.default_rng(18)
dtype = np.dtype([("symbol", "S4"), ("date", "S8"), ("open", "i4"), ("close", "f8")])
data = np.zeros(3000, dtype)
data["symbol"] = rng.choice([b"AAPL", b"EBAY", b"AMZN"], 3000)
data["date"] = [f"2017{i % 12 + 1:02}{i % 28 + 1:02}".encode() for i in range(3000)]
data["open"] = rng.integers(2900, 3100, 3000)
data["close"] = rng.normal(3000, 50, 3000)


def same(what, rows, chosen):
    """The rows of an answer, whose first column is the row's number."""
    equal(f"{what}: row numbers", rows["index"].tolist(), chosen.tolist())
    equal(f"{what}: rows", [row[1:] for row in rows.tolist()], data[chosen].tolist())


with h5pyd.File(path, "w") as f:
    t = f.create_table("t", numrows=0, dtype=dtype)
    for start in range(0, 3000, 1000):
        t.append(data[start : start + 1000])
    equal("appended", (t.nrows, t.colnames), (3000, ["symbol", "date", "open", "close"]))

with h5pyd.File(path, "r") as f:
    t = f["t"]
    check_kind = type(t).__name__
    equal("opened again it is a table", check_kind, "Table")
    equal("read", t.read(), data)
    equal("read a part of a field", t.read(start=10, stop=50, step=3, field="open"), data["open"][10:50:3])
    between = np.flatnonzero((data["open"] > 3020) & (data["open"] < 3030))
    same("two conditions", t.read_where("(open > 3020) & (open < 3030)"), between)
    same("text", t.read_where("symbol == b'AAPL'"), np.flatnonzero(data["symbol"] == b"AAPL"))
    same("text and number", t.read_where("(symbol == b'EBAY') & (close < 2950)"), np.flatnonzero((data["symbol"] == b"EBAY") & (data["close"] < 2950)))
    same("or", t.read_where("(open < 2905) | (open > 3095)"), np.flatnonzero((data["open"] < 2905) | (data["open"] > 3095)))
    same("a limit", t.read_where("symbol == b'AMZN'", limit=7), np.flatnonzero(data["symbol"] == b"AMZN")[:7])
    part = np.flatnonzero(data["open"] > 3050)
    same("a part", t.read_where("open > 3050", start=500, stop=900), part[(part >= 500) & (part < 900)])
    equal("nothing matches", len(t.read_where("open > 5000")), 0)
    raises("a field that is not there", OSError, lambda: t.read_where("volume > 5"))
    raises("no condition at all", OSError, lambda: t.read_where("open >"))
    equal("a cursor over all", [tuple(row) for row in t.create_cursor()], data.tolist())
    equal("over a part", [row["open"] for row in t.create_cursor(start=5, stop=9)], data["open"][5:9].tolist())

with h5pyd.File(path, "r+") as f:
    t = f["t"]
    chosen = np.flatnonzero(data["symbol"] == b"AAPL")
    changed = t.update_where("symbol == b'AAPL'", {"open": 999})
    equal("update_where tells the rows", changed.tolist(), chosen.tolist())
    data["open"][chosen] = 999
    equal("and changes them alone", t[...], data)
    changed = t.update_where("symbol == b'EBAY'", {"close": -1.5, "date": "20200101"}, limit=3)
    chosen = np.flatnonzero(data["symbol"] == b"EBAY")[:3]
    equal("with a limit", changed.tolist(), chosen.tolist())
    data["close"][chosen], data["date"][chosen] = -1.5, b"20200101"
    equal("two fields of three rows", t[...], data)
    equal("an update of nothing", t.update_where("open > 9999", {"open": 1}), None)
    raises("an update of no such field", OSError, lambda: t.update_where("open > 0", {"volume": 1}))
    equal("changes nothing", t[...], data)
