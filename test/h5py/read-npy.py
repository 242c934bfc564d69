# Prints of each file of NumPy that is named a line of JSON: its dtype, its shape, and its elements as NumPy writes
# them.
import json
import sys

import numpy

for name in sys.argv[1:]:
    # Long headers are safe to read from files that one has made.
    array = numpy.load(name, allow_pickle=False, max_header_size=10**7)
    dtype = array.dtype.descr if array.dtype.names else array.dtype.str
    print(json.dumps({'dtype': repr(dtype), 'shape': array.shape, 'elements': repr(array.tolist())}))
