import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { checkLimits, faultsOf, findLimits, limitsOf, limitsPage } from './check-limits.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SOURCE = `
/** Some 16 MB. @limit memory, names */
const MAX_NAMES = 250_000
/**
 * Files that are open at once: more are
 * closed.
 * @limit safety, files
 */
export const FILES_AT_ONCE: number = 64
const PIECES = 3
class Names {
  /** Names by file. @limit speed, names, bench/results.md#024-mounts */
  readonly #kept = new BoundedMap<string, Kept>(2 * MAX_NAMES, { weightOf: () => 1 })
  readonly #found: BoundedMap<string, Found>
  constructor(limit: number) {
    /** Files by name. @limit memory, files */
    this.#found = new BoundedMap(limit)
  }
}
`

const faults = (comment: string) =>
  faultsOf(
    findLimits('packages/base/names.ts', `${comment}\nconst MAX_NAMES = 3`),
    (file, heading) => file === 'bench/results.md' && heading === '024-mounts',
  )

describe('the table of limits', () => {
  test('is made from the comments of the sources, which all limits have', async () => {
    expect(checkLimits(ROOT)).toEqual([])
    await expect(limitsPage(limitsOf(ROOT))).toMatchFileSnapshot('../docs/limits.md')
  })

  test('has every row that bench/limits.bench.mjs measures', () => {
    const names = limitsOf(ROOT).map(({ file, name }) => `${file} ${name}`)
    const bench = readFileSync(`${ROOT}bench/limits.bench.mjs`, 'utf8')
    const measured = [...bench.matchAll(/name: '(packages\/\S+ \S+?)(?: longer)?'/g)].map(([, name]) => name)
    expect(measured.length).toBeGreaterThan(30)
    expect(names).toEqual(expect.arrayContaining(measured))
  })

  test('has a row for each constant and each map, with the words of its comment', () => {
    const limits = findLimits('packages/base/names.ts', SOURCE)
    expect(limitsPage(limits).split('## base\n')[1]?.split('\n').slice(3, -1)).toEqual([
      '| `packages/base/names.ts` `MAX_NAMES` | `250_000` | names | memory | Some 16 MB. |',
      '| `packages/base/names.ts` `FILES_AT_ONCE` | `64` | files | safety | Files that are open at once: more are closed. |',
      '| `packages/base/names.ts` `#kept` | `2 * MAX_NAMES` | names | speed | Names by file. [024-mounts](../bench/results.md#024-mounts) |',
      '| `packages/base/names.ts` `#found` | `limit` | files | memory | Files by name. |',
    ])
  })

  test.each([
    ['a complete comment', '/** Names of files. @limit safety, names */', undefined],
    ['no comment', '', 'needs a comment'],
    ['a comment of the line before', '/** Names. @limit safety, names */\nconst A = 1', 'needs a comment'],
    ['no tag', '/** Names of files. */', 'needs a comment'],
    ['no words', '/** @limit safety, names */', 'needs a comment'],
    ['another purpose', '/** Names. @limit luck, names */', 'the purpose luck is none of format'],
    ['no benchmark', '/** Names. @limit speed, names */', 'names no benchmark'],
    ['a lost one', '/** Names. @limit speed, names, bench/b.md */', 'bench/b.md is not there'],
    [
      'a lost heading',
      '/** Names. @limit speed, names, bench/results.md#025 */',
      'bench/results.md#025 is not there',
    ],
  ])('%s', (_, comment, fault) => {
    expect(faults(comment)).toEqual(fault === undefined ? [] : [expect.stringContaining(fault)])
  })
})
