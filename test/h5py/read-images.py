# Prints of each image that is named a line of JSON: of TIFF what tifffile reads, the dtype, the shape and the elements;
# of PNG the red, green, blue and alpha of its pixels, as Pillow reads them.
import json
import sys

import numpy
import tifffile
from PIL import Image

for name in sys.argv[1:]:
    if name.endswith('.tiff'):
        array = tifffile.imread(name)
    else:
        array = numpy.asarray(Image.open(name).convert('RGBA'))
    print(json.dumps({'dtype': array.dtype.str, 'shape': array.shape, 'elements': repr(array.tolist())}))
