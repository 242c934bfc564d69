// The messages of errors for users.

import { UnreachableError } from '@hyperslab/client'

/** The service did not answer. The viewer shows messages of errors as they are, and browsers have others. */
export function unreachable(): UnreachableError {
  return new UnreachableError('The service cannot be reached.')
}

export function isUnreachable(error: unknown): boolean {
  return error instanceof UnreachableError
}

export function messageOf(error: unknown): string {
  // An answer that is cut off is a TypeError too.
  if (error instanceof TypeError) return unreachable().message
  return withoutIds(error instanceof Error ? error.message : String(error))
}

/** The service names objects by their ids, which say nothing to people: beside it, the page says the name or path. */
function withoutIds(message: string): string {
  return message
    .replace(new RegExp(`\\b(group|dataset|datatype|object) ${ID}`, 'g'), '$1')
    .replace(new RegExp(ID, 'g'), 'an object')
}

const HEX = (digits: number) => `[0-9a-f]{${digits}}`
/** As hsds and the classic dialect write them. */
const ID = `(?:[gdt]-)?\\b${HEX(8)}-(?:${HEX(8)}-${HEX(4)}-${HEX(6)}-${HEX(6)}|(?:${HEX(4)}-){3}${HEX(12)})\\b`
