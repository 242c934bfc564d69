import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { checkArchitecture, missingPaths } from './check-architecture.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const FOLDERS = ['packages', 'scripts', 'test', 'pages', 'bench']
const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')

describe('ARCHITECTURE.md', () => {
  it('draws the layers and lists what each may import', () => {
    expect(checkArchitecture(page)).toEqual([])
  })

  it('names files that exist, and so do the READMEs and CONTRIBUTING.md', () => {
    const files = FOLDERS.flatMap(folder =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
        path => `/${folder}/${path}`,
      ),
    )
    const exists = (path: string) =>
      [path, `${path}.ts`].some(named => existsSync(join(root, named))) ||
      files.some(file => file.endsWith(`/${path}`))
    const readmes = readdirSync(join(root, 'packages')).map(name => `packages/${name}/README.md`)
    for (const name of ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'test/world/README.md', ...readmes])
      expect(missingPaths(readFileSync(join(root, name), 'utf8'), exists), name).toEqual([])
    expect(missingPaths('`test/{a,b}.ts`, `pages/c` and `d.ts`', path => path === 'test/a.ts')).toEqual([
      'test/b.ts',
      'pages/c',
      'd.ts',
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
