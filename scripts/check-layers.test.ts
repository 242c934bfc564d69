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
    ['packages/model/names/acl.ts', '@hyperslab/base/errors', undefined],
    ['packages/model/names/acl.ts', '../../base/errors.ts', 'may not import packages/base/errors.ts'],
    ['packages/model/names/acl.ts', 'node:fs', 'may not import node:fs'],
    ['packages/model/names/acl.ts', 'lmdb', 'may not import the package lmdb'],
    ['packages/model/names/acl.ts', '@hyperslab/store/store', 'may not import @hyperslab/store/store'],
    ['packages/model/names/acl.test.ts', 'node:fs', undefined],
    ['packages/store/chunks/native-codecs.ts', 'node:zlib', undefined],
    ['packages/h5/filters/deflate.ts', 'node:zlib', 'may not import node:zlib'],
    ['packages/h5/filters/deflate.ts', 'node:fs', 'may not import node:fs'],
    ['packages/server/service/links/links.ts', '@hyperslab/store/engines', 'may not import @hyperslab/store'],
    ['packages/server/service/links/links.ts', '@hyperslab/store/store', 'only types'],
    ['packages/server/service/links/links.test.ts', '@hyperslab/store/engines', undefined],
    ['packages/server/http/server.ts', '@hyperslab/store/store', 'only types'],
    ['packages/server/http/server.ts', '../cli/config.ts', 'nothing may import packages/server/cli/'],
    ['packages/server/http/server.test.ts', '../cli/config.ts', 'nothing may import packages/server/cli/'],
    ['packages/server/cli/serve/serve.ts', '@hyperslab/store/engines', undefined],
    ['test/wire/links.ts', '@hyperslab/base/errors', 'may not import @hyperslab/base/errors'],
    ['test/wire/links.test.ts', '../../packages/base/errors.ts', 'may not import packages/base/errors.ts'],
    ['test/clients/h5web.test.ts', '../../packages/base/errors.ts', 'may not import packages/base'],
    ['other/page.ts', './x.ts', 'belongs to no layer'],
  ])('%s importing %s: %s', (file, specifier, message) => {
    const found = violation(file, { specifier, line: 1, typeOnly: false })
    if (message === undefined) expect(found).toBeUndefined()
    else expect(found).toContain(message)
  })

  it('let the service import the types of the store', () => {
    const entry = { specifier: '@hyperslab/store/store', line: 1, typeOnly: true }
    expect(violation('packages/server/service/links/links.ts', entry)).toBeUndefined()
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
