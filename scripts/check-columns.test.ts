import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { checkColumns, findLongLines, findLongSourceLines } from './check-columns.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

it('no document and no source has a line of more than 120 columns that can be wrapped', () => {
  expect(checkColumns(root)).toEqual([])
})

describe('lines of documents', () => {
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

describe('lines of sources', () => {
  it.each([
    ['a comment', `// ${'a '.repeat(59)}`, ['1: 121 columns']],
    ['a comment that fits', `// ${'a '.repeat(58)}a`, []],
    ['code', `f()\ncall(${'a, '.repeat(40)}b)`, ['2: 127 columns']],
    ['a string', `call('${'a '.repeat(80)}')`, []],
    ['a comment behind a string', `call('${'a '.repeat(80)}') // ${'a '.repeat(60)}`, ['1: 130 columns']],
    ['a template of several lines', `call(\`\n${'a '.repeat(80)}\n\`)`, []],
    ['a regular expression', `const a = /${'a'.repeat(150)}/`, []],
  ])('are too long or not: %s', (_, source, found) => {
    expect(findLongSourceLines(source)).toEqual(found)
  })
})
