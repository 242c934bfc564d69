// The request target in its original form: raw path segments and query. The standard URL class is not used, because it
// resolves dots, turns backslashes into slashes and lower-cases hosts, and names may hold all of these.

import { HyperslabError } from '@hyperslab/base/errors'
import { withoutSecret } from './share-address.ts'

export interface Target {
  /** The path before the query, undecoded. */
  readonly path: string
  /** The parts between slashes, undecoded; `/groups/x` has two. */
  readonly segments: readonly string[]
  readonly query: Pick<URLSearchParams, 'get' | 'getAll' | 'has' | 'keys'>
  /** The query, undecoded, without its question mark. */
  readonly rawQuery: string
}

export function parseTarget(url: string): Target {
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  const rawQuery = mark < 0 ? '' : url.slice(mark + 1)
  const query = rawQuery === '' ? NO_QUERY : new URLSearchParams(rawQuery)
  return { path, segments: path.split('/').slice(1), query, rawQuery }
}

/** The parameters of an empty query, shared because making them takes microseconds and most requests have none. */
const NO_QUERY = new URLSearchParams()

/** The error of an unknown path; `hint` names a path that may have been meant. */
export function noSuchPath({ path }: Target, hint = ''): HyperslabError {
  return new HyperslabError('route-not-found', `there is nothing at the path ${shownPath(path)}${hint}`)
}

/** The start of a path, for messages, without the secret of a share. */
export function shownPath(path: string): string {
  const shown = withoutSecret(path)
  return shown.length > 200 ? `${shown.slice(0, 200)}...` : shown
}

/** A trailing slash: the last segment is empty, and it is not the path `/`. */
export function endsWithSlash({ segments }: Target): boolean {
  return segments.length > 1 && segments.at(-1) === ''
}

/** The value of a query parameter undecoded, or undefined. */
export function rawParameter(target: Target, name: string): string | undefined {
  for (const pair of target.rawQuery.split('&')) {
    if (pair.startsWith(`${name}=`)) return pair.slice(name.length + 1)
  }
  return undefined
}

/** A path segment decoded as UTF-8. With `plusIsSpace` a plus is a space, as in forms. */
export function decodeSegment(raw: string, plusIsSpace: boolean): string {
  try {
    return decodeURIComponent(plusIsSpace ? raw.replaceAll('+', ' ') : raw)
  } catch {
    throw new HyperslabError('malformed-url', `the name "${raw}" in the path must be percent-encoded UTF-8`)
  }
}

/**
 * A name as it is written in an href: form encoding, so a space is `+` and all but letters, digits and `-_.~` is `%XX`.
 */
export function encodeName(name: string): string {
  const encoded = encodeURIComponent(name)
  return /[!'()*%]/.test(encoded)
    ? encoded
        .replace(/[!'()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
        .replaceAll('%20', '+')
    : encoded
}
