// Converts the value of an attribute from the form of the request, JSON or another, to the stored one. A long value is
// never whole in memory: it is decoded piece by piece while it is stored, and other requests run between the pieces.

import { inTurns } from '@hyperslab/base/bounded'
import { type Dataspace, extentsOf, product } from '@hyperslab/model/dataset'
import { type Datatype, elementSize, includesType } from '@hyperslab/model/datatype'
import {
  elementPiecesFromJson,
  elementsFromJson,
  elementsToJson,
  isJsonList,
  type JsonOutput,
  type JsonValue,
} from '@hyperslab/model/json'
import type { ReferenceSyntax } from '@hyperslab/model/values'
import { type Elements, equalElements, requireHeldElements, singlePiece } from '@hyperslab/model/values'
import type { Attribute, GivenAttribute } from '@hyperslab/store/store'
import { areUtf8, repeatable } from '../values/values.ts'

/** A value that is decoded while it is stored, once or several times. */
export class EncodedValue {
  readonly decode: (type: Datatype, dims: readonly number[]) => AsyncIterable<Elements>
  /** It was sent as the packed bytes of its elements, not as JSON. */
  readonly isBytes: boolean

  constructor(decode: EncodedValue['decode'], isBytes: boolean) {
    this.decode = decode
    this.isBytes = isBytes
  }
}

export type SentValue = JsonValue | EncodedValue

type StoredValue = Pick<GivenAttribute, 'value' | 'sent'>

/**
 * Bytes of elements that are decoded, or written as JSON, at once: some milliseconds even if each element is one byte.
 */
export const SHORT_BYTES = 1 << 14

export function isShort(value: Elements): boolean {
  return value.data.length + value.heap.length <= SHORT_BYTES
}

/**
 * `keepsText`: the JSON is kept beside a short value if its strings cannot be restored from the bytes: strings that do
 * not fit a fixed-length string (hsds-objects 16.1), and object references as ids without their collection
 * (hsds-objects 5.4).
 */
export async function storedValue(
  type: Datatype,
  space: Dataspace,
  sent: SentValue,
  { references, keepsText }: { readonly references: ReferenceSyntax; readonly keepsText?: boolean },
): Promise<StoredValue> {
  requireHeldElements(type)
  const dims = extentsOf(space)
  if (sent instanceof EncodedValue) {
    const value = repeatable(() => inTurns(sent.decode(type, dims)))
    // JSON shows such bytes as they were sent (hsds-objects 16.4).
    return sent.isBytes && !(await areUtf8(type, value)) ? { value, sent: 'base64' } : { value }
  }
  if (product(dims) * elementSize(type) > SHORT_BYTES) {
    return { value: repeatable(() => inTurns(elementPiecesFromJson(type, dims, sent, references))) }
  }
  const value = elementsFromJson(type, dims, sent, references)
  if (!keepsText || !isShort(value) || !includesType(type, isShownAsText)) return { value }
  const style = { references, nonFinite: 'bare', float32: 'shortest' } as const
  const kept = stringsIn(elementsToJson(type, dims, value, style))
  return `${kept}` === `${stringsIn(sent)}` ? { value } : { value, sent: { json: sent } }
}

/** Whether two values of one type and dataspace have the same elements. */
export async function isSameValue(
  type: Datatype,
  a: Attribute['value'],
  b: GivenAttribute['value'],
): Promise<boolean> {
  if (a === undefined || b === undefined) return a === b
  const secondPieces = piecesOf(b)[Symbol.asyncIterator]()
  let other: Elements | undefined
  let compared = 0
  try {
    for await (const piece of inTurns(piecesOf(a))) {
      for (let offset = 0; offset < piece.count; ) {
        if (other === undefined || compared === other.count) {
          const next = await secondPieces.next()
          if (next.done) return false
          other = next.value
          compared = 0
          continue
        }
        const count = Math.min(piece.count - offset, other.count - compared)
        if (!equalElements(type, piece, offset, other, compared, count)) return false
        offset += count
        compared += count
      }
    }
    if (other !== undefined && compared < other.count) return false
    for (let next = await secondPieces.next(); !next.done; next = await secondPieces.next()) {
      if (next.value.count > 0) return false
    }
    return true
  } finally {
    await secondPieces.return?.()
  }
}

/** The elements of a value, whether it is stored whole, in pieces, or not yet. */
export function piecesOf(
  value: NonNullable<Attribute['value'] | GivenAttribute['value']>,
): AsyncIterable<Elements> {
  if ('data' in value) return singlePiece(value)
  return 'pieces' in value ? value.pieces : value
}

const isShownAsText = ({ class: name }: Datatype) => name === 'H5T_STRING' || name === 'H5T_REFERENCE'

/**
 * The strings of a value, in order, quoted so that two lists of them can be compared; without empty ones, which may be
 * null.
 */
function stringsIn(json: JsonOutput): string[] {
  if (typeof json === 'string') return json === '' ? [] : [JSON.stringify(json)]
  return isJsonList(json as JsonValue) ? (json as readonly JsonOutput[]).flatMap(stringsIn) : []
}
