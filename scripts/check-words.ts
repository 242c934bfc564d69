// The words that the rules of CONTRIBUTING.md, "Words", exclude, as a list, and the check that no Markdown, no comment and no
// message of an error uses them. Run by the test beside this file, hence by `npm test` and `npm run check`.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Rule {
  readonly pattern: RegExp
  /** What to write instead. */
  readonly instead: string
}

export const RULES: readonly Rule[] = [
  { pattern: /\bwho(ever|m)?\b/i, instead: 'name the subject: the caller, the client, a request, a process' },
  { pattern: /\bsomebody( else)?\b/i, instead: 'another user, another request' },
  { pattern: /\bhis\b|\bhim\b|\bhers?\b/i, instead: 'its, their, or the noun' },
  {
    pattern: /\b(is|are|was|were) told\b|\btold (by|of)\b/i,
    instead: 'the message says, the answer has, is reported',
  },
  { pattern: /\ba text\b|\bmust be text\b/i, instead: 'a string' },
  { pattern: /\btoo much to do\b/i, instead: 'overloaded' },
  { pattern: /\bnot good here\b/i, instead: 'rejected' },
  { pattern: /\bmay (not )?be had\b|\bto be had\b/i, instead: 'is available' },
]

/** A breach of a rule: where, what, and what to write instead. */
export function findWords(text: string): readonly { readonly line: number; readonly message: string }[] {
  return text.split('\n').flatMap((line, index) =>
    RULES.flatMap(({ pattern, instead }) => {
      const found = pattern.exec(line)
      return found ? [{ line: index + 1, message: `"${found[0]}": ${instead}` }] : []
    }),
  )
}

/** Only the prose of a Markdown page: lines of code blocks and inline code are left empty, quotations too. */
export function proseOfMarkdown(text: string): string {
  const withoutBlocks = text.replace(/^```[\s\S]*?^```/gm, block => block.replace(/[^\n]/g, ''))
  return withoutBlocks.replace(/`[^`\n]*`/g, '').replace(/"[^"\n]*"/g, '')
}

/** Only the comments of a source file and the messages of its errors, each on its line. */
export function proseOfSource(text: string): string {
  const kept: string[] = text.split('').map(character => (character === '\n' ? '\n' : ' '))
  const keep = (from: number, to: number) => {
    for (let i = from; i < to; i++) kept[i] = text[i] ?? ' '
  }
  for (const { index, 0: comment } of text.matchAll(/^\s*\/\/.*$|\/\*\*[\s\S]*?\*\//gm))
    keep(index, index + comment.length)
  for (const { index, 0: error } of text.matchAll(/new (?:Hyperslab|Usage)Error\([\s\S]*?\n?\s*\)/g)) {
    keep(index, index + error.length)
  }
  return kept.join('')
}

/** Breaches in a file of the project, one line for each. */
export function checkFile(root: string, file: string): readonly string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const prose = file.endsWith('.md') ? proseOfMarkdown(text) : proseOfSource(text)
  return findWords(prose).map(({ line, message }) => `${file}:${line}: ${message}`)
}
