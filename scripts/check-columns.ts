// The check that no line of the covered Markdown documents is longer than 120 columns. Run by the test beside this
// file, hence by `npm test` and `npm run check`.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { textFiles } from './check-citations.ts'

const MAX_COLUMNS = 120

/** Documents and folders of documents. One is added when it is clean, none is removed. */
const COVERED: readonly string[] = [
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'README.md',
  'bench/',
  'docs/decisions/',
  'docs/guide/',
  'docs/how-a-write-commits.md',
  'test/clients/',
]

/** One line for every line that is too long. */
export function checkColumns(root: string): readonly string[] {
  return textFiles(root)
    .filter(file => file.endsWith('.md') && COVERED.some(path => file.startsWith(path)))
    .flatMap(file => findLongLines(readFileSync(join(root, file), 'utf8')).map(found => `${file}:${found}`))
}

/**
 * The numbers and columns of lines that are too long. Rows of tables, code, and lines without a blank cannot be
 * wrapped.
 */
export function findLongLines(markdown: string): readonly string[] {
  let isCode = false
  return markdown.split('\n').flatMap((line, index) => {
    if (/^\s*```/.test(line)) isCode = !isCode
    const isWrappable = !isCode && !/^(\||\s{4})/.test(line) && /\S\s+\S/.test(line)
    const columns = [...line].length
    return isWrappable && columns > MAX_COLUMNS ? [`${index + 1}: ${columns} columns`] : []
  })
}
