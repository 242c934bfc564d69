// Values as h5grove gives them: selections in the syntax of NumPy, and numbers in the types that browsers have.

import { HyperslabError } from '@hyperslab/base/errors'
import { type Datatype, elementSize, type FloatType } from '@hyperslab/model/datatype'
import { excerpt, JsonValueWriter } from '@hyperslab/model/json'
import { loaderOf, RUN } from '@hyperslab/model/reduction'
import { type Elements, type Piece, PREFIXED_REFERENCES, type ValueStyle } from '@hyperslab/model/values'
import type { Context } from '../../service/context.ts'
import type { RangeItem, SelectionRequest } from '../../service/selection/request.ts'
import { givenAs, type SelectedValues } from '../../service/values/values.ts'

/** JSON has no words for NaN: it is null. */
const STYLE: ValueStyle = { references: PREFIXED_REFERENCES, nonFinite: 'null', float32: 'widened' }

export interface NumpySelection {
  readonly request: SelectionRequest
  /** The dimensions that an index takes away. */
  readonly indexes: ReadonlySet<number>
}

/**
 * `0,3:7,:,-1`: for each dimension an index or a slice, in which negative numbers count from the end; `...` are as many
 * whole dimensions as are missing.
 */
export function numpySelection(text: string, extents: readonly number[]): NumpySelection {
  const given = text.split(',').map(item => item.trim())
  const dots = given.indexOf('...')
  const missing = Math.max(0, extents.length - given.length + (dots < 0 ? 0 : 1))
  const whole = Array.from({ length: missing }, () => ':')
  const items =
    dots < 0 ? [...given, ...whole] : [...given.slice(0, dots), ...whole, ...given.slice(dots + 1)]
  if (items.length !== extents.length)
    throw refused(text, `has ${items.length} items for ${extents.length} dimensions`)
  const indexes = new Set<number>()
  const ranges = items.map((item, d): RangeItem => {
    const extent = extents[d]
    const [, start, colon, stop, step] =
      /^(-?\d{1,15})?(?:(:)(-?\d{1,15})?(?::(\d{1,15})?)?)?$/.exec(item) ?? []
    if (colon === undefined) {
      if (start === undefined) throw refused(text, 'must have an index or start:stop:step for each dimension')
      const index = Number(start) + (Number(start) < 0 ? extent : 0)
      if (index < 0 || index >= extent) {
        const message = `selection=${excerpt(text)}: the index ${start} is out of bounds in dimension ${d} of extent ${extent}`
        throw new HyperslabError('selection-out-of-bounds', message)
      }
      indexes.add(d)
      return { start: index, stop: index + 1 }
    }
    const end = (bound: string | undefined, otherwise: number) =>
      bound === undefined
        ? otherwise
        : Math.min(extent, Math.max(0, Number(bound) + (Number(bound) < 0 ? extent : 0)))
    const [first, last, by] = [end(start, 0), end(stop, extent), Number(step ?? 1)]
    if (by === 0) throw refused(text, 'must have steps from 1 on')
    if (start === undefined && stop === undefined && by === 1) return {}
    if (last <= first) throw refused(text, `selects nothing in dimension ${d}`)
    return { start: first, stop: last, step: by }
  })
  return { request: { kind: 'select', grammar: 'lists', items: ranges }, indexes }
}

function refused(text: string, rule: string): HyperslabError {
  return new HyperslabError('malformed-selection', `selection=${excerpt(text)} ${rule}`)
}

/** The values in types that browsers have arrays of: little-endian, and floats of 16 bits as ones of 32. */
export function withSafeTypes(context: Context, values: SelectedValues): SelectedValues {
  const { type } = values
  const safe = safeType(type)
  if (safe === type) return values
  const convert = converterOf(type, safe)
  async function* converted(): AsyncGenerator<Piece> {
    for await (const piece of values.pieces) {
      if ('element' in piece) yield { count: piece.count, element: convert(piece.element) }
      else yield convert(piece)
    }
  }
  return { ...values, type: safe, ...givenAs(safe, converted, context.signal) }
}

function safeType(type: Datatype): Datatype {
  switch (type.class) {
    case 'H5T_FLOAT':
      return type.size === 2 ? FLOAT32 : type.order === 'BE' ? { ...type, order: 'LE' } : type
    case 'H5T_INTEGER':
    case 'H5T_BITFIELD':
      return type.order === 'BE' ? { ...type, order: 'LE' } : type
    case 'H5T_ENUM':
      return type.base.order === 'BE' ? { ...type, base: { ...type.base, order: 'LE' } } : type
    default:
      return type
  }
}

const FLOAT32: FloatType = { class: 'H5T_FLOAT', size: 4, order: 'LE' }

function converterOf(from: Datatype, to: Datatype): (elements: Elements) => Elements {
  const size = elementSize(from)
  if (from.class !== 'H5T_FLOAT' || size === elementSize(to))
    return ({ count, data, heap }) => ({ count, data: reversed(data, size), heap })
  const load = loaderOf(from)
  return ({ count, data, heap }) => {
    const [doubles, floats] = [new Float64Array(Math.min(count, RUN)), new Float32Array(count)]
    for (let done = 0; done < count; done += RUN) {
      const length = Math.min(RUN, count - done)
      load(data, 0, done, length, doubles)
      floats.set(doubles.subarray(0, length), done)
    }
    return { count, data: new Uint8Array(floats.buffer), heap }
  }
}

/** The bytes of each number in the opposite order. */
function reversed(data: Uint8Array, size: number): Uint8Array {
  const bytes = new Uint8Array(data.length)
  for (let from = 0; from < data.length; from += size)
    for (let byte = 0; byte < size; byte++) bytes[from + byte] = data[from + size - 1 - byte]
  return bytes
}

/** The JSON of elements in lists of this shape; no dimensions: one element. */
export async function* jsonOf(
  type: Datatype,
  shape: readonly number[],
  pieces: AsyncIterable<Piece>,
): AsyncGenerator<Uint8Array> {
  const writer = new JsonValueWriter(type, shape, STYLE)
  for await (const piece of pieces) yield* writer.write(piece)
  yield writer.finish()
}
