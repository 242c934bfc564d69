// The words that the rules of CONTRIBUTING.md, "Words", exclude, as a list, and the check that no Markdown page uses
// them, and no comment, message or type name in the folders that are covered, whose comments begin with nouns or are
// sentences. Run by the test beside this file, hence by `npm test` and `npm run check`.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lineAt, textFiles } from './check-citations.ts'

/** The folders whose sources keep to the rules. A folder is added when it is clean, none is removed. */
export const SOURCE_FOLDERS: readonly string[] = [
  ...['base', 'model', 'h5', 'store', 'meaning', 'views', 'files', 'server', 'client'].map(
    name => `packages/${name}/`,
  ),
  'pages/',
  'test/',
  'bench/',
  'scripts/',
]

interface Rule {
  /** A blank stands for any whitespace, so that a line break within a phrase does not hide it. */
  readonly pattern: RegExp
  /** The words to write instead. */
  readonly instead: string
}

export interface ExcludedWord {
  readonly line: number
  readonly message: string
}

const RULES: readonly Rule[] = [
  { pattern: /\bwho(ever|m|mever)?\b/i, instead: 'name the subject: the caller, the client, a request' },
  { pattern: /\bsome(body|one)( else)?\b/i, instead: 'another user, another request' },
  { pattern: /\b(he|she|his|him|himself|hers?|herself)\b/i, instead: 'its, their, or the noun' },
  { pattern: /\btold\b/i, instead: 'the message says, the answer has, is reported' },
  { pattern: /\ba text\b|\bmust be text\b|\btexts\b/i, instead: 'a string, strings' },
  { pattern: /\btoo much to do\b/i, instead: 'overloaded' },
  { pattern: /\bso many\b(?! that\b)/i, instead: 'this many, a number of, or the name of the number' },
  { pattern: /\bby turns\b/i, instead: 'in turn' },
  { pattern: /\bno (elements|samples) of \S+ bytes\b/i, instead: 'is not a multiple of the size' },
  { pattern: /\b(is|are) (not )?good here\b/i, instead: 'accepted, rejected' },
  { pattern: /\b(may|can|could|to) (not )?be had\b/i, instead: 'is available' },
  { pattern: /\bat yours\b/i, instead: 'yours as the subject: "your ids will differ"' },
  {
    pattern: /\bwait(s|ed|ing)? (for )?(a|the|its|their) turns?\b|\bha(s|ve|d) (its|their) turns?\b/i,
    instead: 'queues, has a slot',
  },
  {
    pattern: /\b(interface|type|class) (Given|Told|Found|Waiting|Known|Kept|Held|Written)\b/,
    instead: 'a noun',
  },
  { pattern: /\b(interface|type) (?!Need|Seed|Feed)[A-Z][a-z]+ed\b/, instead: 'a noun' },
].map(({ pattern, instead }) => ({
  pattern: new RegExp(pattern.source.replaceAll(' ', '\\s+'), `${pattern.flags}g`),
  instead,
}))

/** A comment begins with its noun or is a sentence, and neither begins with these words. */
const FRAGMENT = /^(Of|That|Those|As|By|What|Why)\b/

/** Comments that begin like a fragment of a sentence. */
export function findFragments(source: string): readonly ExcludedWord[] {
  return [...source.matchAll(TOKEN)].flatMap(({ 0: token, index }) => {
    if (!/^\/[/*]/.test(token) || isContinued(source, index)) return []
    const found = FRAGMENT.exec(token.replace(/^[\s/*]+/, ''))
    if (!found) return []
    return [
      { line: lineAt(source, index), message: `a comment begins with "${found[0]}": begin with its noun` },
    ]
  })
}

/** Whether the comment at `index` is a line that continues the comment of the line before. */
function isContinued(source: string, index: number): boolean {
  return /^[ \t]*\/\/.*\n[ \t]*$/m.test(
    source.slice(source.lastIndexOf('\n', source.lastIndexOf('\n', index) - 1) + 1, index),
  )
}

/** Excluded words in prose, in the order of their lines. */
export function findExcludedWords(prose: string): readonly ExcludedWord[] {
  return RULES.flatMap(({ pattern, instead }) =>
    [...prose.matchAll(pattern)].map(({ 0: found, index }) => ({
      line: lineAt(prose, index),
      message: `"${found.replace(/\s+/g, ' ')}": ${instead}`,
    })),
  ).sort((a, b) => a.line - b.line)
}

/** The page with code, quotations and the targets of links blanked, each line where it was. */
export function proseOfMarkdown(page: string): string {
  return [FENCED_CODE, INDENTED_CODE, INLINE_CODE, LINK_TARGET, QUOTATION].reduce(
    (text, part) => text.replace(part, blank),
    page,
  )
}

const FENCED_CODE = /^ *```[\s\S]*?^ *```$/gm
const INDENTED_CODE = /(?<=\n\n)(?: {4}.*(?:\n|$))+/g
// Neither goes beyond its paragraph.
const INLINE_CODE = /(?<!`)(`+)(?!`)(?:[^\n]|\n(?!\s*\n))+?(?<!`)\1(?!`)/g
const QUOTATION = /"(?:[^"\n]|\n(?!\s*\n))*"/g
const LINK_TARGET = /\]\([^)\s]*\)/g

/**
 * Only the comments of a TypeScript file, its strings that are phrases, and the names of its types, each line where it
 * was.
 */
export function proseOfSource(source: string): string {
  return source.replace(TOKEN, token => {
    if (/^\/[/*]/.test(token)) return proseOfComment(token)
    if (/^['"]/.test(token)) return isPhrase(token) ? token : blank(token)
    if (token.startsWith('`')) {
      const withoutValues = token.replace(/\$\{[^}]*\}/g, blank)
      return isPhrase(withoutValues) ? withoutValues : blank(token)
    }
    return /^(interface|type|class) /.test(token) ? token : blank(token)
  })
}

/** One part of a source after another, each of one of these kinds. */
export const TOKEN = new RegExp(
  [
    /\/\/.*/, // a comment
    /\/\*[\s\S]*?\*\//, // a comment
    /'(?:\\.|[^'\\\n])*'/, // a string
    /"(?:\\.|[^"\\\n])*"/, // a string
    /`(?:\\[\s\S]|[^`\\])*`/, // a template
    /(?<=(?:[(,=:[!&|?{};]|=>|\breturn)\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\//, // a regular expression
    /\b(?:interface|type|class) [A-Z]\w*/, // a declaration
    /[\s\S]/, // other code
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

/** Phrases are messages, help, descriptions of metrics; a single word is a code or a key. */
function isPhrase(literal: string): boolean {
  return /\w[,;:]? \w/.test(literal)
}

/** The comment without its marks, its code and its quotations. */
function proseOfComment(comment: string): string {
  return comment
    .replace(/^(\s*)(\/\/|\/\*+|\*+\/?)/gm, blank)
    .replace(INLINE_CODE, blank)
    .replace(QUOTATION, blank)
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}

/** One line for every excluded word and every fragment. */
export function checkWords(root: string): readonly string[] {
  return textFiles(root).flatMap(file => {
    const toProse = proseFunctionFor(file)
    if (toProse === undefined) return []
    const text = readFileSync(join(root, file), 'utf8')
    const fragments = toProse === proseOfSource ? findFragments(text) : []
    return [...findExcludedWords(toProse(text)), ...fragments].map(
      ({ line, message }) => `${file}:${line}: ${message}`,
    )
  })
}

function proseFunctionFor(file: string): ((text: string) => string) | undefined {
  if (file.endsWith('.md')) return proseOfMarkdown
  const isCovered = SOURCE_FOLDERS.some(folder => file.startsWith(folder))
  return isCovered && /\.(ts|m?js)$/.test(file) && !/check-words/.test(file) ? proseOfSource : undefined
}
