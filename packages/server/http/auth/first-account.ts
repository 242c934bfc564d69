// The code by which the first account of a service is made in a page. It is printed when the service starts, and good
// for nothing once the store has an account.

import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

const CODE_BYTES = 16

export function newFirstAccountCode(): string {
  return randomBytes(CODE_BYTES).toString('hex')
}

/** Compares hashes, in the same time whatever differs. */
export function isCode(given: string, code: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', code, 'buffer'))
}
