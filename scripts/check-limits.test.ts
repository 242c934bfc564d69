import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { checkLimits, compareLimits, findLimits } from './check-limits.ts'

const SOURCE = `
const MAX_NAMES = 250_000
export const FILES_AT_ONCE: number = 64
const PIECES = 3
class Names {
  readonly #kept = new BoundedMap<string, Kept>(2 * MAX_NAMES, { weightOf: () => 1 })
  readonly #found: BoundedMap<string, Found>
  constructor(limit: number) {
    this.#found = new BoundedMap(limit)
  }
}
`
const LIMITS = findLimits('packages/names.ts', SOURCE)
const ROWS = [
  '| `packages/names.ts` `MAX_NAMES` | `250_000` | names | memory | some 16 MB |',
  '| `packages/names.ts` `FILES_AT_ONCE` | `64` | files | safety | open at once |',
  '| `packages/names.ts` `#kept` | `2 * MAX_NAMES` | names | speed | [a page](../bench/results.md#024-mounts) |',
  '| `packages/names.ts` `#found` | `limit` | files | memory | some 1 MB |',
]

function compare(rows: readonly string[]) {
  return compareLimits(
    rows.join('\n'),
    LIMITS,
    (file, heading) => `${file}#${heading}` === '../bench/results.md#024-mounts',
  )
}

describe('the table of limits', () => {
  test('is that of the sources', () => {
    expect(checkLimits(fileURLToPath(new URL('..', import.meta.url)))).toEqual([])
  })

  test('has a row for each constant and each map, and nothing else', () => {
    expect(LIMITS.map(({ name }) => name.split(' ')[1])).toEqual([
      'MAX_NAMES',
      'FILES_AT_ONCE',
      '#kept',
      '#found',
    ])
    expect(compare(ROWS)).toEqual([])
    expect(compare(ROWS.slice(1))).toEqual([
      expect.stringContaining('lacks | `packages/names.ts` `MAX_NAMES` | `250_000` |'),
    ])
    expect(compare([...ROWS, ROWS[1] ?? ''])).toEqual(['has packages/names.ts FILES_AT_ONCE twice'])
    expect(compare([...ROWS, '| `packages/a.ts` `MAX_A` | `1` | names | safety | why |'])).toEqual([
      'has packages/a.ts MAX_A, which is not there',
    ])
  })

  test.each([
    [
      'another value',
      '| `packages/names.ts` `MAX_NAMES` | `7` | names | memory | why |',
      'says 7 for packages/names.ts MAX_NAMES',
    ],
    [
      'another purpose',
      '| `packages/names.ts` `MAX_NAMES` | `250_000` | names | luck | why |',
      'the purpose luck is none',
    ],
    [
      'no benchmark',
      '| `packages/names.ts` `MAX_NAMES` | `250_000` | names | speed | fast: not measured |',
      'names no benchmark',
    ],
    [
      'a lost one',
      '| `packages/names.ts` `MAX_NAMES` | `250_000` | names | speed | [a](../bench/b.md) |',
      'is not there',
    ],
  ])('%s is a fault', (_, row, fault) => {
    expect(compare([row, ...ROWS.slice(1)])).toEqual([expect.stringContaining(fault)])
  })
})
