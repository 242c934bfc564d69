import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { checkArchitecture, missingPaths } from './check-architecture.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')

describe('ARCHITECTURE.md', () => {
  it('draws the layers and lists what each may import', () => {
    expect(checkArchitecture(page)).toEqual([])
  })

  it('names files that exist', () => {
    const exists = (path: string) => existsSync(join(root, path)) || existsSync(join(root, `${path}.ts`))
    expect(missingPaths(page, exists)).toEqual([])
    expect(missingPaths('`test/{a,b}.ts` and `pages/c`', path => path === 'test/a.ts')).toEqual([
      'test/b.ts',
      'pages/c',
    ])
  })

  it.each([
    ['h5\nmodel', 'h5', ['the drawing lacks model']],
    ['model\n', 'model other\n', ['the drawing has other, which is not a part']],
    ['h5\nmodel\n', 'h5   model\n', ['h5 may import model, which is not drawn below it']],
  ])('with %j as %j differs from the layers', (part, instead, faults) => {
    expect(page).toContain(part)
    expect(checkArchitecture(page.replace(part, instead))).toEqual(faults)
  })
})
