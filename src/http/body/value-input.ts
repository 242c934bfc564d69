// Values on their way in: what a request selects and the elements that it brings, from JSON or bytes.

import { HyperslabError } from '../../errors.ts'
import type { Datatype } from '../../hdf5/datatype/datatype.ts'
import type { JsonObject } from '../../hdf5/json.ts'
import type { SelectionRequest } from '../../hdf5/selection/request.ts'
import { selectionCount, selectionShape } from '../../hdf5/selection/selection.ts'
import { hasBinaryForm } from '../../hdf5/values/binary-layout.ts'
import { scanElements } from '../../hdf5/values/json-scanner.ts'
import { AT_LEAST, BROADCAST, COUNT_ONLY } from '../../hdf5/values/nesting.ts'
import { decodeBase64Text, readRange, splitValueBody } from '../../hdf5/values/value-body.ts'
import type { DecodeValues } from '../../service/values.ts'
import type { Rules } from '../dialect/dialect.ts'
import type { Request } from '../route.ts'
import { elementsOfBytes } from './binary-types.ts'
import { OCTETS } from './content-types.ts'
import { pointsIn, selectionInBody, selectionInQuery } from './value-selection.ts'

export interface ValueInput {
  readonly selection: SelectionRequest
  readonly decode: DecodeValues
  /** True when the elements can be read only once. */
  readonly once: boolean
}

/** Bytes up to this many are kept, so that a write can be repeated after a conflict. */
const KEPT_BYTES = 1 << 20

export function valueInput(request: Request): Promise<ValueInput> {
  return request.body.contentType?.includes(OCTETS) ? binaryInput(request) : jsonInput(request)
}

async function binaryInput(request: Request): Promise<ValueInput> {
  const { body } = request
  refuseOptions(request, request.dialect.rules.unsupportedWrites)
  const selection = selectionInQuery(request)
  const isShort = body.announcedLength !== undefined && body.announcedLength <= KEPT_BYTES
  const kept = isShort ? await body.buffer(KEPT_BYTES) : undefined
  return {
    selection,
    decode: ({ type }, selected) =>
      elementsOfBytes(
        request.dialect,
        type,
        selectionCount(selected),
        kept === undefined ? body.bytes() : only(kept),
      ),
    once: kept === undefined,
  }
}

/** The body is spooled first, because what it selects may stand behind its values. */
async function jsonInput(request: Request): Promise<ValueInput> {
  const { references, rules } = request.dialect
  const spooled = await request.body.spool()
  const { members, value, valueBase64, points } = await splitValueBody(spooled)
  refuseOptions(request, rules.unsupportedWrites, members)
  const selection = selectionInBody(request, members, points && (await pointsIn(request, spooled, points)))
  if (value !== undefined) {
    const nesting = rules.valueCountsOnly ? COUNT_ONLY : selection.kind === 'points' ? AT_LEAST : BROADCAST
    const decode: DecodeValues = ({ type }, selected) => {
      requireStored(type, rules)
      return scanElements(type, selectionShape(selected), readRange(spooled, value), references, nesting)
    }
    return { selection, decode, once: false }
  }
  if (valueBase64 !== undefined) {
    const decode: DecodeValues = ({ type }, selected) => {
      const bytes = decodeBase64Text(readRange(spooled, valueBase64))
      return elementsOfBytes(request.dialect, type, selectionCount(selected), bytes)
    }
    return { selection, decode, once: false }
  }
  throw new HyperslabError('malformed-body', 'the body needs `value` or `value_base64`')
}

/** Contract 30, 12.6. */
export function requireStored(type: Datatype, { nestedSequences }: Rules): void {
  if (nestedSequences === 'stored' || hasBinaryForm(type)) return
  throw new HyperslabError(
    'type-mismatch',
    'sequences of values of variable size cannot be stored in a dataset',
  )
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Options that are not supported yet must not be passed over: the answer would be right for another question. */
function refuseOptions({ target }: Request, names: readonly string[], members?: JsonObject): void {
  for (const name of names) {
    if (members?.has(name) || target.query.get(name)) {
      throw new HyperslabError('option-unsupported', `values with "${name}" are not supported yet`)
    }
  }
}
