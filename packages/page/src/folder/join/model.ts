// The dialog that joins files, without drawing it: the definition that its fields make, the field that an error is
// about, and the words on the files.

import { type Api, RequestError } from '@hyperslab/client'
import { messageOf } from '../../common/errors.ts'
import { linesOf } from './pattern.ts'

/** The texts of the fields. */
export interface JoinFields {
  /** Paths and patterns, one in each line. */
  readonly sources: string
  /** The dimension. */
  readonly along: string
  /** The path of the new domain. */
  readonly to: string
}

export interface JoinRequest {
  readonly join: Api.JoinDefinition
  readonly to: string
}

/** Undefined: a field is empty, so there is nothing to ask. */
export function requestOf({ sources, along, to }: JoinFields): JoinRequest | undefined {
  const paths = linesOf(sources)
  // Datasets without names of dimensions: `/a#0, /b#0`.
  const axes = along.trim().split(/(?<=#\d+)\s*,\s*/)
  const [path, axis] = [one(paths), one(axes)]
  if (path === undefined || axis === undefined || axis === '' || to.trim() === '') return undefined
  return { join: { sources: path, along: axis }, to: to.trim() }
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

/** Conflicts of the same reason. */
export interface ConflictGroup {
  readonly reason: string
  /** The files that the reason does not name, in words; empty: it names all. */
  readonly files: string
}

/** Files of a conflict that are named. */
const NAMED = 3
const PREFIX = 'the files cannot be joined: '

export function conflictGroups(
  conflicts: readonly Api.JoinReview['conflicts'][number][],
  folder: string,
): readonly ConflictGroup[] {
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
