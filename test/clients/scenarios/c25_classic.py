"""C25: the classic dialect as scripts of `requests` speak it, and the same domain seen by h5pyd."""

import os
import re
import urllib.parse

import h5pyd
import numpy as np
import requests
from scenario import ENDPOINT, FOLDER, check, equal

BASE = os.environ.get("HYPERSLAB_TEST_BASE_DOMAIN", "hdfgroup.org")
HOST = ".".join([*reversed(f"{FOLDER}/classic".strip("/").split("/")), BASE])
OWNER, OTHER = ("test_user1", "test"), ("test_user2", "test")
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def ask(method, target, status, body=None, auth=OWNER, host=HOST, **headers):
    """Sends JSON without a content type, as many scripts do, and gives the JSON of the answer."""
    data = None if body is None else requests.compat.json.dumps(body)
    reply = requests.request(method, ENDPOINT + target, data=data, auth=auth, headers={"host": host, **headers})
    equal(f"{method} {re.sub(UUID, '<id>', target)}{' by ' + auth[0] if auth and auth != OWNER else ''} is {status}", reply.status_code, status)
    if "application/octet-stream" in reply.headers.get("Content-Type", ""):
        return reply.content
    if status < 400:
        equal("its type is JSON's, exactly", reply.headers["Content-Type"], "application/json")
    return reply.json() if reply.content else None


made = ask("PUT", "/", 201, auth=OWNER)
root = made["root"]
check("the root's id is a UUID", UUID.fullmatch(root), root)
check("times are ISO text of whole seconds", re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", made["created"]), made["created"])
ask("PUT", "/", 409)
ask("GET", "/", 404, host=f"nothing.{HOST}")

g = ask("POST", "/groups", 201, {"link": {"id": root, "name": "g"}})["id"]
body = {"type": "H5T_STD_I32LE", "shape": [4, 6], "link": {"id": g, "name": "d"}}
d = ask("POST", "/datasets", 201, body)["id"]
text = {"class": "H5T_STRING", "charSet": "H5T_CSET_UTF8", "strPad": "H5T_STR_NULLTERM", "length": "H5T_VARIABLE"}
t = ask("POST", "/datatypes", 201, {"type": "H5T_IEEE_F32LE", "link": {"id": root, "name": "t"}})["id"]
s = ask("POST", "/datasets", 201, {"type": text, "shape": [2], "link": {"id": root, "name": "s"}})["id"]
e = ask("POST", "/datasets", 201, {"type": "H5T_STD_I8LE", "shape": "H5S_NULL", "link": {"id": root, "name": "null"}})["id"]
ask("PUT", f"/groups/{root}/links/soft", 201, {"h5path": "/g/d"})
ask("PUT", f"/groups/{root}/links/away", 201, {"h5path": "/x", "h5domain": f"other.{BASE}"})
ask("PUT", f"/groups/{root}/links/hard", 201, {"id": d})
ask("PUT", f"/groups/{root}/links/hard", 409, {"id": d})

kinds = {link["title"]: link["class"] for link in ask("GET", f"/groups/{root}/links", 200)["links"]}
hard = dict.fromkeys(("g", "hard", "null", "s", "t"), "H5L_TYPE_HARD")
equal("kinds of links", kinds, {**hard, "soft": "H5L_TYPE_SOFT", "away": "H5L_TYPE_EXTERNAL"})
step = ask("GET", f"/groups/{root}/links/g", 200)["link"]
equal("a path is walked link by link", (step["id"], step["collection"]), (g, "groups"))
equal("to its end", ask("GET", f"/groups/{step['id']}/links/d", 200)["link"]["id"], d)

values = np.arange(24).reshape(4, 6)
ask("PUT", f"/datasets/{d}/value", 200, {"value": values.tolist()})
ask("PUT", f"/datasets/{s}/value", 200, {"value": ["ü", ""]})
equal("values", ask("GET", f"/datasets/{d}/value", 200)["value"], values.tolist())
equal("a selection", ask("GET", f"/datasets/{d}/value?select=[1:3,0:6:2]", 200)["value"], values[1:3, ::2].tolist())
octets = ask("GET", f"/datasets/{d}/value?select=[1:3,0:6:2]", 200, Accept="application/octet-stream")
equal("the same as bytes", np.frombuffer(octets, "<i4").tolist(), values[1:3, ::2].ravel().tolist())
points = [[0, 5], [3, 0], [2, 2]]
equal("points", ask("POST", f"/datasets/{d}/value", 200, {"points": points})["value"], [int(values[tuple(p)]) for p in points])
ask("GET", f"/datasets/{d}/value?select=[0:5,0:6]", 400)

attribute = {"type": "H5T_STD_I16LE", "shape": [2], "value": [1, -1]}
ask("PUT", f"/groups/{g}/attributes/a b", 201, attribute)
ask("PUT", f"/groups/{g}/attributes/a b", 409, attribute)
equal("an attribute", ask("GET", f"/groups/{g}/attributes/a b", 200)["value"], [1, -1])

gone = ask("POST", "/groups", 201, {"link": {"id": root, "name": "gone"}})["id"]
ask("DELETE", f"/groups/{gone}", 200)
ask("GET", f"/groups/{gone}", 410)


def follow(host):
    """Every href that can be reached, with the domain in the query alone."""
    waiting, seen, failed = [f"{ENDPOINT}/?host={host}"], set(), []
    while waiting:
        url = waiting.pop()
        if url in seen:
            continue
        seen.add(url)
        reply = requests.get(url, auth=OWNER)
        if reply.status_code != 200 or reply.headers["Content-Type"] != "application/json":
            failed.append((url, reply.status_code))
            continue
        for item in reply.json().get("hrefs", []):
            if list(item) != ["href", "rel"] or urllib.parse.urlsplit(item["href"]).query.split("=")[0] != "host":
                failed.append((url, item))
            waiting.append(item["href"])
        for link in reply.json().get("links", []):
            if link["class"] == "H5L_TYPE_HARD":
                waiting += [link["target"], link["href"]]
    return seen, failed


seen, failed = follow(HOST)
equal("every href leads to an answer, and has host first", failed, [])
for id in (root, g, d, s, t, e):
    check("and they reach every object", any(id in url for url in seen), id)


def export(host):
    """What h5serv's exporter reads of a domain: objects by id, as it asks for them."""
    found = {}
    for kind in ("groups", "datasets", "datatypes"):
        ids = requests.get(f"{ENDPOINT}/{kind}", headers={"host": host}, auth=OWNER).json()[kind]
        for id in [*ids, *([root] if kind == "groups" else [])]:
            base = f"{ENDPOINT}/{kind}/{id}"
            get = lambda path: requests.get(base + path, headers={"host": host}, auth=OWNER).json()
            entry = {"attributes": {}}
            for item in get("/attributes")["attributes"]:
                entry["attributes"][item["name"]] = get(f"/attributes/{item['name']}")["value"]
            if kind == "groups":
                entry["links"] = {link["title"]: link.get("id") or link["h5path"] for link in get("/links")["links"]}
            if kind == "datasets":
                entry["value"] = get("/value").get("value")
            found[id] = entry
    return found


equal(
    "exported",
    export(HOST),
    {
        root: {"attributes": {}, "links": {"away": "/x", "g": g, "hard": d, "null": e, "s": s, "soft": "/g/d", "t": t}},
        g: {"attributes": {"a b": [1, -1]}, "links": {"d": d}},
        d: {"attributes": {}, "value": values.tolist()},
        s: {"attributes": {}, "value": ["ü", ""]},
        e: {"attributes": {}, "value": None},
        t: {"attributes": {}},
    },
)

path = f"{FOLDER}/classic"
with h5pyd.File(path, "r+") as f:
    check("h5pyd sees the same domain under its path", f.id.id.replace("-", "")[1:10] == root.replace("-", "")[:9], (f.id.id, root))
    equal("with the same members", list(f), sorted({**hard, "away": 0, "soft": 0}))
    equal("values", f["g/d"][...], values.astype("i4"))
    equal("through the soft link", f["soft"][...], values.astype("i4"))
    equal("attributes", f["g"].attrs["a b"], np.array([1, -1], "i2"))
    texts = [one.decode() if isinstance(one, bytes) else one for one in f["s"][...]]
    equal("texts", texts, ["ü", ""])
    f.create_dataset("by_h5pyd", data=np.arange(3, dtype="f8"))
    prefixed = f["by_h5pyd"].id.id
new = ask("GET", f"/groups/{root}/links/by_h5pyd", 200)["link"]["id"]
equal("a dataset of h5pyd has the matching UUID", new.replace("-", ""), prefixed[2:].replace("-", ""))
equal("and its values", ask("GET", f"/datasets/{new}/value", 200)["value"], [0.0, 1.0, 2.0])

# who may do what, by the list of the domain
flags = ("create", "read", "update", "delete", "readACL", "updateACL")
for user, granted in (("test_user1", flags), ("default", ()), ("test_user2", ("read",))):
    ask("PUT", f"/acls/{user}", 201, {flag: flag in granted for flag in flags})
ask("GET", f"/datasets/{d}/value", 401, auth=None)
ask("GET", f"/datasets/{d}/value", 401, auth=("test_user1", "wrong"))
ask("GET", f"/datasets/{d}/value", 200, auth=OTHER)
ask("PUT", f"/datasets/{d}/value", 403, {"value": values.tolist()}, auth=OTHER)
ask("PUT", f"/datasets/{d}/value", 401, {"value": values.tolist()}, auth=None)
ask("POST", "/groups", 403, auth=OTHER)
ask("POST", "/groups", 201, auth=OWNER)
ask("PUT", "/acls/test_user2", 403, dict.fromkeys(flags, True), auth=OTHER)
ask("DELETE", "/", 403, auth=OTHER)
ask("DELETE", "/", 401, auth=None)
ask("DELETE", "/", 200)
ask("GET", "/", 404)
