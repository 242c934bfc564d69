import { expect, it } from 'vitest'
import { namesToTry } from './file-names.ts'

it.each([
  ['x.h5', ['x.h5']],
  ['./raw/x.h5', ['./raw/x.h5']],
  ['../x.h5', ['../x.h5']],
  ['.', ['.']],
  ['', ['']],
  ['hdf5://lab/x.h5', ['hdf5://lab/x.h5']],
  ['a\\b.h5', ['a\\b.h5']],
  ['/x.h5', ['/x.h5', 'x.h5']],
  ['/beam line/Röntgen/日本.h5', ['/beam line/Röntgen/日本.h5', '日本.h5']],
  ['//raw//x.h5', ['//raw//x.h5', 'x.h5']],
  ['/raw/a\\b.h5', ['/raw/a\\b.h5', 'a\\b.h5']],
  ['/raw/line\nbreak/x.h5', ['/raw/line\nbreak/x.h5', 'x.h5']],
  ['/raw/', ['/raw/']],
  ['C:\\raw\\x.h5', ['C:\\raw\\x.h5', 'x.h5']],
  ['d:/raw/x.h5', ['d:/raw/x.h5', 'x.h5']],
  ['\\\\server\\share\\x.h5', ['\\\\server\\share\\x.h5', 'x.h5']],
])('the file %j is looked for as %j', (name, names) => {
  expect(namesToTry(name)).toEqual(names)
})
