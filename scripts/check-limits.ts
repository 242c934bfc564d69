// docs/limits.md, made from the sources: each constant of a limit and each bounded map has a comment with the tag
// `@limit PURPOSE, UNIT`, for speed also the benchmark that shows the gain; its words are those of the table. The test
// beside this file fails if one has none, or if the page is not the one that is made here: `npx vitest run
// scripts/check-limits.test.ts -u` writes it.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = 'packages'
const SOURCE = /\.tsx?$/
const TEST = /\.test\.tsx?$/

/** The purposes that a limit may have, and the bounded quantity of each. */
const PURPOSES: ReadonlyMap<string, string> = new Map([
  ['format', 'a rule of a file format, of HDF5 or of another program: it cannot be another number'],
  ['safety', 'work, or a claim of a request or a file, which would hold the event loop or never end'],
  ['memory', 'bytes, or things that take bytes, of one request or of all'],
  [
    'speed',
    'a memory or an order of work that exists only because it is faster: its benchmark shows the gain',
  ],
])

const CONSTANT = /^(?:export )?const (MAX_\w+|\w+_AT_ONCE)(?::[^=]*)? =\s*(.+)$/gm
const MAP =
  /(?:(#\w+)(?::[^=\n]*)? = |this\.(#\w+) = |const (\w+) = |(\w+): )new BoundedMap(?:<.*>)?\(\s*([^,)]+)/g
/** A tag at the end of a comment, behind its words. */
const TAG = /^(.+) @limit (\w+), ([^,]+)(?:, (bench\/[\w.-]+(?:#[\w-]+)?))?$/

const HEAD = `# Limits and memories

Made from the comments at the constants; a test keeps the two equal. Each constant \`MAX_*\` and \`*_AT_ONCE\`, and each
bounded map (\`BoundedMap\`) of the sources has a row. Operators change other limits by settings
([operating](guide/operating.md)); the ones here need a new build.

| purpose | bounded quantity |
| --- | --- |
${[...PURPOSES].map(([purpose, quantity]) => `| ${purpose} | ${quantity} |`).join('\n')}

A row of speed links the figure of its gain, or the benchmark that shows it. What gains less than 5 % is removed
([061](decisions/061-memories-that-pay.md)); \`node bench/limits.bench.mjs NAME\` measures most rows again.
`

export interface Limit {
  readonly file: string
  readonly name: string
  readonly value: string
  /** The comment before it, as one line; empty if there is none. */
  readonly comment: string
}

/** The constants and bounded maps of a source, in its order; of a map that is made anew later, the first. */
export function findLimits(file: string, source: string): readonly Limit[] {
  const limits = [...source.matchAll(CONSTANT), ...source.matchAll(MAP)]
    .sort((one, other) => one.index - other.index)
    .map(match => ({
      file,
      name: match.slice(1, -1).find(name => name !== undefined) ?? '',
      value: (match.at(-1) ?? '').trim(),
      comment: commentBefore(source, match.index),
    }))
  return limits.filter(({ name }, at) => limits.findIndex(limit => limit.name === name) === at)
}

/** The comment that ends on the line before the position. */
function commentBefore(source: string, position: number): string {
  const before = source.slice(0, source.lastIndexOf('\n', position) + 1).trimEnd()
  if (!before.endsWith('*/')) return ''
  const lines = before.slice(before.lastIndexOf('/**') + 3, -2).split('\n')
  return lines
    .map(line => line.trim().replace(/^\* ?/, ''))
    .join(' ')
    .trim()
}

/** The faults of the comments; `isThere` is whether a benchmark, or a heading of its page, exists. */
export function faultsOf(
  limits: readonly Limit[],
  isThere: (file: string, heading: string | undefined) => boolean,
): readonly string[] {
  return limits.flatMap(({ file, name, comment }) => {
    const fault = faultOf(comment, isThere)
    return fault === undefined ? [] : [`${file} ${name}: ${fault}`]
  })
}

function faultOf(
  comment: string,
  isThere: (file: string, heading: string | undefined) => boolean,
): string | undefined {
  const [, , purpose = '', , benchmark] = TAG.exec(comment) ?? []
  const purposes = [...PURPOSES.keys()].join(', ')
  if (purpose === '') return `needs a comment of words and "@limit PURPOSE, UNIT" (${purposes})`
  if (!PURPOSES.has(purpose)) return `the purpose ${purpose} is none of ${purposes}`
  if (benchmark === undefined)
    return purpose === 'speed' ? 'names no benchmark that shows its gain' : undefined
  const [file = '', heading] = benchmark.split('#')
  return isThere(file, heading) ? undefined : `${benchmark} is not there`
}

/** The page: a table for each package. */
export function limitsPage(limits: readonly Limit[]): string {
  const tables = [...new Set(limits.map(({ file }) => packageOf(file)))].sort().map(name => {
    const rows = limits.filter(({ file }) => packageOf(file) === name).map(rowOf)
    const head = '| limit | value | unit | purpose | bounds |\n| --- | --- | --- | --- | --- |'
    return `## ${name}\n\n${head}\n${rows.join('\n')}\n`
  })
  return [HEAD, ...tables].join('\n')
}

const packageOf = (file: string) => file.split('/')[1] ?? ''

function rowOf({ file, name, value, comment }: Limit): string {
  const [, words = '', purpose, unit, benchmark] = TAG.exec(comment) ?? []
  const proof = benchmark && ` [${benchmark.replace(/^.*[/#]/, '')}](../${benchmark})`
  return `| \`${file}\` \`${name}\` | \`${value}\` | ${unit} | ${purpose} | ${words}${proof ?? ''} |`
}

/** All limits of the sources. */
export function limitsOf(root: string): readonly Limit[] {
  return readdirSync(join(root, FOLDER), { recursive: true, encoding: 'utf8' })
    .filter(name => SOURCE.test(name) && !TEST.test(name) && !name.includes('node_modules'))
    .sort()
    .flatMap(name => findLimits(`${FOLDER}/${name}`, readFileSync(join(root, FOLDER, name), 'utf8')))
}

export function checkLimits(root: string): readonly string[] {
  return faultsOf(limitsOf(root), (file, heading) => {
    const path = join(root, file)
    if (!existsSync(path)) return false
    return heading === undefined || slugsOf(readFileSync(path, 'utf8')).includes(heading)
  })
}

function slugsOf(page: string): readonly string[] {
  return [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )
}
