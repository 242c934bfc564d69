// The check that no line of a document or a source is longer than 120 columns, where it can be wrapped. Run by the test
// beside this file, hence by `npm test` and `npm run check`.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { textFiles } from './check-citations.ts'
import { TOKEN } from './check-words.ts'

const MAX_COLUMNS = 120

/** Made by programs: the changelog by each release, the types of the client from the routes. */
const MADE: readonly string[] = ['CHANGELOG.md', 'packages/client/api.ts']

/** One line for every line that is too long. */
export function checkColumns(root: string): readonly string[] {
  return textFiles(root).flatMap(file => {
    const find = MADE.includes(file) ? undefined : finderFor(file)
    return find ? find(readFileSync(join(root, file), 'utf8')).map(found => `${file}:${found}`) : []
  })
}

function finderFor(file: string): ((text: string) => readonly string[]) | undefined {
  if (file.endsWith('.md')) return findLongLines
  if (/\.(tsx?|m?js)$/.test(file)) return findLongSourceLines
  return /\.(py|sql|sh)$/.test(file) ? findLongComments : undefined
}

/**
 * The numbers and columns of lines of Markdown that are too long. Rows of tables, code, and lines without a blank
 * cannot be wrapped.
 */
export function findLongLines(markdown: string): readonly string[] {
  let isCode = false
  return longLines(markdown, line => {
    if (/^\s*```/.test(line)) isCode = !isCode
    return !isCode && !/^(\||\s{4})/.test(line) && /\S\s+\S/.test(line)
  })
}

/** Strings, templates and regular expressions are not counted: the formatter wraps all other code. */
export function findLongSourceLines(source: string): readonly string[] {
  return longLines(source.replace(TOKEN, token => (isLiteral(token) ? token.replace(/[^\n]/g, '') : token)))
}

function isLiteral(token: string): boolean {
  return token.length > 1 && /^(['"`]|\/(?![/*]))/.test(token)
}

/** Only comments are looked at, since nothing wraps the code of these languages. */
function findLongComments(source: string): readonly string[] {
  return longLines(source, line => /^\s*(#|--) /.test(line))
}

function longLines(text: string, isWrappable: (line: string) => boolean = () => true): readonly string[] {
  return text.split('\n').flatMap((line, index) => {
    const columns = [...line].length
    return isWrappable(line) && columns > MAX_COLUMNS ? [`${index + 1}: ${columns} columns`] : []
  })
}
