// The meaning of the method and path of a request in a dialect: a route, or the reason why there is none.

import { HyperslabError } from '@hyperslab/base/errors'
import type { Dialect } from '../dialect/dialect.ts'
import type { Rules } from '../dialect/rules.ts'
import { HDF5_FILE } from '../message/content-types.ts'
import { endsWithSlash, noSuchPath, shownPath, type Target } from '../message/target.ts'
import type { Route } from '../route/route.ts'
import type { Head } from './reply.ts'

/** The methods of a path that does not have the method of the request, as the header `Allow` lists them. */
export interface OtherMethods {
  readonly allow: string
}

/** The meaning of a method and path in a dialect. */
export type Meaning = Route | 'no-such-path' | OtherMethods

/** The meaning of the method and path of a request in each dialect. */
export interface RouteMatch extends Readonly<Record<Dialect['name'], Meaning>> {
  /** The routes of GET of the path. */
  readonly get?: Readonly<Partial<Record<Dialect['name'], Route>>> | undefined
}

export function nameOf(meaning: Meaning): string | undefined {
  return typeof meaning === 'object' && 'name' in meaning ? meaning.name : undefined
}

/** Whether the answer depends on the caller. */
export function identifies(route: Route): boolean {
  return route.opens !== 'nothing' || route.identifies !== 'no'
}

/** The title of the page that a person gets for an error; undefined: there is no page. */
export function errorTitleOf(meaning: Meaning): string | undefined {
  return typeof meaning === 'object' && 'errorTitle' in meaning ? meaning.errorTitle : undefined
}

export function opensDomain(meaning: Meaning): boolean {
  return typeof meaning === 'object' && 'opens' in meaning && meaning.opens !== 'nothing'
}

/** `curl -T run7.h5` sends PUT of `/run7.h5`. */
const UPLOAD_HINT = `: an HDF5 file is stored with the content type ${HDF5_FILE}, under the name in ?domain= or ?host=`

/** Throws when the path is unknown, or has no such method. */
export function requireRoute(
  meaning: Meaning,
  method: string,
  target: Target,
  rules: Rules,
  head: Head,
): Route {
  if (meaning === 'no-such-path') {
    const mayBeUpload = method === 'PUT' && target.segments.length === 1
    throw noSuchPath(target, mayBeUpload ? UPLOAD_HINT : '')
  }
  if (!('allow' in meaning)) return meaning
  // An empty name has a meaning for no other method (hsds-objects 2).
  if (rules.requests.exactPaths && endsWithSlash(target)) throw noSuchPath(target)
  head.push('Allow', meaning.allow)
  const problem = `${shownPath(target.path)} has no method ${method}: its methods are ${meaning.allow}`
  throw new HyperslabError('method-not-allowed', problem)
}
