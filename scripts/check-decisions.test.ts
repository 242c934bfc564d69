import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { checkDecisions, findFaultsOfPage, MAX_WORDS } from './check-decisions.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

const PAGE = `# 001 Title

**Problem.** One.

**Options.** Two.

**Choice: the second.** Three.

**What would change our mind.** Four.
`

const pageOf = (words: number) => PAGE + 'word\n'.repeat(words - PAGE.trim().split(/\s+/).length)

describe('the pages of docs/decisions', () => {
  it('have the form that their README describes', () => {
    expect(checkDecisions(root)).toEqual([])
  })

  it.each([
    ['a page in form', PAGE, []],
    ['the longest page', pageOf(MAX_WORDS), []],
    ['one word more', pageOf(MAX_WORDS + 1), ['701 words, at most 700: tables go to bench/results.md']],
    ['a page without options', PAGE.replace('**Options.**', ''), ['lacks "**Options.**"']],
    ['a page without a problem', PAGE.replace('**Problem.**', 'Problem.'), ['lacks "**Problem.**"']],
  ])('%s', (_, page, faults) => {
    expect(findFaultsOfPage(page)).toEqual(faults)
  })
})

describe('numbers and the index', () => {
  const folder = mkdtempSync(join(tmpdir(), 'decisions-'))
  afterEach(() => rmSync(folder, { recursive: true }))

  it('a number has one page, and the index lists each page', () => {
    mkdirSync(join(folder, 'docs/decisions'), { recursive: true })
    const write = (name: string, text: string) => writeFileSync(join(folder, 'docs/decisions', name), text)
    write('README.md', '| [001](001-one.md) | One |\n| [001](001-other.md) | Other |\n')
    write('001-one.md', PAGE)
    write('001-other.md', PAGE)
    write('002-two.md', PAGE)
    expect(checkDecisions(folder)).toEqual([
      '001-other.md: another page has its number',
      '002-two.md: README.md does not list it',
    ])
  })
})
