import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { checkArchitecture } from './check-architecture.ts'

const page = readFileSync(join(dirname(dirname(fileURLToPath(import.meta.url))), 'ARCHITECTURE.md'), 'utf8')

describe('ARCHITECTURE.md', () => {
  it('draws the layers and lists what each may import', () => {
    expect(checkArchitecture(page)).toEqual([])
  })

  it.each([
    ['transfer       accounts', 'transfer', ['the drawing lacks accounts']],
    ['hdf5           s3', 'hdf5 s3 other', ['the drawing has other, which is not a layer']],
    [
      'test/wire      web            mounts\ntransfer',
      'test/wire web\nmounts transfer',
      ['mounts may import transfer, which is not drawn below it'],
    ],
    ['| `src/s3/` |', '| `s3` |', ['the table lacks src/s3/']],
    [
      '| `hdf5`, `errors` |',
      '| `hdf5`, `s3` |',
      [
        'the table does not say that src/filters/ may import errors',
        'the table says that src/filters/ may import s3',
      ],
    ],
  ])('with %j as %j differs from the layers', (part, instead, faults) => {
    expect(page).toContain(part)
    expect(checkArchitecture(page.replace(part, instead))).toEqual(faults)
  })
})
