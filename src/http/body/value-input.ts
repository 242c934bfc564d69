// Values on their way in: what a request selects and the elements that it brings, from JSON or bytes.

import { HyperslabError } from '../../errors.ts'
import type { JsonObject } from '../../hdf5/json.ts'
import { parseHyperslab, parsePoints, parseSelect } from '../../hdf5/selection/parse.ts'
import { SELECT_ALL, type SelectionRequest } from '../../hdf5/selection/request.ts'
import { selectionShape } from '../../hdf5/selection/selection.ts'
import { elementsFromBytes } from '../../hdf5/values/binary.ts'
import { elementsFromJson } from '../../hdf5/values/json-tree.ts'
import type { DecodeValues } from '../../service/values.ts'
import type { Request } from '../route.ts'
import { objectBody } from './members.ts'

export interface ValueInput {
  readonly selection: SelectionRequest
  readonly decode: DecodeValues
  /** True when the elements can be read only once. */
  readonly once: boolean
}

/** Elements that are handed on at a time, in bytes. */
const PIECE_BYTES = 1 << 20

export async function valueInput(request: Request): Promise<ValueInput> {
  const { body, dialect } = request
  if (dialect.rules.binaryBodies && body.contentType?.includes('application/octet-stream')) {
    const decode: DecodeValues = dataset => elementsFromBytes(dataset.type, body.bytes(), PIECE_BYTES)
    return { selection: selectionInQuery(request), decode, once: true }
  }
  const members = objectBody(await body.json())
  const value = members.get('value')
  const base64 = members.get('value_base64')
  if (value === undefined && base64 === undefined) {
    throw new HyperslabError('malformed-body', 'the body needs `value` or `value_base64`')
  }
  return {
    selection: selectionInBody(request, members),
    decode: async function* (dataset, selection) {
      if (value !== undefined) {
        yield elementsFromJson(dataset.type, selectionShape(selection), value, dialect.references)
      } else {
        yield* elementsFromBytes(
          dataset.type,
          (async function* () {
            yield Buffer.from(String(base64), 'base64')
          })(),
          PIECE_BYTES,
        )
      }
    },
    once: false,
  }
}

/** The selection of a read: `select` in the query. An empty one is an error where `select` has a form to keep. */
export function selectionInQuery({ target }: Request): SelectionRequest {
  const select = target.query.get('select')
  return select === null ? SELECT_ALL : parseSelect(select)
}

function selectionInBody(request: Request, members: JsonObject): SelectionRequest {
  const points = members.get('points')
  const [start, stop, step] = [members.get('start'), members.get('stop'), members.get('step')]
  const hasRange = start !== undefined || stop !== undefined || step !== undefined
  if (points !== undefined) {
    if (hasRange) {
      throw new HyperslabError('malformed-selection', 'points cannot go together with start, stop or step')
    }
    return parsePoints(points)
  }
  return hasRange ? parseHyperslab(start, stop, step) : selectionInQuery(request)
}
