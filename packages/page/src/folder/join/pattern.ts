// Patterns of the files that are joined, as the page proposes them, and the name of a domain that is made of a pattern.

import type { Api } from '@hyperslab/client'
import { nameOf } from '../../shell/address.ts'

type Row = Pick<Api.ListedDomain, 'name' | 'class' | 'num_files'>

/** The texts and the numbers of a name in turn, and its ending: `['run_', '1', '_', '20', ''], '.h5'`. */
interface NameParts {
  readonly parts: readonly string[]
  readonly ending: string
}

/** The files that may be joined, of the entries of a folder. */
export function joinable(rows: readonly Row[]): readonly Row[] {
  return rows.filter(row => row.class === 'domain' && row.num_files === undefined)
}

/**
 * The sources for the entries that are selected, one in each line, as they are joined: numbers in their names are
 * numbers. If none is selected, a pattern for the files of the folder, which ends with a slash.
 */
export function firstSources(folder: string, rows: readonly Row[], selected: readonly Row[]): string {
  if (selected.length > 0)
    return selected
      .toSorted((a, b) => BY_NUMBERS.compare(a.name, b.name))
      .map(row => quoted(row.name) + (row.class === 'folder' ? '/**/*' : ''))
      .join('\n')
  const names = joinable(rows).map(({ name }) => nameOf(name))
  return quoted(folder) + (names.length > 0 ? patternOf(names) : '**/*')
}

const BY_NUMBERS = new Intl.Collator(undefined, { numeric: true })

/** A pattern with one `*` for the most names that differ in numbers only. */
export function patternOf(names: readonly string[]): string {
  const families = new Map<string, NameParts[]>()
  for (const name of names) {
    const family = partsOf(name)
    const key = [...family.parts.filter((_, i) => i % 2 === 0), family.ending].join('\0')
    const others = families.get(key)
    if (others) others.push(family)
    else families.set(key, [family])
  }
  const largest = [...families.values()].reduce(
    (most, family) => (family.length > most.length ? family : most),
    [],
  )
  const [first] = largest
  if (first === undefined) return '*'
  const { parts, ending } = first
  if (largest.length === 1) return `*${quoted(ending)}`
  const varying = parts.flatMap((part, i) => (largest.some(other => other.parts[i] !== part) ? [i] : []))
  let [from = 0] = varying
  let to = varying.at(-1) ?? 0
  // The whole of a date or time: a year that is the same in all files of today will be another one.
  while (isBetweenDigits(parts[from - 1]) && from > 1) from -= 2
  while (isBetweenDigits(parts[to + 1]) && to + 2 < parts.length) to += 2
  return `${quoted(parts.slice(0, from).join(''))}*${quoted(parts.slice(to + 1).join(''))}${quoted(ending)}`
}

function isBetweenDigits(text: string | undefined): boolean {
  return text !== undefined && /^[-.:T]$/.test(text)
}

function partsOf(name: string): NameParts {
  const ending = endingOf(name)
  return { parts: name.slice(0, name.length - ending.length).split(/(\d+)/), ending }
}

/** Such as `.nc`; empty: the name has none. */
function endingOf(name: string): string {
  return /.(\.[a-z]\w*)$/i.exec(name)?.[1] ?? ''
}

/** Text in a pattern: signs stand for themselves. */
function quoted(text: string): string {
  return text.replace(/[*?[\]]/g, '[$&]')
}

/** The paths and patterns of a text, one in each line. */
export function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
}

/**
 * A name for the domain that is made of the sources: `day_*.nc` gives `day_all.nc`, a list the name of its folder. The
 * second one is `day_all_2.nc`.
 */
export function joinedName(sources: string, number = 1): string {
  const { stem, ending } = partsOfJoined(sources)
  return `${stem}${number > 1 ? `_${number}` : ''}${ending}`
}

function partsOfJoined(sources: string) {
  const [first = '', ...others] = linesOf(sources)
  const name = plainOf(nameOf(first))
  const ending = endingOf(name) || '.h5'
  const stem = name.slice(0, name.length - endingOf(name).length)
  if (others.length === 0 && stem.includes(STAR) && stem !== STAR && stem !== STAR + STAR)
    return {
      stem: stem.replace(STAR_BEHIND_WORD, (_, before = '') => `${before}${before && '_'}all`),
      ending,
    }
  const folders = first.split('/').slice(0, -1)
  return { stem: folders.findLast(folder => folder !== '' && !/[*?[\]]/.test(folder)) ?? 'all', ending }
}

/** It is in no name. */
const STAR = '/'
const STAR_BEHIND_WORD = /([^\W_])?\//g

/** The text of a pattern: quoted signs are themselves, others stand for nothing, and `*` is marked. */
function plainOf(pattern: string): string {
  return pattern.replace(/\[(.)\]|\[[^\]]*\]|\?|\*/gu, (sign, one) => one ?? (sign === '*' ? STAR : ''))
}

/** What the dialog proposes for a new dimension. */
export interface NewDimensionProposal {
  readonly name: string
  /** The pattern of the names of the files in which their number is; empty: they have none, or several. */
  readonly coordinate: string
}

/** Fields of names, and what they look like. */
const FIELDS = [
  { text: '{t:%Y%m%d}', form: /^(19|20)\d\d(0[1-9]|1[0-2])([0-2]\d|3[01])$/ },
  { text: '{n:d}', form: /^\d+$/ },
]

/** The new dimension of the files of a pattern: `run_*.h5` gives `run`, and `run_{n:d}.h5`. */
export function newDimensionOf(sources: string, rows: readonly Row[]): NewDimensionProposal {
  const [before = '', after, ...more] = plainOf(nameOf(linesOf(sources)[0] ?? '')).split(STAR)
  const name = /[^\W\d_]+/.exec(before)?.[0] ?? 'file'
  if (after === undefined || more.length > 0) return { name, coordinate: '' }
  const names = joinable(rows)
    .map(row => nameOf(row.name))
    .filter(file => file.startsWith(before) && file.endsWith(after))
  return { name, coordinate: coordinateIn(names) }
}

/** The pattern of names with the number in which they differ; empty: they have none. */
function coordinateIn(names: readonly string[]): string {
  const [before = '', after = ''] = patternOf(names).split('*')
  if (/[?[\]{}]/.test(before + after)) return ''
  const numbers = names.map(name => name.slice(before.length, name.length - after.length))
  const field = FIELDS.find(({ form }) => numbers.length > 0 && numbers.every(number => form.test(number)))
  return field ? before + field.text + after : ''
}
