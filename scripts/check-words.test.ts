import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import {
  checkWords,
  findExcludedWords,
  findFragments,
  proseOfMarkdown,
  proseOfSource,
} from './check-words.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

const wordsIn = (prose: string) =>
  findExcludedWords(prose).map(({ message }) => /^"(.*?)"/.exec(message)?.[1])

describe('the words that CONTRIBUTING.md excludes', () => {
  it('are in no Markdown page and in none of the covered folders', () => {
    expect(checkWords(root)).toEqual([])
  })

  it.each([
    ['Who does not fit waits in the line of his user.', ['Who', 'his']],
    ['whom the folder names, whoever asks', ['whom', 'whoever']],
    ['what is told to somebody else', ['somebody else', 'told']],
    ['must be a text, or texts', ['a text', 'texts']],
    ['the service has too much to do', ['too much to do']],
    ['the token is not good here', ['is not good here']],
    ['no values may be had', ['may be had']],
    ['Ids are different at yours.', ['at yours']],
    ['Bytes of so many elements, so many that they fill it.', ['so many']],
    ['datasets that follow each other by turns', ['by turns']],
    ['7 bytes are no elements of 4 bytes', ['no elements of 4 bytes']],
    ['requests wait for their turn', ['wait for their turn']],
    ['is a\n text', ['a text']],
    ['interface Asked', ['interface Asked']],
    ['type Waiting', ['type Waiting']],
    ['type Need, interface StoredChunk', []],
    ['the whole history of this text, whose turns are told apart by the event loop', ['told']],
    ['a text/plain body', ['a text']],
    ['the text of a type; a request queues', []],
  ])('are found in %j', (prose, expected) => {
    expect(wordsIn(prose).sort()).toEqual([...expected].sort())
  })

  it('are found with their line and what to write instead', () => {
    expect(findExcludedWords('first\nsecond\nis a\ntext')).toEqual([
      { line: 3, message: '"a text": a string, strings' },
    ])
  })
})

describe('a comment that begins like a fragment of a sentence', () => {
  it.each([
    ['/** Of the file. */', [1]],
    ['/**\n * By name.\n */\nconst a = 1 // As above.', [1, 4]],
    ['// Those that are kept.\n// That is all.', [1]],
    ['// Bytes\n// As many as there are.\n\n  // That one.', [4]],
    ['/** What is stored. */\n/** Whether it is. */\nf() // Why it failed.', [1, 3]],
    ['f() // Of one call.\n// By hand.', [1, 2]],
    ['/** Offsets by name, as they are stored. Those of others are left out. */', []],
    ["const text = '/** Of a string. */'", []],
    ['// the end\nconst Of = 1', []],
  ])('is found in %j at the lines %j', (source, lines) => {
    expect(findFragments(source).map(({ line }) => line)).toEqual(lines)
  })
})

describe('the prose of a Markdown page', () => {
  it.each([
    ['who is `who` and\n`a who\nb` who', ['who', 'who']],
    ['```sh\nwho\n```\nwho\n```\nwho\n```', ['who']],
    ['- item\n\n  ```\n  who\n  ```', []],
    ['text\n\n    whoami | grep who\n    who\n\nwho', ['who']],
    ['write "who", not "somebody\nelse"', []],
    ['an odd " quotation mark\n\nwho " asks', ['who']],
    ['[page](who.md) and [who](page.md#told)', ['who']],
    ['| who | ``told ` told`` |', ['who']],
  ])('of %j has the words %j', (page, expected) => {
    expect(wordsIn(proseOfMarkdown(page))).toEqual(expected)
  })

  it('keeps each line where it was', () => {
    expect(findExcludedWords(proseOfMarkdown('```\nwho\n```\nwho'))).toMatchObject([{ line: 4 }])
  })
})

describe('the prose of a source file', () => {
  it.each([
    ['// who asks\nconst who = 1 // and his line', ['who', 'his']],
    ['/** Is a\n * text. */', ['a text']],
    ['// is a\n// text', ['a text']],
    ['/** `who` and "told" are words. */', []],
    ["const name = 'who'", []],
    ["throw new HyperslabError('not-found', 'who is told')", ['who', 'told']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text
    ['const message = `the value ${who.told} must be a text`', ['a text']],
    ["const glob = 'packages/**/*.ts'; who(); const other = '*/'", []],
    ["const url = 'http://who told' // fine", ['who', 'told']],
    ["const quote = /['\"`]/; who('told')", []],
    ['const half = a / b / who', []],
    ['export interface Asked { who: string }', ['interface Asked']],
    ['export interface ListingRequest {}', []],
  ])('of %j has the words %j', (source, expected) => {
    expect(wordsIn(proseOfSource(source))).toEqual(expected)
  })

  it('keeps each line where it was', () => {
    expect(findExcludedWords(proseOfSource('/* a\n b */\nconst a = 1\n// who'))).toMatchObject([{ line: 4 }])
  })
})
