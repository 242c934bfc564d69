"""C19: hsload, hsls, hsget and hsdiff over the sample files, judged by HDF5's own h5diff."""

import os
import shutil
import subprocess
import tempfile

from scenario import FOLDER, Proxy, check, equal, missing, program

SAMPLES = os.environ.get("HYPERSLAB_SAMPLES")
if not SAMPLES or not os.path.exists(f"{SAMPLES}/tall.h5"):
    missing("HYPERSLAB_SAMPLES is not a folder with h5serv's sample files (tall.h5)")
if not shutil.which("h5diff"):
    missing("h5diff is needed (Debian: hdf5-tools)")

# What h5pyd itself refuses or changes on the way.
LOSSY = {
    "array_dset.h5", "arraytype.h5", "comp_complex.h5", "h5ex_d_extern.h5", "dset_creationprop.h5",
    "tall_with_udlink.h5", "tallrw.h5", "notahdf5file.h5", "sample.h5",
    "fixed_string_attr.h5", "fixed_string_dset.h5", "tstr.h5",
}  # fmt: skip
LOSSY_KINDS = ("bitfield_", "opaque_", "regionref_")
SLOW = {"dset1k.h5", "group1k.h5", "type1k.h5"}


def same(first, second):
    """Whether HDF5 finds no difference between two local files."""
    ended = subprocess.run(["h5diff", first, second], capture_output=True, text=True)
    return ended.returncode == 0, ended.stdout + ended.stderr


work = tempfile.TemporaryDirectory()
tall, copy, domain = f"{SAMPLES}/tall.h5", f"{work.name}/tall.h5", f"{FOLDER}/tall.h5"
proxy = Proxy()


def counted(limit, name, *arguments):
    before = len(proxy.requests)
    printed = program(name, *arguments, endpoint=proxy.endpoint)
    asked = proxy.since(before)
    check(f"{name} asks at most {limit} times, here {len(asked)}", len(asked) <= limit, asked)
    failed = [request for request in asked if request[2] >= 400 and request[2] != 404]
    equal(f"{name} is refused nothing", failed, [])
    return printed


counted(115, "hsload", tall, f"{FOLDER}/")
lines = counted(3, "hsls", "-r", domain).splitlines()
words = sorted(" ".join(line.split()) for line in lines if line.startswith("/"))
equal(
    "hsls -r prints",
    words,
    [
        "/g1 Group",
        "/g1/g1.1 Group",
        "/g1/g1.1/dset1.1.1 Dataset {10, 10}",
        "/g1/g1.1/dset1.1.2 Dataset {20}",
        "/g1/g1.2 Group",
        "/g1/g1.2/extlink ExternalLink {somepath//somefile}",
        "/g1/g1.2/g1.2.1 Group",
        "/g1/g1.2/g1.2.1/slink SoftLink {somevalue}",
        "/g2 Group",
        "/g2/dset2.1 Dataset {10}",
        "/g2/dset2.2 Dataset {3, 5}",
    ],
)
counted(7, "hsls", "-r", "-v", domain)
counted(5, "hsget", domain, copy)
holds, printed = same(tall, copy)
check("h5diff finds the copy equal", holds, printed)
program("hsdiff", tall, domain)
program("hsdiff", copy, domain)
program("hsdiff", f"{SAMPLES}/fillvalue.h5", domain, status=2)

results = {}
for name in sorted(os.listdir(SAMPLES)):
    if not name.endswith(".h5") or name in LOSSY or name in SLOW or name.startswith(LOSSY_KINDS):
        continue
    original, remote, local = f"{SAMPLES}/{name}", f"{FOLDER}/all-{name}", f"{work.name}/all-{name}"
    program("hsload", original, remote)
    program("hsget", remote, local)
    holds, printed = same(original, local)
    results[name] = printed
    check(f"{name} comes back equal", holds, printed)
check("most sample files were compared", len(results) >= 50, len(results))
