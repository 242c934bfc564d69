"""Random programs of writes, resizes and reads over HTTP, compared step by step with NumPy and h5py.

    python3 programs.py ADDRESS DIALECT DOMAIN SEED COUNT

Runs COUNT programs in a domain that test_user1 may change, named as the dialect does (hsds: its path; classic: its host), each on a dataset of its
own, of random type, shape, chunks, filters and fill value. What HDF5 does is told by h5py, with a file in memory: the same step is done there and here, and what is read must be equal,
element by element and byte by byte. The first difference ends the run with the program that led to it.

Needs numpy and h5py, and nothing else that is not in Python.
"""

import base64
import http.client
import json
import math
import random
import sys
import urllib.parse

import h5py
import numpy as np

CREDENTIALS = "test_user1:test"


class Failure(Exception):
    pass


class Client:
    def __init__(self, address, dialect, domain):
        self.connection = http.client.HTTPConnection(urllib.parse.urlsplit(address).netloc, timeout=60)
        self.query = {"domain": domain} if dialect == "hsds" else {}
        self.headers = {"Host": domain} if dialect == "classic" else {}

    def send(self, method, path, query=None, body=None, accept="*/*", content="application/json"):
        query = {**(query or {}), **self.query}
        headers = {
            **self.headers,
            "Authorization": "Basic " + base64.b64encode(CREDENTIALS.encode()).decode(),
            "Accept": accept,
        }
        if body is not None:
            headers["Content-Type"] = content
            if content == "application/json":
                body = json.dumps(body).encode()
        self.connection.request(method, path + "?" + urllib.parse.urlencode(query), body, headers)
        response = self.connection.getresponse()
        self.content_type = response.getheader("Content-Type", "")
        return response.status, response.read()

    def done(self, status, *args, **kwargs):
        found, data = self.send(*args, **kwargs)
        if found != status:
            raise Failure(f"{args} {kwargs}: {found} instead of {status}: {data[:300]!r}")
        return data

    def json(self, status, *args, **kwargs):
        return json.loads(self.done(status, *args, **kwargs))


# --- types: how each is named over HTTP, in NumPy, and how random values of it are made ------------------------------


class Type:
    def __init__(self, name, json_type, dtype, values):
        self.name = name
        self.json_type = json_type
        self.dtype = dtype
        self.values = values

    def random(self, rng, shape):
        return self.values(rng, shape)


def integer(kind, bits, order):
    dtype = np.dtype(("<" if order == "LE" else ">") + kind.lower() + str(bits // 8))
    info = np.iinfo(dtype)

    def values(rng, shape):
        edge = np.array([info.min, info.max, 0, 1], dtype)
        wide = rng.integers(info.min, info.max, shape, dtype.newbyteorder("="), endpoint=True)
        narrow = rng.integers(0, 5, shape)
        mixed = np.where(rng.random(shape) < 0.5, narrow.astype(wide.dtype), wide)
        return np.where(rng.random(shape) < 0.1, rng.choice(edge.astype(wide.dtype), shape), mixed).astype(dtype)

    letter = "I" if kind == "i" else "U"
    return Type(dtype.str, f"H5T_STD_{letter}{bits}{order}", dtype, values)


def floating(bits, order):
    dtype = np.dtype(("<" if order == "LE" else ">") + "f" + str(bits // 8))

    def values(rng, shape):
        plain = np.asarray(rng.normal(size=shape) * 10.0 ** rng.integers(-3, 4, shape))
        odd = rng.choice([np.nan, np.inf, -np.inf, -0.0, 0.0], shape)
        return np.asarray(np.where(rng.random(shape) < 0.1, odd, plain)).astype(dtype)

    return Type(dtype.str, f"H5T_IEEE_F{bits}{order}", dtype, values)


def text(length):
    dtype = np.dtype(f"S{length}")
    json_type = {"class": "H5T_STRING", "charSet": "H5T_CSET_ASCII", "strPad": "H5T_STR_NULLPAD", "length": length}

    def values(rng, shape):
        words = [b"", b"a", b"left", b"right", b"x y", b"~" * length]
        return np.array(rng.choice(np.array([w[:length] for w in words], dtype), shape))

    return Type(dtype.str, json_type, dtype, values)


SIMPLE = [integer(k, b, o) for k in "iu" for b in (8, 16, 32, 64) for o in ("LE", "BE") if (b, o) != (8, "BE")]
SIMPLE += [floating(b, o) for b in (16, 32, 64) for o in ("LE", "BE")]
SIMPLE += [text(1), text(5), text(12)]


def full_type(type_):
    """The type as an object, which is how it has to stand inside others."""
    if isinstance(type_, dict):
        return type_
    return {"class": "H5T_FLOAT" if "IEEE" in type_ else "H5T_INTEGER", "base": type_}


def array_of(base, dims):
    dtype = np.dtype((base.dtype, dims))
    json_type = {"class": "H5T_ARRAY", "base": full_type(base.json_type), "dims": list(dims)}
    return Type(f"{base.name}{list(dims)}", json_type, dtype, lambda rng, shape: base.values(rng, tuple(shape) + dims))


def compound(members):
    dtype = np.dtype([(name, type_.dtype) for name, type_ in members])
    fields = [{"name": name, "type": full_type(type_.json_type)} for name, type_ in members]

    def values(rng, shape):
        rows = np.zeros(shape, dtype)
        for name, type_ in members:
            rows[name] = type_.values(rng, tuple(np.shape(rows)))
        return rows

    name = "{" + ", ".join(f"{n}: {t.name}" for n, t in members) + "}"
    return Type(name, {"class": "H5T_COMPOUND", "fields": fields}, dtype, values)


def random_type(r):
    kind = r.random()
    if kind < 0.55:
        return r.choice(SIMPLE)
    if kind < 0.65:
        return array_of(r.choice(SIMPLE), tuple(r.randint(1, 3) for _ in range(r.randint(1, 2))))
    members = []
    for i in range(r.randint(1, 4)):
        member = r.choice(SIMPLE)
        if r.random() < 0.15:
            member = array_of(member, (r.randint(1, 3),))
        members.append((f"m{i}", member))
    return compound(members)


# --- values over HTTP ------------------------------------------------------------------------------------------------


def to_json(value):
    """Numbers, texts and lists of what NumPy holds; a compound is a list of its members."""
    if isinstance(value, np.void) or (isinstance(value, np.ndarray) and value.dtype.names):
        if isinstance(value, np.ndarray) and value.ndim > 0:
            return [to_json(item) for item in value]
        value = value[()] if isinstance(value, np.ndarray) else value
        return [to_json(value[name]) for name in value.dtype.names]
    if isinstance(value, np.ndarray) and value.ndim > 0:
        return [to_json(item) for item in value]
    value = value[()] if isinstance(value, np.ndarray) else value
    if isinstance(value, bytes):
        return value.decode()
    return value.item() if hasattr(value, "item") else value


def same_json(a, b):
    if isinstance(a, list) or isinstance(b, list):
        return isinstance(a, list) and isinstance(b, list) and len(a) == len(b) and all(map(same_json, a, b))
    if isinstance(a, float) and isinstance(b, float) and math.isnan(a) and math.isnan(b):
        return True
    return a == b and isinstance(a, str) == isinstance(b, str)


def same_bytes(found, expected):
    """NaNs may differ in their bits only if NumPy itself changed them; the bytes that we hold are never converted."""
    return found == np.ascontiguousarray(expected).tobytes()


# --- selections: (text for the wire, what NumPy selects) -------------------------------------------------------------


def random_slab(r, dims, steps=True):
    """A slice per dimension, none of them empty; dims must not contain 0."""
    slices = []
    for extent in dims:
        start = r.randrange(extent)
        stop = r.randint(start + 1, extent)
        step = r.choice([1, 1, 2, 3, 7]) if steps else 1
        slices.append(slice(start, stop, step))
    return tuple(slices)


def slab_text(r, slices, dims):
    parts = []
    for s, extent in zip(slices, dims):
        start = "" if s.start == 0 and r.random() < 0.3 else str(s.start)
        stop = "" if s.stop == extent and r.random() < 0.3 else str(s.stop)
        if s.stop - s.start == 1 and r.random() < 0.3:
            parts.append(str(s.start))
        elif s.step == 1 and r.random() < 0.6:
            parts.append(f"{start}:{stop}")
        else:
            parts.append(f"{start}:{stop}:{s.step}")
    return "[" + ",".join(parts) + "]"


def random_lists(r, dims):
    """Lists of coordinates in one or more dimensions, slices in the others: the text and the positions selected."""
    rank = len(dims)
    listed = sorted(r.sample(range(rank), r.randint(1, rank)))
    length = r.randint(1, 5)
    lists = {d: [r.randrange(dims[d]) for _ in range(length)] for d in listed}
    slices = random_slab(r, dims)
    text = slab_text(r, slices, dims)[1:-1].split(",")
    for d in listed:
        text[d] = "[" + ",".join(map(str, lists[d])) + "]"

    # Which elements, by their position in the whole array: what NumPy stacks would lose its byte order.
    elements = np.arange(array_count(dims)).reshape(dims)
    picked = [
        elements[tuple(lists[d][i] if d in lists else slices[d] for d in range(rank))] for i in range(length)
    ]
    # The paired dimension is where the first list is: before it are slices only.
    positions = np.stack(picked, axis=listed[0])

    return "[" + ",".join(text) + "]", positions


class Program:
    """What both dialects have: a dataset, its model, and the steps that they share."""

    def __init__(self, client, seed):
        self.client = client
        self.r = random.Random(seed)
        self.rng = np.random.default_rng(seed)
        self.log = []
        self.file = h5py.File("model", "w", driver="core", backing_store=False)

    # --- creation ---

    def create(self):
        r = self.r
        self.type = random_type(r)
        rank = r.choice([1, 1, 1, 2, 2, 3])
        limit = {1: 60, 2: 14, 3: 7}[rank]
        dims = [r.randint(0 if r.random() < 0.1 else 1, limit) for _ in range(rank)]
        maxdims = [r.choice([0, extent + r.randint(0, limit)]) for extent in dims] if r.random() < 0.8 else None
        chunk = None
        if (maxdims or 0 not in dims) and r.random() < 0.8:
            chunk = [r.randint(1, max(1, min(limit, (m or limit) if maxdims else d))) for d, m in zip(dims, maxdims or dims)]
        properties = {}
        model = {}
        if chunk:
            properties["layout"] = {"class": "H5D_CHUNKED", "dims": chunk}
            model["chunks"] = tuple(chunk)
        elif maxdims:
            model["chunks"] = tuple(max(1, extent) for extent in dims)
        filters = self.random_filters() if r.random() < 0.4 else []
        if filters:
            properties["filters"] = filters
        if r.random() < 0.4:
            fill = self.type.random(self.rng, ())
            if not has_odd(fill):
                properties["fillValue"] = to_json(fill)
                if self.type.dtype.subdtype is None:
                    model["fillvalue"] = fill
                else:
                    properties.pop("fillValue")
        body = {"type": self.type.json_type, "shape": dims}
        if maxdims:
            body["maxdims"] = maxdims
        if properties:
            body["creationProperties"] = properties
        self.log.append(("POST /datasets", body))
        self.id = self.client.json(201, "POST", "/datasets", body=body)["id"]
        self.maxdims = maxdims
        self.model = self.file.create_dataset(
            "d",
            tuple(dims),
            self.type.dtype,
            maxshape=tuple(None if m == 0 else m for m in maxdims) if maxdims else None,
            **model,
        )

    @property
    def dims(self):
        return list(self.model.shape)

    def array(self):
        """All that the model holds, in the type of the dataset."""
        return np.asarray(self.model[()])

    def store(self, array):
        if self.model.size:
            self.model[...] = array

    @property
    def value(self):
        return f"/datasets/{self.id}/value"

    # --- steps that write ---

    def write_points(self):
        if 0 in self.dims:
            return
        array = self.array()
        points = self.random_points()
        data = self.type.random(self.rng, (len(points),))
        for point, item in zip(points, data):
            array[tuple(point)] = item
        listed = [p[0] for p in points] if len(self.dims) == 1 else points
        self.put({}, {"points": listed}, data)
        self.store(array)

    def random_points(self):
        return [[self.r.randrange(extent) for extent in self.dims] for _ in range(self.r.randint(1, 12))]

    def resize(self):
        if not self.maxdims:
            return
        dims = [self.random_extent(extent, m or extent + 6) for extent, m in zip(self.dims, self.maxdims)]
        self.log.append(("PUT shape", dims))
        self.client.done(self.RESIZED, "PUT", f"/datasets/{self.id}/shape", body={"shape": dims})
        self.model.resize(tuple(dims))

    # --- steps that read ---

    def expect(self, what, expected, data, as_bytes):
        if as_bytes:
            if not same_bytes(data, expected):
                raise Failure(f"{what}: {data!r} is not {expected!r}")
            return
        found = json.loads(data)["value"]
        wanted = to_json(expected)
        if not same_json(found, wanted):
            raise Failure(f"{what}: {found} is not {wanted}")

    def read_all(self):
        self.read({}, self.array(), array_count(self.dims))

    def query(self):
        names = [n for n in self.type.dtype.names or () if self.type.dtype[n].subdtype is None]
        if len(self.dims) != 1 or not names:
            return
        array = self.array()
        name = self.r.choice(names)
        column = array[name]
        literal = self.r.choice(list(column)) if len(column) else self.type.random(self.rng, ())[name][()]
        if isinstance(literal, bytes):
            if b"'" in literal:
                return
            shown = "b'" + literal.decode() + "'"
        elif not math.isfinite(literal):
            return
        else:
            # The shortest text of a narrow float would be another number of the wide one, which is rounded back.
            shown = repr(literal.item())
        if isinstance(literal, int):
            return
        operator = self.r.choice(["==", "!=", "<", "<=", ">", ">="])
        with np.errstate(invalid="ignore"):
            holds = {
                "==": np.equal, "!=": np.not_equal, "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal,
            }
            if column.dtype.kind == "S":
                hits = [i for i, v in enumerate(column) if compare_text(operator, v, literal)]
            else:
                hits = list(np.flatnonzero(holds[operator](column, literal)))
        query = {"query": f"{name} {operator} {shown}"}
        hits = self.restricted(query, hits)
        if self.r.random() < 0.3:
            limit = self.r.randint(1, 4)
            query["Limit"] = limit
            hits = hits[:limit]
        answer = self.client.json(200, "GET", self.value, query)
        wanted = to_json(array[hits]) if len(hits) else []
        if answer.get("index") != [int(i) for i in hits] or not same_json(answer["value"], wanted):
            raise Failure(f"{query}: {answer.get('index')} {answer['value']} is not {hits} {wanted}")

    def run(self):
        try:
            self.create()
            for _ in range(self.r.randint(5, 25)):
                getattr(self, self.r.choices(list(self.STEPS), list(self.STEPS.values()))[0])()
            self.read_all()
            self.client.done(200, "DELETE", f"/datasets/{self.id}")
        finally:
            self.file.close()


class HsdsProgram(Program):
    RESIZED = 201

    STEPS = {
        "write_slab": 4, "write_lists": 2, "write_points": 2, "write_fields": 2, "broadcast": 2, "append": 2, "resize": 2,
        "read_slab": 4, "read_lists": 3, "read_points": 3, "read_all": 1, "query": 2,
    }

    def random_filters(self):
        """Spelled in one of the ways that are accepted. No filter changes a value, the lossy ones included."""
        r = self.r
        compressors = ["gzip", 1, {"class": "H5Z_FILTER_DEFLATE", "level": 4}, "lz4", "zstd", "blosclz", 32015, "snappy"]
        filters = [r.choice(["shuffle", 2, "bitshuffle"])] if r.random() < 0.5 else []
        if not filters and r.random() < 0.3:
            filters.append(r.choice(["nbit", {"class": "H5Z_FILTER_SCALEOFFSET", "scaleOffset": r.randint(0, 6)}]))
        if r.random() < 0.8:
            filters.append(r.choice(compressors))
        if r.random() < 0.3:
            filters.append(r.choice(["fletcher32", 3]))
        return filters

    def random_extent(self, extent, limit):
        return self.r.randint(0 if self.r.random() < 0.2 else 1, limit)

    def put(self, query, body_members, data):
        """A write in one of its forms: bytes, JSON or Base64."""
        r = self.r
        form = r.choice(["bytes", "json", "base64"])
        if "points" in body_members and form == "bytes":
            form = "json"
        if form == "json" and has_odd_bits(data):
            form = "base64" if body_members else "bytes"
        if form == "bytes":
            raw = np.ascontiguousarray(data).tobytes()
            self.log.append(("PUT bytes", query, body_members, to_json(data)))
            self.client.done(200, "PUT", self.value, {**query, **in_query(body_members)}, raw, content="application/octet-stream")
            return
        if form == "json":
            body = {**body_members, "value": to_json(data)}
        else:
            body = {**body_members, "value_base64": base64.b64encode(np.ascontiguousarray(data).tobytes()).decode()}
        self.log.append(("PUT", query, body))
        self.client.done(200, "PUT", self.value, query, body)

    def write_slab(self):
        if 0 in self.dims:
            return
        array = self.array()
        slices = random_slab(self.r, self.dims)
        data = self.type.random(self.rng, selected_shape(slices, self.dims))
        array[slices] = data
        if self.r.random() < 0.5:
            self.put({"select": slab_text(self.r, slices, self.dims)}, {}, data)
        else:
            self.put_range(slices, data)
        self.store(array)

    def put_range(self, slices, data):
        start, stop, step = ([getattr(s, name) for s in slices] for name in ("start", "stop", "step"))
        body = {"start": start, "stop": stop, "step": step}
        if len(slices) == 1 and self.r.random() < 0.5:
            body = {name: value[0] for name, value in body.items()}
        raw = np.ascontiguousarray(data).tobytes()
        if has_odd_bits(data) or self.r.random() < 0.3:
            body["value_base64"] = base64.b64encode(raw).decode()
        else:
            body["value"] = to_json(data)
        self.log.append(("PUT", body))
        self.client.done(200, "PUT", self.value, None, body)

    def write_lists(self):
        if 0 in self.dims:
            return
        array = self.array()
        text, positions = random_lists(self.r, self.dims)
        data = self.type.random(self.rng, positions.shape)
        flat = flattened(array, self.dims)
        for position, item in zip(positions.ravel(), data.reshape((positions.size,) + data.shape[positions.ndim :])):
            flat[position] = item
        self.put({"select": text}, {}, data)
        self.store(flat.reshape(array.shape))

    def write_fields(self):
        names = self.type.dtype.names
        if not names or 0 in self.dims:
            return
        chosen = self.r.sample(names, self.r.randint(1, len(names)))
        array = self.array()
        slices = random_slab(self.r, self.dims)
        rows = self.type.random(self.rng, selected_shape(slices, self.dims))
        data = packed(rows, chosen)
        part = array[slices]
        for name in chosen:
            part[name] = rows[name]
        array[slices] = part
        self.put({"select": slab_text(self.r, slices, self.dims), "fields": ":".join(chosen)}, {}, data)
        self.store(array)

    def broadcast(self):
        if 0 in self.dims:
            return
        array = self.array()
        slices = random_slab(self.r, self.dims)
        shape = selected_shape(slices, self.dims)
        suffix = shape[self.r.randint(0, len(shape)) :]
        data = self.type.random(self.rng, suffix)
        array[slices] = np.broadcast_to(data, shape + data.shape[len(suffix) :])
        count = array_count(suffix)
        self.put({"select": slab_text(self.r, slices, self.dims), "element_count": count}, {}, data)
        self.store(array)

    def append(self):
        if not self.maxdims:
            return
        dims = self.dims
        d = self.r.randrange(len(dims))
        if any(extent == 0 for i, extent in enumerate(dims) if i != d):
            return
        n = self.r.randint(1, 5)
        shape = [n if i == d else extent for i, extent in enumerate(dims)]
        data = self.type.random(self.rng, tuple(shape))
        query = {"append": n, **({"append_dim": d} if d or self.r.random() < 0.5 else {})}
        if self.maxdims[d] and dims[d] + n > self.maxdims[d]:
            self.log.append(("PUT refused", query))
            raw = np.ascontiguousarray(data).tobytes()
            self.client.done(409, "PUT", self.value, query, raw, content="application/octet-stream")
            return
        self.put(query, {}, data)
        self.model.resize(dims[d] + n, axis=d)
        array = self.array()
        array[tuple(slice(dims[d], None) if i == d else slice(None) for i in range(len(dims)))] = data
        self.store(array)

    def accept(self):
        as_bytes = self.r.random() < 0.5
        return as_bytes, "application/octet-stream" if as_bytes else "*/*"

    def read_slab(self):
        if 0 in self.dims:
            return
        slices = random_slab(self.r, self.dims)
        self.read_text(slab_text(self.r, slices, self.dims), self.array()[slices])

    def read_lists(self):
        if 0 in self.dims:
            return
        text, positions = random_lists(self.r, self.dims)
        self.read_text(text, flattened(self.array(), self.dims)[positions])

    def read_text(self, text, expected):
        as_bytes, accept = self.accept()
        query = {"select": text}
        names = self.type.dtype.names
        if names and self.r.random() < 0.4:
            chosen = self.r.sample(names, self.r.randint(1, len(names)))
            query["fields"] = ":".join(chosen)
            expected = packed(expected, chosen)
        if self.r.random() < 0.5:
            data = self.client.done(200, "GET", self.value, query, accept=accept)
        else:
            data = self.client.done(200, "POST", self.value, None, query, accept=accept)
        self.expect(f"read of {query}", expected, data, as_bytes)

    def read_points(self):
        if 0 in self.dims:
            return
        points = self.random_points()
        array = self.array()
        expected = np.array([array[tuple(point)] for point in points], array.dtype)
        as_bytes, accept = self.accept()
        if self.r.random() < 0.5:
            body = np.array(points, "<u8").tobytes()
            data = self.client.done(200, "POST", self.value, None, body, accept, "application/octet-stream")
        else:
            listed = [p[0] for p in points] if len(self.dims) == 1 else points
            data = self.client.done(200, "POST", self.value, None, {"points": listed}, accept)
        self.expect(f"points {points}", expected, data, as_bytes)

    def read(self, query, expected, _span):
        as_bytes, accept = self.accept()
        data = self.client.done(200, "GET", self.value, query, accept=accept)
        self.expect(f"read of {query}", expected, data, as_bytes)

    def restricted(self, _query, hits):
        return hits


class ClassicProgram(Program):
    RESIZED = 200

    STEPS = {
        "write_slab": 5, "write_points": 2, "broadcast": 2, "refused": 2, "resize": 2,
        "read_slab": 5, "read_points": 3, "read_all": 1, "query": 2,
    }

    def random_filters(self):
        r = self.r
        filters = [{"id": 2}] if r.random() < 0.5 else []
        if not filters and r.random() < 0.3:
            filters.append(r.choice([{"id": 5}, {"id": 6, "scaleOffset": r.randint(0, 6)}]))
        if r.random() < 0.8:
            filters.append(r.choice([{"id": 1}, {"id": 1, "level": 9}, {"id": 32000}, {"id": 32015}, {"id": 4}, {"id": 40000}]))
        if r.random() < 0.3:
            filters.append({"id": 3})
        return filters

    def random_extent(self, extent, limit):
        return self.r.randint(extent, limit)

    def write_slab(self):
        if 0 in self.dims:
            return
        array = self.array()
        slices = self.random_range()
        data = self.type.random(self.rng, selected_shape(slices, self.dims))
        array[slices] = data
        if self.r.random() < 0.3:
            self.log.append(("PUT bytes", slices, to_json(data)))
            query = {"select": slab_text(self.r, slices, self.dims)}
            raw = np.ascontiguousarray(data).tobytes()
            self.client.done(200, "PUT", self.value, query, raw, content="application/octet-stream")
        else:
            self.put({}, self.range_members(slices), self.with_other_ones(data, selected_shape(slices, self.dims)))
        self.store(array)

    def put(self, query, body_members, data):
        """A write with a body that tells where."""
        as_base64 = has_odd_bits(data) or self.r.random() < 0.4
        raw = np.ascontiguousarray(data).tobytes()
        value = {"value_base64": base64.b64encode(raw).decode()} if as_base64 else {"value": to_json(data)}
        body = {**body_members, **value}
        self.log.append(("PUT", body))
        self.client.done(200, "PUT", self.value, query, body)

    def random_range(self):
        """A step in a body is at most the extent."""
        return tuple(slice(s.start, s.stop, min(s.step, extent)) for s, extent in zip(random_slab(self.r, self.dims), self.dims))

    def range_members(self, slices):
        """start, stop and step, without some of those that have their default anyway."""
        defaults = {"start": [0] * len(slices), "stop": self.dims, "step": [1] * len(slices)}
        members = {}
        for name, default in defaults.items():
            value = [getattr(s, name) for s in slices]
            if value == default and self.r.random() < 0.5:
                if self.r.random() < 0.3:
                    members[name] = 0
            else:
                members[name] = value[0] if len(value) == 1 and self.r.random() < 0.5 else value
        return members

    def with_other_ones(self, data, shape):
        """The same elements in dimensions of which those of extent 1 are missing, or more (classic 7.10)."""
        rest = data.shape[len(shape) :]
        if self.r.random() < 0.6:
            return data
        kept = [extent for extent in shape if extent != 1 or self.r.random() < 0.5]
        ones = [1] * self.r.randint(0, 2)
        other = [*ones, *kept] if self.r.random() < 0.5 else [*kept, *ones]
        return data.reshape((*(other or [1]), *rest))

    def broadcast(self):
        """One element, bare or in a list, fills the selection."""
        if 0 in self.dims:
            return
        element = self.type.random(self.rng, (1,))
        if has_odd_bits(element):
            return
        array = self.array()
        slices = self.random_range()
        array[slices] = np.broadcast_to(element[0], selected_shape(slices, self.dims) + element.shape[1:])
        # An array bare could be meant as a list of elements.
        bare = self.type.dtype.subdtype is None and self.r.random() < 0.5
        body = {**self.range_members(slices), "value": to_json(element)[0] if bare else to_json(element)}
        self.log.append(("PUT", body))
        self.client.done(200, "PUT", self.value, None, body)
        self.store(array)

    def refused(self):
        """What is wrong changes nothing, which the reads that follow see."""
        if 0 in self.dims:
            return
        slices = self.random_range()
        members = {name: [getattr(s, name) for s in slices] for name in ("start", "stop", "step")}
        shape = selected_shape(slices, self.dims)
        data = np.ascontiguousarray(self.type.random(self.rng, shape)).tobytes()
        wrong = self.r.choice(["short", "long", "stop", "start", "step", "empty", "rank", "point"])
        d = self.r.randrange(len(shape))
        if wrong == "short":
            data = data[:-1]
        elif wrong == "long":
            data += b"0"
        elif wrong == "stop":
            members["stop"][d] = self.dims[d] + 1
        elif wrong == "start":
            members["start"][d] = self.r.choice([-1, self.dims[d]])
        elif wrong == "step":
            members["step"][d] = self.r.choice([-1, self.dims[d] + 1])
        elif wrong == "empty":
            members["stop"][d] = members["start"][d] or -1
        elif wrong == "rank":
            members["start"].append(0)
        else:
            points = self.random_points()
            points[-1][d] = self.dims[d]
            members = {"points": [p[0] for p in points] if len(shape) == 1 else points}
            data = bytes(len(points) * self.type.dtype.itemsize)
        body = {**members, "value_base64": base64.b64encode(data).decode()}
        self.log.append(("PUT refused", wrong, body))
        self.client.done(400, "PUT", self.value, None, body)

    def read_slab(self):
        if 0 in self.dims:
            return
        slices = random_slab(self.r, self.dims)
        span = array_count([s.stop - s.start for s in slices])
        self.read({"select": slab_text(self.r, slices, self.dims)}, self.array()[slices], span)

    def read(self, query, expected, span):
        """As bytes if that is asked for and the range spans several elements, whatever its step (classic 7.8)."""
        asked = self.r.random() < 0.5
        accept = "application/octet-stream" if asked else "*/*"
        data = self.client.done(200, "GET", self.value, query, accept=accept)
        as_bytes = asked and span > 1
        if self.client.content_type != ("application/octet-stream" if as_bytes else "application/json"):
            raise Failure(f"{self.client.content_type} for {query} with Accept: {accept}")
        self.expect(f"read of {query}", expected, data, as_bytes)

    def read_points(self):
        if 0 in self.dims:
            return
        points = self.random_points()
        array = self.array()
        expected = np.array([array[tuple(point)] for point in points], array.dtype)
        body = {"points": [p[0] for p in points] if len(self.dims) == 1 else points}
        self.expect(f"points {points}", expected, self.client.done(200, "POST", self.value, None, body), False)

    def restricted(self, query, hits):
        """A query may be limited to a range."""
        if self.r.random() < 0.7 or 0 in self.dims:
            return hits
        (s,) = random_slab(self.r, self.dims, steps=False)
        query["select"] = f"[{s.start}:{s.stop}]"
        return [hit for hit in hits if s.start <= hit < s.stop]


def compare_text(operator, a, b):
    return {"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[operator]


def packed(rows, names):
    part = np.zeros(rows.shape, np.dtype([(name, rows.dtype[name]) for name in names]))
    for name in names:
        part[name] = rows[name]
    return part


def selected_shape(slices, dims):
    return tuple(len(range(*s.indices(extent))) for s, extent in zip(slices, dims))


def flattened(array, dims):
    """The same elements in one dimension."""
    return array.reshape((array_count(dims),) + array.shape[len(dims) :])


def array_count(dims):
    return math.prod(dims)


def in_query(members):
    return {name: json.dumps(value) for name, value in members.items()}


def leaves(value):
    if isinstance(value, list):
        for item in value:
            yield from leaves(item)
    else:
        yield value


def has_odd(value):
    return any(isinstance(leaf, float) and not math.isfinite(leaf) for leaf in leaves(to_json(np.asarray(value))))


def has_odd_bits(value):
    """NaN loses its sign and payload in JSON, so the bytes could not be compared."""
    return any(isinstance(leaf, float) and math.isnan(leaf) for leaf in leaves(to_json(np.asarray(value))))


def main():
    address, dialect, domain, seed, count = *sys.argv[1:4], int(sys.argv[4]), int(sys.argv[5])
    client = Client(address, dialect, domain)
    kind = {"hsds": HsdsProgram, "classic": ClassicProgram}[dialect]
    for number in range(count):
        program = kind(client, seed + number)
        try:
            program.run()
        except Exception as error:
            print(f"Program {seed + number}: {type(error).__name__}: {error}\nThe steps before:", file=sys.stderr)
            for step in program.log[-12:]:
                print("  ", *(str(part)[:400] for part in step), file=sys.stderr)
            raise SystemExit(1)
    print(f"{count} programs agree with NumPy and h5py (seed {seed})")


if __name__ == "__main__":
    main()
