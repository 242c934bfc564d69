// One state of a file on another machine, as its server reports it: entity tag or time of the last change, and length.

import type { AnswerHead, RequestHeaders } from '@hyperslab/base/outgoing'
import type { Timestamp } from '@hyperslab/model/names'
import { refused } from './remote-requests.ts'

export interface FileState {
  /** The address of the bytes, after redirects. */
  readonly url: URL
  readonly size: number
  readonly lastModified: Timestamp
  readonly validators: Validators
  /** The stamp, different for each state. */
  readonly stamp: string
  /** Headers that make the server refuse to send bytes of another state. */
  readonly conditions: RequestHeaders
}

export interface Validators {
  readonly etag?: string | undefined
  /** The date as HTTP writes it. */
  readonly lastModified?: string | undefined
}

/** The identity of the state; undefined when the server reports nothing that changes with the bytes. */
export function stampOf({ etag, lastModified }: Validators, size: number): string | undefined {
  const validator = etag ?? lastModified
  return validator === undefined ? undefined : `${validator} ${size}`
}

export function stateOf(url: URL, validators: Validators, size: number, subject: string): FileState {
  const stamp = stampOf(validators, size)
  if (stamp === undefined) {
    throw refused(subject, 'its server sends neither ETag nor Last-Modified, so changes could not be noticed')
  }
  const { etag, lastModified } = validators
  const milliseconds = Date.parse(lastModified ?? '')
  return {
    url,
    size,
    validators,
    stamp,
    lastModified: Number.isNaN(milliseconds) ? 0 : milliseconds * 1000,
    conditions: conditionsOf(etag, lastModified),
  }
}

/** A weak entity tag equals nothing in `If-Match` (RFC 9110, 13.1.1). */
function conditionsOf(etag: string | undefined, lastModified: string | undefined): RequestHeaders {
  if (etag !== undefined && !etag.startsWith('W/')) return { 'if-match': etag }
  return lastModified === undefined ? {} : { 'if-unmodified-since': lastModified }
}

/** The position of a part of a file, and the length of the whole. */
export interface AnsweredRange {
  readonly position: number
  /** The length of the whole file. */
  readonly size: number
}

const CONTENT_RANGE = /^bytes (\d+)-\d+\/(\d+)$/

/** The range of an answer with status 206; undefined: its head does not name one. */
export function rangeOf({ headers }: AnswerHead): AnsweredRange | undefined {
  const match = CONTENT_RANGE.exec(headers['content-range'] ?? '')
  return match ? { position: Number(match[1]), size: Number(match[2]) } : undefined
}

export function validatorsOf({ headers }: AnswerHead): Validators {
  return { etag: headers.etag, lastModified: headers['last-modified'] }
}
