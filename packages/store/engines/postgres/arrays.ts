// Arrays of PostgreSQL as parameters, in its binary format (array_send). `pg` would write them as text, each byte as
// two digits, which is slower on both sides.

/** The types' OIDs in pg_type. */
const OIDS = { bytea: 17, bigint: 20, boolean: 16, integer: 23, text: 25 }

export function bytesArray(values: readonly (Uint8Array | null)[]): Uint8Array {
  return arrayOf(OIDS.bytea, values)
}

export function bigintArray(values: readonly (bigint | number | null)[]): Uint8Array {
  const elements = values.map(value => {
    if (value === null) return null
    const bytes = Buffer.allocUnsafe(8)
    bytes.writeBigInt64BE(BigInt(value))
    return bytes
  })
  return arrayOf(OIDS.bigint, elements)
}

export function integerArray(values: readonly number[]): Uint8Array {
  const elements = values.map(value => {
    const bytes = Buffer.allocUnsafe(4)
    bytes.writeInt32BE(value)
    return bytes
  })
  return arrayOf(OIDS.integer, elements)
}

export function booleanArray(values: readonly boolean[]): Uint8Array {
  return arrayOf(
    OIDS.boolean,
    values.map(value => Uint8Array.of(value ? 1 : 0)),
  )
}

export function textArray(values: readonly string[]): Uint8Array {
  return arrayOf(
    OIDS.text,
    values.map(value => Buffer.from(value)),
  )
}

/**
 * The header of an array of one dimension, and for each element its length and its bytes; a length of -1 means null.
 */
function arrayOf(oid: number, elements: readonly (Uint8Array | null)[]): Buffer {
  const HEADER_BYTES = 20
  const bytes = elements.reduce((sum, element) => sum + 4 + (element?.length ?? 0), HEADER_BYTES)
  const array = Buffer.allocUnsafe(bytes)
  const hasNull = elements.includes(null) ? 1 : 0
  let offset = 0
  for (const field of [1, hasNull, oid, elements.length, 1]) offset = array.writeInt32BE(field, offset)
  for (const element of elements) {
    offset = array.writeInt32BE(element?.length ?? -1, offset)
    if (element !== null) array.set(element, offset)
    offset += element?.length ?? 0
  }
  return array
}
