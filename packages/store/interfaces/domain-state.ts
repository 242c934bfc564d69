// The states of domains, stored or mounted, as all parts outside the storage see them.

import { hash } from 'node:crypto'
import type { ObjectId, Timestamp } from '@hyperslab/model/names'
import type { DomainState } from './store.ts'

/** Hexadecimal digits of a state: 128 bits. */
const STATE_DIGITS = 32

/** `stamp` is new after every change; `form` is new when the stored bytes differ although nothing has changed. */
export function domainState(root: ObjectId, lastModified: Timestamp, stamp: string, form = ''): DomainState {
  return { state: stateOfStamp(root, stamp), form: digest(root, stamp, form), lastModified }
}

export function stateOfStamp(root: ObjectId, stamp: string): string {
  return digest(root, stamp)
}

function digest(...parts: readonly string[]): string {
  return hash('sha256', parts.join('\0')).slice(0, STATE_DIGITS)
}
