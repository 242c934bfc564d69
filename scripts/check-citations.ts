// Citations of the contract ("classic 6.5", "hsds-values 7.4 and 8") and of decisions ("docs/decisions/012"), and the
// check that each leads to a heading of docs/contract or to a page of docs/decisions (docs/contract/README.md says how
// they are written). Run by the test beside this file, hence by `npm test` and `npm run check`.

import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'

export interface Citation {
  /** `classic 6.5`, one section each, or `docs/decisions/012`. */
  readonly cited: string
  readonly line: number
}

const DOCUMENTS = ['specification', 'common', 'classic', 'hsds-objects', 'hsds-values', 'clients']
const CONTRACT = 'docs/contract'
const DECISIONS = 'docs/decisions'
const FOLDERS = ['packages', 'pages', 'test', 'bench', 'scripts', 'docs']
const EXTENSIONS = /\.(tsx?|m?js|py|c|md)$/
/** They hold citations that lead nowhere, as examples. */
const NOT_CHECKED = /^scripts\/check-citations/

/** Blanks, and the end of a line of a comment with the beginning of the next. */
const GAP = String.raw`(?:[ \t]*\n[ \t]*(?:\/\/|\*|#)?[ \t]*|[ \t]+)`
const SECTION = String.raw`\d{1,2}(?:\.\d{1,2})?(?![\d.]*\d)`
const JOINT = `(?:,${GAP}and${GAP}|,${GAP}|${GAP}and${GAP}|${GAP}to${GAP})`
const CITATION = new RegExp(
  String.raw`\b(${DOCUMENTS.join('|')})${GAP}(${SECTION}(?:${JOINT}${SECTION})*)`,
  'gi',
)
const DECISION = /\bdecisions\/(\d{3})/g

/** How documents outside the repository used to be cited. */
const OLD_FORMS: readonly RegExp[] = [
  new RegExp(String.raw`\bcontracts?${GAP}\d\d\b`, 'gi'),
  // (20, 1.2) and (30 7.5), but not the arguments of a call.
  new RegExp(
    String.raw`(?<![\w(])\((?:00|10|20|30|35|40),?${GAP}(?:sections?${GAP}|decisions?${GAP})?\d+\.\d+`,
    'g',
  ),
  new RegExp(
    String.raw`(?<=; )(?:00|10|20|30|35|40),${GAP}(?:sections?${GAP}|decisions?${GAP})?\d+\.\d+`,
    'g',
  ),
  new RegExp(String.raw`(?<![\w/])decisions?${GAP}\d{1,2}\b`, 'g'),
  new RegExp(String.raw`\bseed${GAP}\d\.\d`, 'g'),
  /\bstack\.md\b/g,
]

/** The sections that citations of a document can name: the numbers of its headings. */
export function sectionsOf(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^#{2,4} (\d{1,2}(?:\.\d{1,2})?)\.? /gm)].map(match => match[1] ?? '')
}

export function citationsIn(text: string): readonly Citation[] {
  const sections = [...text.matchAll(CITATION)].flatMap(({ 0: match, 1: document = '', index }) =>
    [...match.slice(document.length).matchAll(/\d+(?:\.\d+)?/g)].map(([section]) => ({
      cited: `${document.toLowerCase()} ${section}`,
      line: lineAt(text, index),
    })),
  )
  const decisions = [...text.matchAll(DECISION)].map(({ 1: page, index }) => ({
    cited: `${DECISIONS}/${page}`,
    line: lineAt(text, index),
  }))
  return [...sections, ...decisions]
}

/** Citations in a form that nothing leads from any more. */
export function oldFormsIn(text: string): readonly Citation[] {
  return OLD_FORMS.flatMap(form =>
    [...text.matchAll(form)].map(({ 0: match, index }) => ({
      cited: match.replaceAll(new RegExp(GAP, 'g'), ' '),
      line: lineAt(text, index),
    })),
  )
}

/** One line for every citation that leads nowhere. */
export function checkCitations(root: string): readonly string[] {
  const known = new Set([
    ...DOCUMENTS.flatMap(document =>
      sectionsOf(readFileSync(join(root, CONTRACT, `${document}.md`), 'utf8')).map(
        section => `${document} ${section}`,
      ),
    ),
    ...readdirSync(join(root, DECISIONS)).map(page => `${DECISIONS}/${page.slice(0, 3)}`),
  ])
  return textFiles(root).flatMap(file => {
    const text = readFileSync(join(root, file), 'utf8')
    return [
      ...citationsIn(text)
        .filter(({ cited }) => !known.has(cited))
        .map(({ cited, line }) => `${file}:${line}: ${cited} leads to no heading`),
      ...oldFormsIn(text).map(({ cited, line }) => `${file}:${line}: "${cited}" is no form of a citation`),
    ]
  })
}

export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

/** The files of the project that hold text by people, relative to `root`. */
export function textFiles(root: string): readonly string[] {
  const below = FOLDERS.flatMap(folder =>
    readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
      .filter(entry => entry.isFile())
      .map(entry => relative(root, join(entry.parentPath ?? dirname(entry.path), entry.name))),
  )
  const beside = readdirSync(root).filter(name => name.endsWith('.md'))
  return [...below, ...beside]
    .map(file => file.split(sep).join('/'))
    .filter(file => EXTENSIONS.test(basename(file)) && !NOT_CHECKED.test(file))
    .sort()
}
