// The dialog that joins files, without drawing it: the definition that its fields make, the field that an error is
// about, and the words on the files.

import { type Api, RequestError } from '@hyperslab/client'
import { messageOf } from '../../common/errors.ts'
import { linesOf } from './pattern.ts'

/** What is in the fields. */
export interface JoinFields {
  /** Paths and patterns, one in each line. */
  readonly sources: string
  /** The dimension. */
  readonly along: string
  /** The files do not have the dimension: each of them is one coordinate of it. */
  readonly isNew: boolean
  /** The coordinate of a file in a new dimension; empty: its number. */
  readonly coordinate: string
  /** The paths of the datasets that get a new dimension, with commas; empty: all. */
  readonly datasets: string
  /** The file whose elements are taken where two overlap; empty: such files cannot be joined. */
  readonly keep: '' | 'first' | 'last'
  /** Packed numbers become the values that they stand for. */
  readonly unpack: boolean
  /** Elements of files that cannot be read are fill values. */
  readonly fillsMissing: boolean
  /** The path of the new domain. */
  readonly to: string
}

/** The fields that say what is done where files differ, as they are at first. */
export const NO_RULES = { keep: '', unpack: false, fillsMissing: false } as const

export interface JoinRequest {
  readonly join: Api.JoinDefinition
  readonly to: string
}

/** Undefined: a field is empty, so there is nothing to ask. */
export function requestOf(fields: JoinFields): JoinRequest | undefined {
  const sources = one(linesOf(fields.sources))
  const along = fields.isNew ? newDimension(fields) : dimension(fields)
  const to = fields.to.trim()
  if (sources === undefined || along === undefined || to === '') return undefined
  return { join: { sources, along, ...rulesOf(fields) }, to }
}

/** The name of a dimension, or datasets without names of dimensions: `/a#0, /b#0`. */
function dimension({ along }: JoinFields): string | string[] | undefined {
  return along.trim() === '' ? undefined : one(along.trim().split(/(?<=#\d+)\s*,\s*/))
}

function newDimension({ along, coordinate, datasets }: JoinFields): Api.NewDimension | undefined {
  if (along.trim() === '') return undefined
  const paths = one(datasets.trim().split(/\s*,\s*(?=\/)/))
  return {
    new: along.trim(),
    ...(coordinate.trim() !== '' && { coordinate: coordinate.trim() }),
    ...(paths !== undefined && paths !== '' && { datasets: paths }),
  }
}

/** Files in a new dimension do not overlap. */
function rulesOf({ isNew, keep, unpack, fillsMissing }: JoinFields) {
  return {
    ...(keep !== '' && !isNew && { keep }),
    ...(unpack && { unpack }),
    ...(fillsMissing && { missing: 'fill' as const }),
  }
}

function one(texts: readonly string[]): string | string[] | undefined {
  return texts.length > 1 ? [...texts] : texts[0]
}

export interface Fault {
  /** Undefined: it is about none of them. */
  readonly field: keyof JoinFields | undefined
  readonly message: string
}

/** The field that an error is about: an answer names the member of the definition, or the right that is missing. */
export function faultOf(error: unknown): Fault {
  return { field: fieldOf(error), message: messageOf(error) }
}

function fieldOf(error: unknown): Fault['field'] {
  if (!(error instanceof RequestError)) return undefined
  const { status, code, message } = error
  if (message.startsWith('join.along.coordinate')) return 'coordinate'
  if (message.startsWith('join.along.datasets')) return 'datasets'
  if (message.startsWith('join.along')) return 'along'
  if (message.startsWith('join.') || code === 'malformed-pattern' || code === 'file-not-found')
    return 'sources'
  if ((status === 401 || status === 403) && message.includes('"read" on')) return 'sources'
  return code === 'files-differ' || status >= 500 ? undefined : 'to'
}

/** Whether the answer to a definition says what its files would be together. */
export function isReview(answer: object): answer is Api.JoinReview {
  return 'conflicts' in answer
}

/** The files of a review in words. `folder` ends with a slash: names in it are short. */
export function reviewText(
  { files, names, length, conflicts }: Api.JoinReview,
  along: string,
  folder: string,
) {
  if (conflicts.length > 0) return 'These files cannot be joined:'
  const [first, last] = [names[0], names.at(-1)].map(name => within(folder, name ?? ''))
  if (files === 1) return `1 file, ${first}: ${along} has ${count(length, 'element')}.`
  // The last of many is not among the names.
  const ends = files > names.length ? `${first} and so on` : `from ${first} to ${last}`
  return `${count(files, 'file')}, ${ends}: ${along} has ${count(length, 'element')}.`
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`
}

function within(folder: string, path: string): string {
  return path.startsWith(folder) ? path.slice(folder.length) : path
}

/** A change of the fields with which files can be joined that cannot be otherwise. */
export interface Offer {
  readonly text: string
  readonly change: Partial<JoinFields>
}

type Conflict = Api.JoinReview['conflicts'][number]

const OFFERS: Readonly<Record<NonNullable<Conflict['option']>, readonly Offer[]>> = {
  keep: [
    { text: 'Keep the later file', change: { keep: 'last' } },
    { text: 'Keep the earlier file', change: { keep: 'first' } },
  ],
  unpack: [{ text: 'Unpack the numbers', change: { unpack: true } }],
}

/** The changes that solve some of the conflicts. */
export function offersOf(conflicts: readonly Conflict[]): readonly Offer[] {
  return [...new Set(conflicts.flatMap(({ option }) => option ?? []))].flatMap(option => OFFERS[option])
}

/** Conflicts or warnings of the same reason. */
export interface ConflictGroup {
  readonly reason: string
  /** The files that the reason does not name, in words; empty: it names all. */
  readonly files: string
}

export function warningGroups(
  warnings: Api.JoinReview['warnings'],
  folder: string,
): readonly ConflictGroup[] {
  const conflicts = warnings.map(({ path, message }) => ({ files: [path], reason: message }))
  return conflictGroups(conflicts, folder)
}

/** Files of a conflict that are named. */
const NAMED = 3
const PREFIX = 'the files cannot be joined: '

export function conflictGroups(conflicts: readonly Conflict[], folder: string): readonly ConflictGroup[] {
  const groups = new Map<string, string[]>()
  for (const { files, object, reason } of conflicts) {
    const [only] = files
    let text = reason.startsWith(PREFIX) ? reason.slice(PREFIX.length) : reason
    if (only !== undefined && text.startsWith(`${only}: `)) text = text.slice(only.length + 2)
    const others = files.filter(file => !text.includes(file))
    if (object !== undefined && !text.includes(object)) text = `${object}: ${text}`
    for (const file of files) text = text.replaceAll(file, within(folder, file))
    groups.set(text, [...(groups.get(text) ?? []), ...others.map(file => within(folder, file))])
  }
  return [...groups].map(([reason, files]) => ({ reason, files: listed(files) }))
}

const BY_NUMBERS = new Intl.Collator(undefined, { numeric: true })

function listed(files: readonly string[]): string {
  const more = files.length - NAMED
  return (
    files.toSorted(BY_NUMBERS.compare).slice(0, NAMED).join(', ') +
    (more > 0 ? ` and ${more.toLocaleString('en')} more` : '')
  )
}
