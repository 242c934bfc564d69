# Describes HDF5 files as h5py reads them, one JSON line per file named on the command line: every object by its
# address, with links, attributes and values in the JSON that the service gives. The tests compare with it.

import base64
import hashlib
import json
import sys

import h5py
from h5py import h5a, h5d, h5o, h5r, h5s, h5t

# Of so many numbers only a digest of their bytes is told.
MANY = 5000


def is_boolean(tid):
    members = {tid.get_member_name(i): tid.get_member_value(i) for i in range(tid.get_nmembers())}
    return tid.get_size() == 1 and members == {b'FALSE': 0, b'TRUE': 1}


def text(value, tid):
    data = value if isinstance(value, bytes) else str(value).encode('utf-8', 'surrogateescape')
    if not tid.is_variable_str() and tid.get_strpad() == h5t.STR_SPACEPAD:
        data = data.rstrip(b' ')
    return data.decode('utf-8', 'replace')


def address(object_id):
    return str(h5o.get_info(object_id).addr)


def region(reference, file):
    dataset = h5r.dereference(reference, file.id)
    space = h5r.get_region(reference, file.id)
    kind = space.get_select_type()
    names = {h5s.SEL_NONE: 'NONE', h5s.SEL_POINTS: 'POINTS', h5s.SEL_HYPERSLABS: 'HYPERSLABS', h5s.SEL_ALL: 'ALL'}
    selection = None
    if kind == h5s.SEL_POINTS:
        selection = space.get_select_elem_pointlist().tolist()
    if kind == h5s.SEL_HYPERSLABS:
        selection = [[first.tolist(), (last + 1).tolist()] for first, last in space.get_select_hyper_blocklist()]
    return {'id': address(dataset), 'select_type': 'H5S_SEL_' + names[kind], 'selection': selection}


def element(value, tid, file):
    kind = tid.get_class()
    if kind == h5t.INTEGER or kind == h5t.BITFIELD:
        return int(value)
    if kind == h5t.FLOAT:
        return float(value)
    if kind == h5t.STRING:
        return text(value, tid)
    if kind == h5t.ENUM:
        return bool(value) if is_boolean(tid) else int(value)
    if kind == h5t.OPAQUE:
        return base64.b64encode(value.tobytes().ljust(tid.get_size(), b'\0')).decode()
    if kind == h5t.COMPOUND:
        if getattr(value, 'dtype', None) is not None and value.dtype.kind == 'c':
            return [float(value.real), float(value.imag)]
        names = [tid.get_member_name(i).decode() for i in range(tid.get_nmembers())]
        return [element(value[name], tid.get_member_type(i), file) for i, name in enumerate(names)]
    if kind == h5t.ARRAY:
        return nested(value, tid.get_array_dims(), tid.get_super(), file)
    if kind == h5t.VLEN:
        return [element(item, tid.get_super(), file) for item in value]
    if kind == h5t.REFERENCE:
        if not value:
            return None
        if isinstance(value, h5r.RegionReference):
            return region(value, file)
        return address(h5r.dereference(value, file.id))
    raise TypeError(f'class {kind}')


def nested(value, dims, tid, file):
    if len(dims) == 0:
        return element(value, tid, file)
    return [nested(item, dims[1:], tid, file) for item in value]


def values(holder, read, file):
    """The values of a dataset or an attribute, or why h5py gives none."""
    tid = holder.get_type()
    if holder.get_space().get_simple_extent_type() == h5s.NULL:
        return {'null': True}
    try:
        shape = tuple(holder.shape)
        if holder.get_space().get_simple_extent_npoints() > MANY and tid.get_class() in (h5t.INTEGER, h5t.FLOAT):
            return {'sha1': hashlib.sha1(read().tobytes()).hexdigest()}
        if tid.get_class() == h5t.ARRAY:
            shape += tuple(tid.get_array_dims())
            tid = tid.get_super()
        return {'value': nested(read(), shape, tid, file)}
    except Exception as error:
        return {'unreadable': f'{type(error).__name__}: {error}'}


def committed(tid):
    return address(tid) if tid.committed() else None


def encoded(name):
    return name.encode('utf-8', 'surrogateescape')


def describe_links(group):
    found = {}
    for name in group:
        link = group.id.links.get_info(encoded(name))
        if link.type == h5py.h5l.TYPE_HARD:
            found[name] = ['hard', address(h5o.open(group.id, encoded(name)))]
        elif link.type == h5py.h5l.TYPE_SOFT:
            found[name] = ['soft', group.get(name, getlink=True).path]
        elif link.type == h5py.h5l.TYPE_EXTERNAL:
            external = group.get(name, getlink=True)
            found[name] = ['external', external.path, external.filename]
        else:
            found[name] = ['user-defined']
    return found


def describe_object(item, file):
    attributes = {}
    for index in range(h5a.get_num_attrs(item.id)):
        attribute_id = h5a.open(item.id, index=index)
        name = attribute_id.name.decode('utf-8', 'surrogateescape')
        attributes[name] = {
            'committed': committed(attribute_id.get_type()),
            **values(attribute_id, lambda: item.attrs[name], file),
        }
    described = {'attributes': attributes}
    if isinstance(item, h5py.Group):
        described.update(kind='group', links=describe_links(item))
    elif isinstance(item, h5py.Datatype):
        described.update(kind='datatype')
    else:
        plist = item.id.get_create_plist()
        described.update(
            kind='dataset',
            shape=item.shape,
            maxshape=item.maxshape,
            committed=committed(item.id.get_type()),
            chunks=item.chunks,
            layout=['H5D_COMPACT', 'H5D_CONTIGUOUS', 'H5D_CHUNKED', 'H5D_VIRTUAL'][plist.get_layout()],
            allocTime={1: 'EARLY', 2: 'LATE', 3: 'INCR'}.get(plist.get_alloc_time()),
            fillTime={0: 'ALLOC', 1: 'NEVER', 2: 'IFSET'}.get(plist.get_fill_time()),
            fillValue=fill_value(item, plist, file),
            filters=[plist.get_filter(index)[0] for index in range(plist.get_nfilters())],
            **values(item.id, lambda: item[()], file),
        )
    return described


def fill_value(item, plist, file):
    """Of datatypes of fixed size that the user gave one; h5py crashes on others."""
    tid = item.id.get_type()
    if plist.fill_value_defined() != h5d.FILL_VALUE_USER_DEFINED:
        return None
    if any(tid.detect_class(kind) for kind in (h5t.VLEN, h5t.STRING, h5t.REFERENCE)) and item.dtype.hasobject:
        return None
    return [nested(item.fillvalue, (), tid, file)]


def describe(path):
    with h5py.File(path, 'r') as file:
        objects = {}
        waiting = [file['/']]
        while waiting:
            item = waiting.pop()
            key = address(item.id)
            if key in objects:
                continue
            objects[key] = describe_object(item, file)
            if isinstance(item, h5py.Group):
                waiting.extend(item[name] for name, link in objects[key]['links'].items() if link[0] == 'hard')
        return {'root': address(file['/'].id), 'objects': objects}


for name in sys.argv[1:]:
    try:
        print(json.dumps(describe(name)))
    except Exception as problem:
        print(json.dumps({'error': f'{type(problem).__name__}: {problem}'}))
