// Bodies that create links: the target of one link, and the words of bodies about the links of several groups.

import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt, type JsonObject } from '@hyperslab/model/json'
import { linkTitle } from '@hyperslab/model/names'
import type { LinkRequest } from '../../service/links/links.ts'
import type { Dialect } from '../dialect/dialect.ts'
import type { BatchWords } from './batch-input.ts'
import { createdIn, kindOf, requiredString } from './members.ts'

export function linkWords(dialect: Dialect): BatchWords {
  return {
    ids: 'grp_ids',
    names: 'titles',
    items: 'links',
    parseId: text => ({ kind: 'group', id: dialect.parseId(text, 'group') }),
    parseName: linkTitle,
  }
}

export function linkInput(dialect: Dialect, body: JsonObject): LinkRequest {
  const link = firstForm(dialect, body)
  if (dialect.rules.links.twoForms === 'error') requireOneForm(body, link)
  return { ...link, ...createdIn(body, dialect) }
}

/** Throws if the members of a link contradict each other (hsds-objects 11.1). */
function requireOneForm(body: JsonObject, link: LinkRequest): void {
  const contradiction = (problem: string) =>
    new HyperslabError('malformed-link', `the body of the link ${problem}`)
  if ('id' in link) {
    if (body.has('h5path')) throw contradiction('must not have both `id` and `h5path`')
  } else if (body.has('h5domain') && body.has('file') && body.get('h5domain') !== body.get('file')) {
    throw contradiction('must not have different values in `h5domain` and `file`')
  }
  const sent = body.get('class')
  const actual = classOf(link)
  if (sent !== undefined && sent !== actual)
    throw contradiction(`has the members of class ${actual}, not ${excerpt(sent)}`)
}

function classOf(link: LinkRequest): string {
  if ('id' in link) return 'H5L_TYPE_HARD'
  return link.h5domain === undefined ? 'H5L_TYPE_SOFT' : 'H5L_TYPE_EXTERNAL'
}

/**
 * Characters of the target of a symbolic link: HDF5 stores it in a message of an object header.
 * @limit format, characters
 */
const MAX_PATH = 65_535

/** The link of the first form that fits (classic 6.7). */
function firstForm(dialect: Dialect, body: JsonObject): LinkRequest {
  if (body.has('id')) {
    const id = requiredString(body, 'id', 'malformed-link')
    if (id === '') throw new HyperslabError('malformed-link', 'body.id must not be empty')
    return dialect.parseTarget(id)
  }
  const h5path = body.get('h5path')
  const h5domain = body.get('h5domain') ?? body.get('file')
  if (h5path === undefined && h5domain === undefined) {
    throw new HyperslabError(
      'malformed-link',
      'the body of a link must have `id` (hard), `h5path` (soft), or `h5path` and `h5domain` (external)',
    )
  }
  if (typeof h5path !== 'string' || h5path === '') {
    throw new HyperslabError(
      'malformed-link',
      'body.h5path must be a string that is not empty, ' +
        `${h5path === undefined ? 'it is missing' : `not ${kindOf(h5path)}`}`,
    )
  }
  if (h5path.length > MAX_PATH) {
    throw new HyperslabError('malformed-link', `body.h5path must have at most ${MAX_PATH} characters`)
  }
  if (h5domain === undefined) return { h5path }
  if (typeof h5domain !== 'string' || h5domain === '') {
    throw new HyperslabError('malformed-link', 'body.h5domain must be a string that is not empty')
  }
  if (h5domain.length > MAX_PATH) {
    throw new HyperslabError('malformed-link', `body.h5domain must have at most ${MAX_PATH} characters`)
  }
  return { h5path, h5domain }
}
