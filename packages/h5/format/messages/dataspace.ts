// The dataspace message (0x01), versions 1 and 2 (file format specification, IV.A.2.b). The permutation of version 1
// was never implemented and is ignored.

import { HyperslabError } from '@hyperslab/base/errors'
import { type Dataspace, MAX_RANK, type MaximumExtent, UNLIMITED } from '@hyperslab/model/dataset'
import type { FieldReader } from '../field-reader.ts'
import type { FieldWriter } from '../field-writer.ts'

const SCALAR = 0
const SIMPLE = 1
const NULL = 2

const MAXIMA_STORED = 1

/** `type-unsupported` for more than 2^53 elements. */
export function decodeDataspace(fields: FieldReader): Dataspace {
  const version = fields.version([1, 2])
  const rank = fields.u8()
  if (rank > MAX_RANK) throw fields.error(`it has ${rank} dimensions, and ${MAX_RANK} are allowed`)
  const flags = fields.u8()
  const type = version === 2 ? fields.u8() : rank === 0 ? SCALAR : SIMPLE
  if (version === 1) fields.skip(5)
  if (type === NULL) return { class: 'H5S_NULL' }
  if (type !== SCALAR && type !== SIMPLE) throw fields.error(`there is no dataspace of type ${type}`)
  if ((type === SCALAR) !== (rank === 0))
    throw fields.error(`a dataspace of type ${type} cannot have ${rank} dimensions`)
  if (type === SCALAR) return { class: 'H5S_SCALAR' }
  const width = fields.widths.lengths
  const dims = fields.list(rank, width, () => decodeExtent(fields))
  checkElementCount(dims)
  if (!(flags & MAXIMA_STORED)) return { class: 'H5S_SIMPLE', dims }
  const maxdims = fields.list(rank, width, dimension => decodeMaximum(fields, dims[dimension]))
  const grows = maxdims.some((maximum, dimension) => maximum !== dims[dimension])
  return { class: 'H5S_SIMPLE', dims, ...(grows && { maxdims }) }
}

function decodeExtent(fields: FieldReader): number {
  const extent = fields.lengthOrUnlimited()
  if (extent === undefined) throw fields.error('an extent is unlimited')
  return extent
}

function decodeMaximum(fields: FieldReader, extent: number): MaximumExtent {
  const maximum = fields.lengthOrUnlimited() ?? UNLIMITED
  if (maximum !== UNLIMITED && maximum < extent) {
    throw fields.error(`the extent ${extent} is beyond its maximum ${maximum}`)
  }
  return maximum
}

function checkElementCount(dims: readonly number[]): void {
  const count = dims.includes(0) ? 0 : dims.reduce((product, extent) => product * extent, 1)
  if (count <= Number.MAX_SAFE_INTEGER) return
  throw new HyperslabError('type-unsupported', `the shape [${dims.join(', ')}] has more than 2^53 elements`)
}

/** Version 2. */
export function encodeDataspace(writer: FieldWriter, space: Dataspace): void {
  const { dims, maxdims }: { dims: readonly number[]; maxdims?: readonly MaximumExtent[] } =
    space.class === 'H5S_SIMPLE' ? space : { dims: [] }
  writer.u8(2)
  writer.u8(dims.length)
  writer.u8(maxdims ? MAXIMA_STORED : 0)
  writer.u8({ H5S_SCALAR: SCALAR, H5S_SIMPLE: SIMPLE, H5S_NULL: NULL }[space.class])
  for (const extent of dims) writer.length(extent)
  for (const maximum of maxdims ?? []) writer.lengthOrUnlimited(maximum === UNLIMITED ? undefined : maximum)
}
