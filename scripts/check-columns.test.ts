import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { checkColumns, findLongLines } from './check-columns.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

describe('lines of documents', () => {
  it('have at most 120 columns', () => {
    expect(checkColumns(root)).toEqual([])
  })

  it.each([
    ['prose', `${'a '.repeat(59)}ab`, []],
    ['longer prose', `b\n${'a '.repeat(60)}a`, ['2: 121 columns']],
    ['an item', `- ${'a '.repeat(59)}a`, ['1: 121 columns']],
    ['characters beyond the basic plane', `${'𝛼 '.repeat(59)}𝛼𝛼`, []],
    ['a row of a table', `| ${'a '.repeat(120)}|`, []],
    ['an address', `https://example.org/${'a'.repeat(120)}`, []],
    ['code', `\`\`\`\n${'a '.repeat(120)}\n\`\`\`\n${'a '.repeat(60)}a`, ['4: 121 columns']],
    ['indented code', `    ${'a '.repeat(120)}`, []],
  ])('are too long or not: %s', (_, markdown, found) => {
    expect(findLongLines(markdown)).toEqual(found)
  })
})
