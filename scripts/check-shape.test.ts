import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { checkShape, cycles, longFunctions } from './check-shape.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

describe('the shape of the packages', () => {
  it('holds in every file and folder', () => {
    expect(checkShape(root)).toEqual([])
  })

  it('is that of functions of 60 lines at most, whatever form they have', () => {
    const body = 'f()\n'.repeat(59)
    expect(longFunctions('a.ts', `function a() {\n${body}}`)).toEqual(['a.ts: a has 61 lines'])
    expect(longFunctions('a.ts', `const b = (): void => {\n${body}}`)).toEqual(['a.ts: b has 61 lines'])
    expect(longFunctions('a.tsx', `class C { d() {\n${body}} }`)).toEqual(['a.tsx: d has 61 lines'])
    expect(longFunctions('a.ts', `function e() {\n${body.slice(4)}}`)).toEqual([])
  })

  it('has no cycle, with types counted', () => {
    const sources = new Map([
      ['packages/a/x.ts', "import type { Y } from '@hyperslab/b/y'"],
      ['packages/b/y.ts', "import { z } from './z/z.ts'"],
      ['packages/b/z/z.ts', "import { x } from '../../a/x.ts'"],
      ['packages/b/other.ts', "import { z } from './z/z.ts'"],
    ])
    expect(cycles(sources)).toEqual([['packages/a/x.ts', 'packages/b/y.ts', 'packages/b/z/z.ts']])
  })
})
