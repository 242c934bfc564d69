import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { checkLayers, importsOf, violation } from './check-layers.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

describe('the layers of the project', () => {
  it('hold for every import of every .ts file', () => {
    expect(checkLayers(root)).toEqual([])
  })

  it.each([
    ['src/hdf5/acl.ts', '../errors.ts', undefined],
    ['src/hdf5/acl.ts', 'node:fs', 'may not import node:fs'],
    ['src/hdf5/acl.ts', 'lmdb', 'may not import the package lmdb'],
    ['src/hdf5/acl.ts', '../storage/store.ts', 'may not import src/storage/store.ts'],
    ['src/hdf5/acl.test.ts', 'node:fs', undefined],
    ['src/filters/deflate.ts', 'node:zlib', undefined],
    ['src/filters/deflate.ts', 'node:fs', 'may not import node:fs'],
    ['src/service/links/links.ts', '../../storage/engine.ts', 'may not import src/storage/engine.ts'],
    ['src/service/links/links.ts', '../../storage/store.ts', 'only types'],
    ['src/service/links/links.test.ts', '../storage/open-store.ts', undefined],
    ['src/http/server.ts', '../storage/store.ts', 'may not import src/storage/store.ts'],
    ['src/http/server.ts', '../cli/config.ts', 'nothing may import src/cli/'],
    ['src/http/server.test.ts', '../cli/config.ts', 'nothing may import src/cli/'],
    ['src/cli/serve/serve.ts', '../storage/open-store.ts', undefined],
    ['test/wire/links.ts', '../../src/errors.ts', 'may not import src/errors.ts'],
    ['test/wire/links.test.ts', '../../src/errors.ts', 'may not import src/errors.ts'],
    ['test/clients/h5web.test.ts', '../../src/errors.ts', 'may not import src/errors.ts'],
    ['other/page.ts', './x.ts', 'belongs to no layer'],
  ])('%s importing %s: %s', (file, specifier, message) => {
    const found = violation(file, { specifier, line: 1, typeOnly: false })
    if (message === undefined) expect(found).toBeUndefined()
    else expect(found).toContain(message)
  })

  it('let the service import the types of the store', () => {
    const entry = { specifier: '../../storage/store.ts', line: 1, typeOnly: true }
    expect(violation('src/service/links/links.ts', entry)).toBeUndefined()
  })

  it('are checked for every form of import, and not in comments', () => {
    const source = [
      "import { a } from './a.ts'",
      "import type { B } from './b.ts'",
      'import {',
      '  c,',
      "} from './c.ts'",
      "import './d.ts'",
      "export * from './e.ts'",
      "export type { F } from './f.ts'",
      "const g = await import('./g.ts')",
      "// import './comment.ts'",
      "/* import './comment.ts' */",
    ].join('\n')
    expect(importsOf(source)).toEqual([
      { specifier: './a.ts', line: 1, typeOnly: false },
      { specifier: './b.ts', line: 2, typeOnly: true },
      { specifier: './c.ts', line: 5, typeOnly: false },
      { specifier: './d.ts', line: 6, typeOnly: false },
      { specifier: './e.ts', line: 7, typeOnly: false },
      { specifier: './f.ts', line: 8, typeOnly: true },
      { specifier: './g.ts', line: 9, typeOnly: false },
    ])
  })
})
