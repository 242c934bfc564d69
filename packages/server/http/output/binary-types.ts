// Values that are sent and accepted as bytes, and their elements: the layout is that of classic 15.8 and, for types of
// variable size, of hsds-values 14.

import { HyperslabError } from '@hyperslab/base/errors'
import { type Datatype, elementSize, isVariableSize } from '@hyperslab/model/datatype'
import { type Elements, hasReferences } from '@hyperslab/model/values'
import { elementsFromBytes } from '../../service/binary/binary.ts'
import { hasBinaryForm } from '../../service/binary/binary-layout.ts'
import { elementsFromVariableBytes } from '../../service/binary/binary-reader.ts'
import type { Dialect } from '../dialect/dialect.ts'
import type { ValueRules } from '../dialect/rules.ts'

/** Bytes of elements that are passed on at a time. */
const PIECE_BYTES = 1 << 20

export function isSentAsBytes(type: Datatype, { binaryTypes }: ValueRules): boolean {
  return binaryTypes === 'any' ? hasBinaryForm(type) : !isVariableSize(type) && !hasReferences(type)
}

/** The `count` elements that a body or a string in Base64 holds. */
export function elementsOfBytes(
  { references, rules }: Dialect,
  type: Datatype,
  count: number,
  bytes: AsyncIterable<Uint8Array>,
): AsyncIterable<Elements> {
  if (!isSentAsBytes(type, rules.values)) {
    throw new HyperslabError(
      'type-mismatch',
      'values of this type cannot be sent as bytes: send them as JSON',
    )
  }
  if (isVariableSize(type)) return elementsFromVariableBytes(type, count, bytes, references)
  return elementsFromBytes(type, bytes, Math.max(1, Math.floor(PIECE_BYTES / elementSize(type))))
}

/** Throws if values of the type cannot be stored (hsds-values 12.6). */
export function requireStored(type: Datatype, { nestedSequences }: ValueRules): void {
  if (nestedSequences === 'stored' || hasBinaryForm(type)) return
  throw new HyperslabError(
    'type-mismatch',
    'sequences of values of variable size cannot be stored in a dataset',
  )
}
