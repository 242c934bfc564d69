"""C17: many connections that write and read at once."""

import multiprocessing
import threading

import h5pyd
import numpy as np
from scenario import FOLDER, check, equal

path = f"{FOLDER}/many.h5"
row_type = np.dtype([("process", "i4"), ("number", "i4"), ("check", "i8")])
PROCESSES, APPENDS, ROWS = 4, 25, 10


def append(process):
    with h5pyd.File(path, "r+") as f:
        table = h5pyd.Table(f["table"].id)
        for i in range(APPENDS):
            rows = np.zeros(ROWS, row_type)
            rows["process"], rows["number"] = process, np.arange(i * ROWS, (i + 1) * ROWS)
            rows["check"] = rows["process"] * 1_000_003 + rows["number"]
            table.append(rows)


def main():
    with h5pyd.File(path, "w") as f:
        for i in range(20):
            f.create_dataset(f"d{i}", (100, 50), "i4", chunks=(10, 50))
        f.create_table("table", numrows=0, dtype=row_type)

    failures = []

    def work(i):
        try:
            with h5pyd.File(path, "r+") as f:
                d = f[f"d{i}"]
                for row in range(100):
                    d[row] = np.arange(50) + row * 50 + i
                    got = d[row]
                    if not np.array_equal(got, np.arange(50) + row * 50 + i):
                        failures.append((i, row, got))
        except Exception as error:
            failures.append((i, error))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    equal("eight threads read what they wrote", failures, [])
    with h5pyd.File(path, "r") as f:
        for i in range(8):
            equal(f"dataset {i} afterwards", f[f"d{i}"][...], (np.arange(5000, dtype="i4") + i).reshape(100, 50))
        datasets = [f[f"d{i}"] for i in range(20)]
        read = h5pyd.MultiManager(datasets=datasets)[...]
        equal("MultiManager reads twenty", [item.sum() for item in read], [d[...].sum() for d in datasets])

    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=append, args=(i,)) for i in range(PROCESSES)]
    for process in processes:
        process.start()
    seen, torn = [], []
    with h5pyd.File(path, "r", use_cache=False) as f:
        d = f["table"]
        while any(process.is_alive() for process in processes):
            d.refresh()
            seen.append(d.shape[0])
            rows = d[...] if d.shape[0] else np.zeros(0, row_type)
            if np.any(rows["check"] != rows["process"] * 1_000_003 + rows["number"]):
                torn.append(rows)
    equal("the appending processes end well", [process.exitcode for process in processes], [0] * PROCESSES)
    equal("lengths never fall", seen, sorted(seen))
    check("and come in whole appends", all(count % ROWS == 0 for count in seen), seen)
    equal("no row is half written", torn, [])
    with h5pyd.File(path, "r") as f:
        rows = f["table"][...]
        equal("every row is there once", len(rows), PROCESSES * APPENDS * ROWS)
        equal("and whole", sorted(rows["check"].tolist()), sorted(p * 1_000_003 + n for p in range(PROCESSES) for n in range(APPENDS * ROWS)))
        for process in range(PROCESSES):
            mine = rows["number"][rows["process"] == process]
            equal(f"rows of process {process} in its order", mine.tolist(), list(range(APPENDS * ROWS)))


main()
