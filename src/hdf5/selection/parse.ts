// From the wire to a SelectionRequest: the text of `select` (contract 10, 15.2), the members `start`, `stop`, `step`
// (7.10) and `points` (7.9) of a body. Numbers are exact up to 2^53 - 1; booleans, fractions and texts are refused.

import { HyperslabError } from '../../errors.ts'
import type { JsonValue } from '../json.ts'
import { type RangeItem, SELECT_ALL, type SelectionRequest } from './request.ts'

/** `[a:b:c,...]`, an item per dimension, blanks allowed, or `ALL`. */
export function parseSelect(text: string): SelectionRequest {
  const trimmed = text.trim()
  if (trimmed === 'ALL') return SELECT_ALL
  if (trimmed.length < 2 || !trimmed.startsWith('[') || !trimmed.endsWith(']')) {
    throw malformed(text, 'it has the form [item,...] with one item per dimension, or is ALL')
  }
  const inner = trimmed.slice(1, -1)
  if (/[[\]]/.test(inner)) throw malformed(text, 'coordinate lists are not supported')
  return { kind: 'select', items: inner.split(',').map(item => parseItem(item, text)) }
}

function parseItem(item: string, text: string): RangeItem {
  const parts = item.split(':').map(part => parseNumber(part.trim(), text))
  const [start, stop, step] = parts
  if (parts.length > 3) throw malformed(text, 'an item has at most two colons')
  if (parts.length === 1) {
    if (start === undefined) throw malformed(text, 'an item is empty')
    return { start, stop: start + 1 }
  }
  if (step === 0) throw malformed(text, 'a step must be at least 1')
  return {
    ...(start !== undefined && { start }),
    ...(stop !== undefined && { stop }),
    ...(step !== undefined && { step }),
  }
}

/** Undefined for empty text. */
function parseNumber(digits: string, text: string): number | undefined {
  if (digits === '') return undefined
  if (/^-\d+$/.test(digits)) throw malformed(text, `${digits} is negative`)
  if (!/^\d+$/.test(digits)) throw malformed(text, `"${digits}" is not a whole number`)
  const number = Number(digits)
  if (!Number.isSafeInteger(number)) throw malformed(text, `${digits} is beyond 2^53 - 1`)
  return number
}

function malformed(text: string, rule: string): HyperslabError {
  const shown = text.length > 200 ? `${text.slice(0, 200)}...` : text
  return new HyperslabError('malformed-selection', `select=${shown}: ${rule}`)
}

/**
 * A number for rank 1 or an array with a number per dimension. 0, null, an empty array and an absent member mean the
 * default: 0, the extent, 1; so does a 0 in an array of steps.
 */
export function parseHyperslab(
  start: JsonValue | undefined,
  stop: JsonValue | undefined,
  step: JsonValue | undefined,
): SelectionRequest {
  const starts = parseNumbers('start', start)
  const stops = parseNumbers('stop', stop)
  const steps = parseNumbers('step', step)?.map(number => (number === 0 ? 1 : number))
  if (starts === undefined && stops === undefined && steps === undefined) return SELECT_ALL
  return {
    kind: 'hyperslab',
    ...(starts && { start: starts }),
    ...(stops && { stop: stops }),
    ...(steps && { step: steps }),
  }
}

function parseNumbers(name: string, json: JsonValue | undefined): readonly number[] | undefined {
  if (json === undefined || json === null || json === 0) return undefined
  const list: readonly JsonValue[] = Array.isArray(json) ? json : [json]
  return list.length === 0 ? undefined : list.map(item => wholeNumber(item, `"${name}"`))
}

/** An array of numbers for rank 1, of arrays of n numbers for rank n from 2 on; order and repetitions are kept. */
export function parsePoints(json: JsonValue): SelectionRequest {
  if (!Array.isArray(json)) {
    throw new HyperslabError('malformed-selection', '"points" must be an array of points')
  }
  const points: readonly JsonValue[] = json
  if (points.length === 0) return { kind: 'points', coordinates: new Float64Array(0) }
  if (!Array.isArray(points[0])) {
    return {
      kind: 'points',
      rank: 1,
      coordinates: Float64Array.from(points, point => wholeNumber(point, '"points"')),
    }
  }
  const rank = points[0].length
  if (rank < 2) {
    throw new HyperslabError('malformed-selection', '"points" of a dataset of rank 1 must be whole numbers')
  }
  const coordinates = new Float64Array(points.length * rank)
  points.forEach((point, index) => {
    if (!Array.isArray(point) || point.length !== rank) {
      throw new HyperslabError(
        'malformed-selection',
        `"points" must hold points of equal rank: point 0 has ${rank} coordinates, point ${index} is different`,
      )
    }
    for (let i = 0; i < rank; i++) coordinates[index * rank + i] = wholeNumber(point[i], '"points"')
  })
  return { kind: 'points', rank, coordinates }
}

function wholeNumber(json: JsonValue, name: string): number {
  if (typeof json === 'bigint' || (typeof json === 'number' && Math.abs(json) > Number.MAX_SAFE_INTEGER)) {
    throw new HyperslabError('selection-out-of-bounds', `${name} holds ${json}, which is beyond 2^53 - 1`)
  }
  if (typeof json !== 'number' || !Number.isInteger(json)) {
    throw new HyperslabError('malformed-selection', `${name} must hold whole numbers only`)
  }
  return json === 0 ? 0 : json
}
