// The content types of values, and of whole domains, in requests and answers.

import type { IncomingHttpHeaders } from 'node:http'
import { HyperslabError } from '@hyperslab/base/errors'
import Negotiator from 'negotiator'
import type { Dialect } from '../dialect/dialect.ts'
import type { RequestBody } from './request-body.ts'

export const OCTETS = 'application/octet-stream'

/** A whole domain as an HDF5 file. */
export const HDF5_FILE = 'application/x-hdf5'

/** Whether the body is a whole HDF5 file. */
export function isHdf5File({ body }: { readonly body: Pick<RequestBody, 'contentType'> }): boolean {
  return mediaType(body.contentType ?? '') === HDF5_FILE
}

/** Whether the client prefers a page to JSON, as browsers do. */
export function prefersHtml(headers: IncomingHttpHeaders): boolean {
  if (!headers.accept?.includes('html')) return false
  return new Negotiator({ headers }).mediaType(['application/json', 'text/html']) === 'text/html'
}

/** The media type of a header, without its parameters. */
export function mediaType(text: string): string {
  return text.split(';')[0].trim().toLowerCase()
}

/** Whether a body, or a part of one, is bytes. Without a content type it is JSON (common 5; hsds-values 1.2). */
export function isBinary(
  { contentType }: { readonly contentType: string | undefined },
  { rules }: Dialect,
): boolean {
  if (contentType === undefined || contentType.includes('application/json')) return false
  if (contentType.includes(OCTETS)) return true
  if (!rules.values.knownContentTypes) return false
  throw new HyperslabError(
    'unsupported-media-type',
    `Content-Type: ${contentType}: values must be sent as application/json or ${OCTETS}`,
  )
}
