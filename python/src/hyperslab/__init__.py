"""A client for Hyperslab in the words of h5py.

    import hyperslab

    server = hyperslab.connect('http://127.0.0.1:5101', user='ann:ann-secret')
    with server.open('/lab/run7.h5', 'r+') as domain:
        print(domain['frames'][-1])
"""

from ._async import AsyncDomain
from ._attributes import Attributes, Empty
from ._batches import iter_batches
from ._connection import HyperslabError, NotFoundError, Server, connect
from ._dataset import Dataset
from ._domain import Domain
from ._feed import Event
from ._group import Datatype, ExternalLink, Group, HardLink, SoftLink
from ._serve import serve
from ._types import enum_dtype, string_dtype, vlen_dtype

__all__ = [
    'AsyncDomain',
    'Attributes',
    'Dataset',
    'Datatype',
    'Domain',
    'Empty',
    'Event',
    'ExternalLink',
    'Group',
    'HardLink',
    'HyperslabError',
    'NotFoundError',
    'Server',
    'SoftLink',
    'connect',
    'enum_dtype',
    'iter_batches',
    'serve',
    'string_dtype',
    'vlen_dtype',
]
