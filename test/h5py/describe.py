# Describes HDF5 files as libhdf5 reads them, one JSON line per file named on the command line: every object by its
# address, with links, attributes, types, creation properties, chunks and values. compare-file.ts compares a reader of
# ours with it.
#
# Objects are opened with h5py's low-level interface; values are read by H5Dread and H5Aread themselves, into memory of
# the type that the model stores (storage form), so that no conversion of h5py or numpy takes part. A file is
# described in a process of its own: the library crashes on some.

import codecs
import ctypes
import hashlib
import json
import os
import re
import resource
import signal
import sys

# Read once, when the library is loaded. Locks would need the right to write; raw files are beside the file that names
# them.
os.environ['HDF5_USE_FILE_LOCKING'] = 'FALSE'
os.environ['HDF5_EXTFILE_PREFIX'] = '${ORIGIN}'

import h5py
import numpy
from h5py import h5a, h5d, h5f, h5g, h5i, h5o, h5p, h5s, h5t

# Of larger datasets, boxes of this many elements at both ends are read: of types of fixed size, of others, and those of
# this many chunks.
MOST_ELEMENTS = 1 << 20
MOST_VARIABLE = 20_000
MOST_READ_CHUNKS = 10_000
MOST_BYTES = 64 << 20
MOST_CHUNKS = 2000
# This many chunks are found by their numbers. Of more, which takes long, by looking at each place where one can be, if
# these are not too many.
FEW_CHUNKS = 10
MOST_PLACES = 20_000
MOST_OBJECTS = 4000
# Of values, this many elements are told beside the digest of all.
TOLD = 12
SECONDS = int(os.environ.get('HYPERSLAB_DESCRIBE_SECONDS', '100'))
MEMORY = 6 << 30

hid_t = ctypes.c_int64


class ErrorEntry(ctypes.Structure):
    _fields_ = [('cls', hid_t), ('major', hid_t), ('minor', hid_t), ('line', ctypes.c_uint),
                ('function', ctypes.c_char_p), ('file', ctypes.c_char_p), ('text', ctypes.c_char_p)]

# A byte that fits no character, as the service shows it.
codecs.register_error('escape', lambda e: (''.join('\ufffdx%02x' % byte for byte in e.object[e.start:e.end]), e.end))


def load_library():
    """The very library that h5py uses."""
    with open('/proc/self/maps') as maps:
        paths = {line.split()[-1] for line in maps}
    found = [path for path in paths if re.search(r'/libhdf5(?!.*_hl)[^/]*\.so', path)]
    return ctypes.CDLL(found[0])


LIBRARY = load_library()
WALKER = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint, ctypes.POINTER(ErrorEntry), ctypes.c_void_p)
LIBRARY.H5Dread.argtypes = [hid_t, hid_t, hid_t, hid_t, hid_t, ctypes.c_void_p]
LIBRARY.H5Aread.argtypes = [hid_t, hid_t, ctypes.c_void_p]
LIBRARY.H5Pget_fill_value.argtypes = [hid_t, hid_t, ctypes.c_void_p]
LIBRARY.H5Ewalk2.argtypes = [hid_t, ctypes.c_int, WALKER, ctypes.c_void_p]
LIBRARY.H5Dget_chunk_storage_size.argtypes = [hid_t, ctypes.POINTER(ctypes.c_uint64), ctypes.POINTER(ctypes.c_uint64)]
LIBRARY.H5Tget_order.argtypes = [hid_t]
LIBRARY.H5Oget_comment.argtypes = [hid_t, ctypes.c_char_p, ctypes.c_size_t]
LIBRARY.H5Oget_comment.restype = ctypes.c_ssize_t
LIBRARY.H5Rdereference2.argtypes = [hid_t, hid_t, ctypes.c_int, ctypes.c_void_p]
LIBRARY.H5Rdereference2.restype = hid_t
LIBRARY.H5Rget_region.argtypes = [hid_t, ctypes.c_int, ctypes.c_void_p]
LIBRARY.H5Rget_region.restype = hid_t
REGION = 1
# Of HDF5 1.12: an opaque structure in memory, of 64 bytes.
HAS_NEW_REFERENCES = hasattr(LIBRARY, 'H5Ropen_object')
if HAS_NEW_REFERENCES:
    LIBRARY.H5Ropen_object.argtypes = [ctypes.c_void_p, hid_t, hid_t]
    LIBRARY.H5Ropen_object.restype = hid_t



class Unreadable(Exception):
    pass


class Unsupported(Exception):
    """The model has no such type."""


def error_text():
    texts = []

    def walk(_, entry, __):
        texts.append((entry[0].text or b'').decode('utf-8', 'replace'))
        return 0

    LIBRARY.H5Ewalk2(0, 0, WALKER(walk), None)
    return ' <- '.join(texts[:4]) or 'it failed'


def check(status):
    if status < 0:
        raise Unreadable(error_text())


def name_of(name):
    return name.decode('utf-8', 'escape')


def address(object_id):
    return str(h5o.get_info(object_id).addr)


# Types


class Storage:
    """How elements of a type are stored by the model: its name, the memory type to read, and the text of an element."""

    def __init__(self, name, memory, text=None):
        self.name = name
        self.memory = memory
        self.size = memory.get_size()
        # Without: the packed bytes say all.
        self.is_plain = text is None
        self.text = text or (lambda at: ctypes.string_at(at, self.size).hex())


ORDERS = {h5t.ORDER_LE: '<', h5t.ORDER_BE: '>'}
CHARSETS = {h5t.CSET_ASCII: 'ascii', h5t.CSET_UTF8: 'utf8'}
PADDINGS = {h5t.STR_NULLTERM: 'term', h5t.STR_NULLPAD: 'null', h5t.STR_SPACEPAD: 'space'}
INTEGERS = {
    (size, signed, order): getattr(h5t, f'STD_{"I" if signed else "U"}{8 * size}{"LE" if order == "<" else "BE"}')
    for size in (1, 2, 4, 8) for signed in (True, False) for order in '<>'
}
# Sign position, exponent position and size, mantissa position and size, bias.
IEEE = {2: (15, 10, 5, 0, 10, 15), 4: (31, 23, 8, 0, 23, 127), 8: (63, 52, 11, 0, 52, 1023)}
IEEE_TYPES = {(4, '<'): h5t.IEEE_F32LE, (4, '>'): h5t.IEEE_F32BE, (8, '<'): h5t.IEEE_F64LE, (8, '>'): h5t.IEEE_F64BE}


def storage(tid, file, depth=0):
    if depth > 32:
        raise Unsupported('it is too deep')
    kind = tid.get_class()
    size = tid.get_size()
    if kind == h5t.INTEGER:
        return integer(tid, size)
    if kind == h5t.FLOAT:
        return floating(tid, size)
    if kind == h5t.TIME:
        if size not in (1, 2, 4, 8):
            raise Unsupported('time')
        return Storage(f'i{size}{order_of(tid, size)}', tid.copy())
    if kind == h5t.BITFIELD:
        if size not in (1, 2, 4, 8):
            raise Unsupported('bitfield')
        return Storage(f'b{size}{order_of(tid, size)}', tid.copy())
    if kind == h5t.STRING:
        shape = f'{CHARSETS.get(tid.get_cset(), "?")}:{PADDINGS.get(tid.get_strpad(), "?")}'
        if tid.is_variable_str():
            return Storage(f'vS:{shape}', tid.copy(), variable_string)
        # Bytes behind the first NUL are no part of the string: the library drops them where it converts.
        memory = tid.copy()
        if tid.get_strpad() == h5t.STR_NULLTERM:
            memory.set_strpad(h5t.STR_NULLPAD)
        return Storage(f'S{size}:{shape}', memory)
    if kind == h5t.OPAQUE:
        return Storage(f'opaque({size},{name_of(tid.get_tag() or b"")})', tid.copy())
    if kind == h5t.ENUM:
        base = integer(tid.get_super(), size)
        members = [(name_of(tid.get_member_name(i)), enum_value(tid, i)) for i in range(tid.get_nmembers())]
        listed = ','.join(f'{name}={value}' for name, value in sorted(members))
        return Storage(f'enum({base.name},{listed})', tid.copy())
    if kind == h5t.COMPOUND:
        return compound(tid, file, depth)
    if kind == h5t.ARRAY:
        return array(tid, file, depth)
    if kind == h5t.VLEN:
        return sequence(tid, file, depth)
    if kind == h5t.REFERENCE:
        return reference(tid, file)
    raise Unsupported(f'class {kind}')


def enum_value(tid, index):
    value = tid.get_member_value(index)
    bits = 8 * tid.get_size()
    if tid.get_super().get_sign() == h5t.SGN_NONE:
        return value % 2 ** bits
    return value


def order_of(tid, size):
    # h5py gives no order of times.
    return '|' if size == 1 else ORDERS.get(LIBRARY.H5Tget_order(tid.id), '<')


def integer(tid, size):
    full = next((width for width in (1, 2, 4, 8) if width >= size), None)
    order = ORDERS.get(tid.get_order(), '<')
    if full is None:
        raise Unsupported(f'an integer of {size} bytes')
    signed = tid.get_sign() != h5t.SGN_NONE
    name = f'{"i" if signed else "u"}{full}{"|" if full == 1 else order}'
    is_whole = full == size and tid.get_precision() == 8 * size and tid.get_order() in ORDERS
    return Storage(name, tid.copy() if is_whole else INTEGERS[full, signed, order])


def floating(tid, size):
    order = ORDERS.get(tid.get_order())
    sign, exponent, exponent_size, mantissa, mantissa_size = tid.get_fields()
    fields = (sign, exponent, exponent_size, mantissa, mantissa_size, tid.get_ebias())
    if order and IEEE.get(size) == fields and tid.get_norm() == h5t.NORM_IMPLIED:
        return Storage(f'f{size}{order}', tid.copy())
    bits = mantissa_size - (tid.get_norm() != h5t.NORM_IMPLIED)
    bias = tid.get_ebias()
    fits = bits <= 23 and 2 ** exponent_size - 2 - bias <= 127 and 1 - bias - bits >= 1 - 127 - 23
    width = 4 if fits else 8
    return Storage(f'f{width}{order or "<"}', IEEE_TYPES[width, order or '<'])


def variable_string(at):
    pointer = ctypes.cast(at, ctypes.POINTER(ctypes.c_void_p))[0]
    return f'"{ctypes.string_at(pointer).hex() if pointer else ""}"'


def compound(tid, file, depth):
    names = [name_of(tid.get_member_name(i)) for i in range(tid.get_nmembers())]
    members = [storage(tid.get_member_type(i), file, depth + 1) for i in range(tid.get_nmembers())]
    memory = h5t.create(h5t.COMPOUND, max(1, sum(member.size for member in members)))
    offsets = []
    offset = 0
    for index, member in enumerate(members):
        memory.insert(tid.get_member_name(index), offset, member.memory)
        offsets.append(offset)
        offset += member.size
    name = '{' + ','.join(f'{name}:{member.name}' for name, member in zip(names, members)) + '}'
    if all(member.is_plain for member in members):
        return Storage(name, memory)
    return Storage(
        name, memory,
        lambda at: '(' + ','.join(member.text(at + offset) for member, offset in zip(members, offsets)) + ')',
    )


def array(tid, file, depth):
    base = storage(tid.get_super(), file, depth + 1)
    dims = tid.get_array_dims()
    name = f'[{"x".join(map(str, dims))}]{base.name}'
    memory = h5t.array_create(base.memory, dims)
    if base.is_plain:
        return Storage(name, memory)
    count = int(numpy.prod(dims))
    return Storage(
        name, memory, lambda at: '[' + ','.join(base.text(at + i * base.size) for i in range(count)) + ']'
    )


def sequence(tid, file, depth):
    base = storage(tid.get_super(), file, depth + 1)

    def text(at):
        length, pointer = ctypes.cast(at, ctypes.POINTER(ctypes.c_size_t))[0:2]
        return '<' + ','.join(base.text(pointer + i * base.size) for i in range(length)) + '>'

    return Storage(f'vl({base.name})', h5t.vlen_create(base.memory), text)


def reference(tid, file):
    if tid.equal(h5t.STD_REF_OBJ):

        def text(at):
            target = ctypes.cast(at, ctypes.POINTER(ctypes.c_uint64))[0]
            return f'@{target}' if target not in (0, 2 ** 64 - 1) else '@null'

        return Storage('ref', tid.copy(), text)
    if tid.equal(h5t.STD_REF_DSETREG):
        return Storage('region', tid.copy(), lambda at: region(at, file))
    if HAS_NEW_REFERENCES:
        return Storage('ref', tid.copy(), new_reference)
    raise Unsupported('a reference of HDF5 1.12')


def new_reference(at):
    """The object alone: the type holds references to regions and attributes as well, the model that of objects."""
    if not any(ctypes.string_at(at, 64)):
        return '@null'
    target = LIBRARY.H5Ropen_object(at, 0, 0)
    check(target)
    return f'@{address(h5g.GroupID(target))}'


def region(at, file):
    if not any(ctypes.string_at(at, 12)):
        return 'R@null'
    dataset = LIBRARY.H5Rdereference2(file.id, 0, REGION, at)
    check(dataset)
    space_id = LIBRARY.H5Rget_region(file.id, REGION, at)
    check(space_id)
    return f'R@{address(h5d.DatasetID(dataset))}:{selection(h5s.SpaceID(space_id))}'


def selection(space):
    kind = space.get_select_type()
    if kind == h5s.SEL_POINTS:
        points = space.get_select_elem_pointlist().tolist()
        return 'POINTS:' + ';'.join(','.join(map(str, point)) for point in points)
    if kind == h5s.SEL_HYPERSLABS:
        blocks = [
            f'{",".join(map(str, first))}-{",".join(map(str, last))}'
            for first, last in space.get_select_hyper_blocklist().tolist()
        ]
        return 'HYPERSLABS:' + ';'.join(sorted(blocks))
    return 'ALL' if kind == h5s.SEL_ALL else 'NONE'


# Values


def told_elements(stored, buffer, count):
    """Bytes of fixed size: their digest and the first ones; others: the same of the texts of the elements."""
    if stored.is_plain:
        data = bytes(memoryview(buffer)[:count * stored.size])
        return {'sha1': hashlib.sha1(data).hexdigest(), 'head': data[:64].hex()}
    at = ctypes.addressof(buffer)
    texts = [stored.text(at + i * stored.size) for i in range(count)]
    return {
        'sha1': hashlib.sha1('\n'.join(texts).encode()).hexdigest(),
        'head': [text[:300] for text in texts[:TOLD]],
    }


def attribute_value(attribute, stored, space):
    count = int(space.get_simple_extent_npoints())
    if count * stored.size > MOST_BYTES:
        raise Unreadable(f'{count} elements are too many to compare')
    buffer = ctypes.create_string_buffer(max(1, count * stored.size))
    if count > 0:
        check(LIBRARY.H5Aread(attribute.id, stored.memory.id, buffer))
    return told_elements(stored, buffer, count)


def boxes_of(shape, limit):
    """All of it, or a box at each end of about that number of elements."""
    counts = []
    left = limit
    for extent in reversed(shape):
        counts.insert(0, min(extent, max(1, left)))
        left //= max(1, extent)
    if 0 in shape:
        return [([0] * len(shape), list(shape))]
    first = ([0] * len(shape), counts)
    last = ([extent - count for extent, count in zip(shape, counts)], counts)
    return [first] if first == last else [first, last]


def dataset_values(dataset, stored, space):
    kind = space.get_simple_extent_type()
    shape = space.get_simple_extent_dims() if kind == h5s.SIMPLE else ()
    limit = min(MOST_ELEMENTS if stored.is_plain else MOST_VARIABLE, MOST_BYTES // stored.size)
    plist = dataset.get_create_plist()
    if plist.get_layout() == h5d.CHUNKED:
        limit = min(limit, MOST_READ_CHUNKS * int(numpy.prod(plist.get_chunk(), dtype=object)))
    told = []
    for start, count in boxes_of(shape, max(1, limit)):
        number = int(numpy.prod(count, dtype=object)) if count else 1
        buffer = ctypes.create_string_buffer(max(1, number * stored.size))
        box = {'start': start, 'count': count}
        try:
            if number > 0:
                file_space = space.copy()
                if count:
                    file_space.select_hyperslab(tuple(start), tuple(count))
                memory_space = h5s.create_simple((number,))
                check(LIBRARY.H5Dread(dataset.id, stored.memory.id, memory_space.id, file_space.id, 0, buffer))
            told.append({**box, **told_elements(stored, buffer, number)})
        except Unreadable as error:
            told.append({**box, 'unreadable': str(error)})
    return told


def described_space(space, file):
    kind = space.get_simple_extent_type()
    if kind == h5s.NULL:
        return {'class': 'null'}
    if kind == h5s.SCALAR:
        return {'class': 'scalar'}
    maxima = space.get_simple_extent_dims(True)
    # Unlimited is all ones, in as many bytes as lengths take; libhdf5 takes that for a number if they are fewer than 8.
    limit = 2 ** (8 * file.get_create_plist().get_sizes()[1]) - 1
    return {
        'class': 'simple',
        'dims': list(map(str, space.get_simple_extent_dims())),
        'maxdims': [None if extent < 0 or extent == limit else str(extent) for extent in maxima],
    }


def described_type(holder, file):
    """The type of a dataset or attribute, how the model stores it, and the committed type that it uses."""
    tid = holder if isinstance(holder, h5t.TypeID) else holder.get_type()
    found = {'committed': address(tid) if tid.committed() else None}
    try:
        stored = storage(tid, file)
        return {**found, 'type': stored.name}, stored
    except Unsupported as error:
        return {**found, 'unsupported': str(error)}, None


# Objects


def described_attributes(holder, file):
    attributes = []
    for index in range(h5a.get_num_attrs(holder)):
        try:
            attribute = h5a.open(holder, index=index)
        except Exception as error:
            attributes.append({'unopenable': message(error)})
            continue
        told = {'name': name_of(attribute.name)}
        attributes.append(told)
        try:
            space = attribute.get_space()
            told['space'] = described_space(space, file)
            found, stored = described_type(attribute, file)
            told.update(found)
            if stored and told['space']['class'] != 'null':
                told['value'] = attribute_value(attribute, stored, space)
        except Exception as error:
            told['unreadable'] = message(error)
    return attributes


def described_links(group, waiting):
    tracked = group.get_create_plist().get_link_creation_order() & h5p.CRT_ORDER_TRACKED
    found = []
    order = h5py.h5.INDEX_CRT_ORDER if tracked else h5py.h5.INDEX_NAME
    group.links.iterate(lambda name, info: found.append((name, info.type)), idx_type=order, info=True)
    links = []
    for name, kind in found:
        told = {'name': name_of(name)}
        links.append(told)
        try:
            if kind == h5py.h5l.TYPE_HARD:
                target = h5o.open(group, name)
                told['hard'] = address(target)
                waiting.append(target)
            elif kind == h5py.h5l.TYPE_SOFT:
                told['soft'] = name_of(group.links.get_val(name))
            elif kind == h5py.h5l.TYPE_EXTERNAL:
                file_name, path = group.links.get_val(name)
                told['external'] = [name_of(path), name_of(file_name)]
            else:
                told['user'] = kind
        except Exception as error:
            told['unopenable'] = message(error)
    return links


LAYOUTS = {h5d.COMPACT: 'H5D_COMPACT', h5d.CONTIGUOUS: 'H5D_CONTIGUOUS', h5d.CHUNKED: 'H5D_CHUNKED', h5d.VIRTUAL: 'H5D_VIRTUAL'}
ALLOC_TIMES = {h5d.ALLOC_TIME_EARLY: 'H5D_ALLOC_TIME_EARLY', h5d.ALLOC_TIME_LATE: 'H5D_ALLOC_TIME_LATE', h5d.ALLOC_TIME_INCR: 'H5D_ALLOC_TIME_INCR'}
FILL_TIMES = {h5d.FILL_TIME_ALLOC: 'H5D_FILL_TIME_ALLOC', h5d.FILL_TIME_NEVER: 'H5D_FILL_TIME_NEVER', h5d.FILL_TIME_IFSET: 'H5D_FILL_TIME_IFSET'}


def described_dataset(dataset, file):
    space = dataset.get_space()
    plist = dataset.get_create_plist()
    found, stored = described_type(dataset, file)
    told = {
        'space': described_space(space, file),
        **found,
        'layout': LAYOUTS.get(plist.get_layout()),
        'chunks': list(plist.get_chunk()) if plist.get_layout() == h5d.CHUNKED else None,
        'allocTime': ALLOC_TIMES.get(plist.get_alloc_time()),
        'fillTime': FILL_TIMES.get(plist.get_fill_time()),
        'filters': [plist.get_filter(index)[0] for index in range(plist.get_nfilters())],
        'external': plist.get_external_count(),
        'fill': None,
    }
    if stored and plist.fill_value_defined() == h5d.FILL_VALUE_USER_DEFINED:
        buffer = ctypes.create_string_buffer(stored.size)
        if LIBRARY.H5Pget_fill_value(plist.id, stored.memory.id, buffer) >= 0:
            told['fill'] = told_elements(stored, buffer, 1)
    if told['layout'] == 'H5D_CHUNKED' and told['space']['class'] == 'simple':
        told['stored'] = stored_chunks(dataset, told['space'])
    if stored and told['space']['class'] != 'null':
        told['values'] = dataset_values(dataset, stored, space)
    return told


def is_swizzled(space):
    """Of a dataset that grows along one dimension, not the first, libhdf5 tells the wrong offsets of chunks by their number."""
    growing = [index for index, extent in enumerate(space['maxdims']) if extent is None]
    return len(growing) == 1 and growing != [0]


def stored_chunks(dataset, space):
    """The offset of each; None of very many."""
    try:
        number = dataset.get_num_chunks()
        if number > MOST_CHUNKS:
            return None
        chunk = dataset.get_create_plist().get_chunk()
        grid = [-(-int(extent) // size) for extent, size in zip(space['dims'], chunk)]
        if number > FEW_CHUNKS and numpy.prod(grid, dtype=object) <= MOST_PLACES:
            offsets = [[index * size for index, size in zip(place, chunk)] for place in numpy.ndindex(*grid)]
            found = [offset for offset in offsets if is_stored(dataset, offset)]
            if len(found) == number:
                return found
        # libhdf5 counts from the first chunk for each of them.
        return None if is_swizzled(space) else [list(dataset.get_chunk_info(index).chunk_offset) for index in range(number)]
    except Exception:
        return None


def is_stored(dataset, offset):
    size = ctypes.c_uint64()
    place = (ctypes.c_uint64 * len(offset))(*offset)
    # Some libraries fail where there is no chunk, others tell no size.
    return LIBRARY.H5Dget_chunk_storage_size(dataset.id, place, ctypes.byref(size)) >= 0 and size.value > 0


def described_object(item, file, waiting):
    told = {'attributes': described_attributes(item, file)}
    length = LIBRARY.H5Oget_comment(item.id, None, 0)
    if length > 0:
        comment = ctypes.create_string_buffer(length + 1)
        LIBRARY.H5Oget_comment(item.id, comment, length + 1)
        told['comment'] = name_of(comment.value)
    kind = h5i.get_type(item)
    if kind == h5i.GROUP:
        told.update(kind='group', links=described_links(item, waiting))
    elif kind == h5i.DATATYPE:
        found, _ = described_type(item, file)
        told.update(kind='datatype', **found)
    else:
        told.update(kind='dataset', **described_dataset(item, file))
    return told


def describe(path):
    access = h5p.create(h5p.FILE_ACCESS)
    try:
        file = h5f.open(path.encode(), h5f.ACC_RDONLY, access)
    except OSError as error:
        return {'error': message(error)}
    root = h5g.open(file, b'/')
    objects = {}
    waiting = [root]
    while waiting and len(objects) < MOST_OBJECTS:
        item = waiting.pop(0)
        key = address(item)
        if key in objects:
            continue
        objects[key] = {}
        try:
            objects[key].update(described_object(item, file, waiting))
        except Exception as error:
            objects[key]['unreadable'] = message(error)
    return {'root': address(root), 'objects': objects, 'truncated': len(waiting) > 0}


def message(error):
    return f'{type(error).__name__}: {error}'


def describe_each(paths, output):
    """A line of JSON for each file."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    for path in paths:
        signal.alarm(SECONDS)
        try:
            line = json.dumps(describe(path))
        except BaseException as error:
            line = json.dumps({'failed': message(error)})
        print(line, file=output, flush=True)


def describe_in_children(paths):
    """Prints a line for each file, whatever happens. One process describes many files, until one of them ends it."""
    waiting = list(paths)
    while waiting:
        receiver, sender = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(receiver)
            with os.fdopen(sender, 'w') as output:
                describe_each(waiting, output)
            os._exit(0)
        os.close(sender)
        with os.fdopen(receiver) as lines:
            for line in lines:
                if line.endswith('\n'):
                    print(line, end='', flush=True)
                    waiting.pop(0)
        _, status = os.waitpid(child, 0)
        if waiting:
            print(json.dumps({'failed': f'libhdf5 ended with status {status}'}), flush=True)
            waiting.pop(0)


if __name__ == '__main__':
    describe_in_children(sys.argv[1:] or [line.rstrip('\n') for line in sys.stdin])
