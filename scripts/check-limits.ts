// The check that docs/limits.md says the same as the sources: each constant of a limit and each bounded map has a row
// with its value, and each row its constant or map. Run by the test beside this file, hence by `npm test` and
// `npm run check`.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const PAGE = 'docs/limits.md'
const FOLDERS = ['packages']
const SOURCE = /\.tsx?$/
const TEST = /\.test\.tsx?$/

/** The purposes that a row may have. */
const PURPOSES = ['format', 'safety', 'memory', 'speed']

const CONSTANT = /^(?:export )?const (MAX_\w+|\w+_AT_ONCE)(?::[^=]*)? =\s*(.+)$/gm
const MAP =
  /(?:(#\w+)(?::[^=\n]*)? = |this\.(#\w+) = |const (\w+) = |(\w+): )new BoundedMap(?:<.*>)?\(\s*([^,)]+)/g
/** The name with its file, the value, the unit, the purpose, and why; for speed with the benchmark. */
const ROW = /^\| `([^`]+)` `([^`]+)` \| `([^`]+)` \| ([^|]+) \| ([^|]+) \| (.+) \|$/gm
const LINK = /\]\((\.\.\/bench\/[\w.-]+)(?:#([\w-]+))?\)/

interface Limit {
  /** The file and the name. */
  readonly name: string
  readonly value: string
}

/** The constants and bounded maps of a source. */
export function findLimits(file: string, source: string): readonly Limit[] {
  const constants = [...source.matchAll(CONSTANT)].map(([, name, value]) => ({
    name: `${file} ${name}`,
    value,
  }))
  const maps = [...source.matchAll(MAP)].map(([, typed, set, local, member, limit]) => ({
    name: `${file} ${typed ?? set ?? local ?? member}`,
    value: limit,
  }))
  return [...constants, ...maps].map(({ name, value = '' }) => ({ name, value: value.trim() }))
}

/** One line for every difference between the page and the limits; `isThere` is whether a link leads somewhere. */
export function compareLimits(
  page: string,
  limits: readonly Limit[],
  isThere: (file: string, heading: string | undefined) => boolean,
): readonly string[] {
  const rows = [...page.matchAll(ROW)].map(([, file, name, value, unit, purpose, why = '']) => {
    return { name: `${file} ${name}`, value, unit, purpose: purpose ?? '', why }
  })
  const byName = new Map(rows.map(row => [row.name, row]))
  const names = new Set(limits.map(({ name }) => name))
  return [
    ...limits
      .filter(({ name }) => !byName.has(name))
      .map(({ name, value }) => `${PAGE} lacks ${rowOf(name, value)}`),
    ...rows.filter(({ name }) => !names.has(name)).map(({ name }) => `has ${name}, which is not there`),
    ...rows.filter((row, at) => byName.get(row.name) !== rows[at]).map(({ name }) => `has ${name} twice`),
    ...limits.flatMap(({ name, value }) => {
      const row = byName.get(name)
      return row && row.value !== value ? [`says ${row.value} for ${name}, which is ${value}`] : []
    }),
    ...rows.flatMap(({ name, purpose, why }) =>
      faultsOfPurpose(purpose, why, isThere).map(fault => `${name}: ${fault}`),
    ),
  ]
}

/** The row to add, with what people write in capitals. */
function rowOf(name: string, value: string): string {
  const [file, constant] = name.split(' ')
  return `| \`${file}\` \`${constant}\` | \`${value}\` | UNIT | ${PURPOSES.join(' or ')} | WHAT IT BOUNDS |`
}

function faultsOfPurpose(
  purpose: string,
  why: string,
  isThere: (file: string, heading: string | undefined) => boolean,
): readonly string[] {
  if (!PURPOSES.includes(purpose)) return [`the purpose ${purpose} is none of ${PURPOSES.join(', ')}`]
  if (purpose !== 'speed') return []
  const [, file, heading] = LINK.exec(why) ?? []
  if (file === undefined) return ['names no benchmark that shows its gain']
  return isThere(file, heading) ? [] : [`${file}${heading ? `#${heading}` : ''} is not there`]
}

export function checkLimits(root: string): readonly string[] {
  const limits = FOLDERS.flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(name => SOURCE.test(name) && !TEST.test(name))
      .sort()
      .flatMap(name => findLimits(`${folder}/${name}`, readFileSync(join(root, folder, name), 'utf8'))),
  )
  return compareLimits(readFileSync(join(root, PAGE), 'utf8'), limits, (file, heading) => {
    const path = join(root, 'docs', file)
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
