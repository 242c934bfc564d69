// The parameters of values and queries: they select the elements of a dataset that are read, written or searched.

import { HyperslabError } from '@hyperslab/base/errors'
import { COLOUR_MAP_NAMES, type ColourMap } from '@hyperslab/meaning/colour-maps'
import { excerpt, type JsonValue } from '@hyperslab/model/json'
import { isCollection, kindOfCollection, type ObjectId } from '@hyperslab/model/names'
import { REDUCTION_NAMES, type ReductionRequest } from '@hyperslab/model/reduction'
import type { Range } from '@hyperslab/views/formats'
import type { RegionSource } from '../../service/attributes/regions.ts'
import { parseQuery } from '../../service/query/parse.ts'
import type { Query } from '../../service/query/query.ts'
import { COMPLEX_PARTS, type ComplexPart } from '../../service/reduction/complex-part.ts'
import { parseSelect } from '../../service/selection/parse.ts'
import { SELECT_ALL, type SelectionRequest } from '../../service/selection/request.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { wholeLimit } from './common-parameters.ts'
import { flagQuery, optionalQuery, type Parameter, type ParameterValues, whenUsed } from './parameter.ts'

// Selections

/**
 * The parameter `select`. An empty one counts as absent in the grammar `lists`, and is malformed in the grammar
 * `ranges`.
 */
export const SELECT: Parameter<SelectionRequest> = {
  name: 'select',
  in: 'query',
  description:
    'The elements: `[a:b:step,...]`, for each dimension a range, an index or, in the hsds dialect, a list of indices. Without it, all. With `regionref`, the element that is the region reference.',
  schema: { type: 'string', examples: ['[0:10:2,3]'] },
  read({ dialect, target }) {
    const grammar = dialect.rules.values.selections
    const text = target.query.get('select')
    if (text === null || (text === '' && grammar === 'lists')) return SELECT_ALL
    return parseSelect(text, grammar)
  },
}

/** The location of a region reference; `select` selects its element. */
export type RegionPath = Omit<RegionSource, 'element'>

export const REGION: Parameter<RegionPath | undefined> = optionalQuery({
  name: 'regionref',
  description:
    'A stored region reference selects the elements: `/<collection>/<id>/attributes/<name>`, or `/datasets/<id>`.',
  schema: { type: 'string', examples: ['/datasets/d-45a882e1-9d0111e8-8acf-0242ac-110009/attributes/roi'] },
  only: 'hsds',
  parse: parseRegionPath,
})

function parseRegionPath(path: string, dialect: Dialect): RegionPath {
  const [start, collection, id = '', attributes, ...rest] = path.split('/')
  const name = rest.join('/')
  const namesAttribute = attributes === 'attributes' && name !== ''
  if (
    start !== '' ||
    !isCollection(collection) ||
    !(namesAttribute || (collection === 'datasets' && attributes === undefined))
  ) {
    throw new HyperslabError(
      'malformed-selection',
      `regionref=${path} must have the form /<collection>/<id>/attributes/<name> or /datasets/<id>`,
    )
  }
  const kind = kindOfCollection(collection)
  const owner = { kind, id: dialect.parseId(id, kind) }
  return { owner, ...(namesAttribute && { attribute: name }) }
}

/** The selection in the query of a request. */
export interface SelectionInQuery {
  readonly select: SelectionRequest
  /**
   * The location of a region reference. If given, `select` selects one of its elements instead of elements of the
   * dataset.
   */
  readonly region?: RegionPath | undefined
}

export const FIELDS: Parameter<readonly string[] | undefined> = optionalQuery({
  name: 'fields',
  description: 'The members of a compound that are read or written, separated by colons.',
  schema: { type: 'string', examples: ['temperature:pressure'] },
  only: 'hsds',
  parse: text => text.split(':'),
})

export const REDUCE_DIM: Parameter<boolean> = flagQuery(
  'reduce_dim',
  'JSON of rank 2 or more comes without the dimensions of extent 1.',
  'hsds',
)

/**
 * Numbers that `missing` may have: a file has a few. Each is one more comparison of each element.
 * @limit safety, numbers
 */
const MAX_MISSING = 16

export const MISSING: Parameter<readonly (number | bigint)[] | undefined> = optionalQuery({
  name: 'missing',
  description:
    'The numbers, separated by commas, that stand for no value: they become NaN. The elements are floats then.',
  schema: { type: 'string', examples: ['-32767', '-9999,1e20'] },
  parse(text) {
    const numbers = text.split(',').map(parseNumber)
    const known = numbers.filter(number => number !== undefined)
    if (known.length === numbers.length && known.length <= MAX_MISSING) return known
    throw new HyperslabError(
      'malformed-parameter',
      `missing=${excerpt(text)} must be at most ${MAX_MISSING} numbers with commas between them`,
    )
  },
})

export const VALID: Parameter<{ min?: number | bigint; max?: number | bigint } | undefined> = optionalQuery({
  name: 'valid',
  description:
    'The least and the greatest number that is a value, with a comma between them; either may be left out. Others become NaN, as with `missing`.',
  schema: { type: 'string', examples: ['0,100', '0,'] },
  parse(text) {
    const [low = '', high = '', ...others] = text.split(',')
    const [min, max] = [parseNumber(low), parseNumber(high)]
    const isWrong = (low !== '' && min === undefined) || (high !== '' && max === undefined)
    const isOrdered = min === undefined || max === undefined || min <= max
    if (text.includes(',') && others.length === 0 && !isWrong && isOrdered)
      return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) }
    throw new HyperslabError(
      'malformed-parameter',
      `valid=${excerpt(text)} must be two numbers with a comma between them, the smaller one first; either may be ` +
        'left out',
    )
  },
})

export const MASK: Parameter<ObjectId | undefined> = optionalQuery({
  name: 'mask',
  description:
    'The id of a dataset of the same domain whose extents are the last ones of this one: where it is not 0, elements become NaN, as with `missing`.',
  schema: { type: 'string', examples: ['d-45a882e1-9d0111e8-8acf-0242ac-110009'] },
  parse: (text, dialect) => dialect.parseId(text, 'dataset'),
})

/** Integers are exact. Undefined: the text is no number. */
function parseNumber(text: string): number | bigint | undefined {
  const number = text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isNaN(number)) return undefined
  return Number.isSafeInteger(number) || !/^[+-]?\d+$/.test(text) ? number : BigInt(text)
}

export const PART: Parameter<ComplexPart | undefined> = optionalQuery({
  name: 'part',
  description:
    'One float of each complex number: its amplitude, its phase in radians, its real or its imaginary part. `missing`, `reduce` and `statistics` are of these.',
  schema: { type: 'string', enum: COMPLEX_PARTS },
  parse(text) {
    const part = COMPLEX_PARTS.find(part => part === text)
    if (part) return part
    throw new HyperslabError(
      'malformed-parameter',
      `part=${excerpt(text)} must be one of ${COMPLEX_PARTS.join(', ')}`,
    )
  },
})

/** `mean:4,2`: a name, and a factor for each dimension or one for all. */
export const REDUCE: Parameter<ReductionRequest | undefined> = optionalQuery({
  name: 'reduce',
  description:
    'The selection is reduced: each element of the answer is made from a block of elements, by one factor for each dimension. `minmax` makes two of each block, along one more dimension. NaN counts as absent.',
  schema: {
    type: 'string',
    pattern: `^(${REDUCTION_NAMES.join('|')}):[1-9][0-9]*(,[1-9][0-9]*)*$`,
    examples: ['mean:4,4', 'max:10'],
  },
  parse: parseReduction,
})

function parseReduction(text: string): ReductionRequest {
  const [word, list, ...rest] = text.split(':')
  const name = REDUCTION_NAMES.find(name => name === word)
  const factors = (list ?? '').split(',').map(factor => (/^\d+$/.test(factor) ? Number(factor) : 0))
  if (name && rest.length === 0 && factors.every(factor => factor >= 1 && Number.isSafeInteger(factor)))
    return { name, factors }
  throw new HyperslabError(
    'malformed-parameter',
    `reduce=${excerpt(text)} must be one of ${REDUCTION_NAMES.join(', ')}, a colon, and a whole number from 1 ` +
      'on for each dimension or one for all, as in mean:4,4',
  )
}

export const STATISTICS: Parameter<boolean> = flagQuery(
  'statistics',
  'The answer is statistics of the selection, in JSON: extremes, mean, standard deviation, histogram. NaN counts as absent.',
)

/** Bins of a histogram. @limit safety, bins */
const MAX_BINS = 4096

export const BINS: Parameter<number | undefined> = optionalQuery({
  name: 'bins',
  description: 'The number of bins in the histogram of `statistics`; 64 by default, 0 for no histogram.',
  schema: { type: 'string', pattern: '^(0|[1-9][0-9]{0,3})$', examples: ['256'] },
  parse(text) {
    const bins = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
    if (bins <= MAX_BINS) return bins
    throw new HyperslabError(
      'malformed-parameter',
      `bins=${excerpt(text)} must be a whole number from 0 to ${MAX_BINS}`,
    )
  },
})

const COLOUR_MAPS = COLOUR_MAP_NAMES.map(name => name.toLowerCase())

export const COLOUR_MAP: Parameter<ColourMap | undefined> = optionalQuery({
  name: 'colormap',
  description: 'The colours of an image; cubehelix by default.',
  schema: { type: 'string', enum: COLOUR_MAPS },
  parse(text) {
    const map = COLOUR_MAP_NAMES.find(name => name.toLowerCase() === text.toLowerCase())
    if (map) return map
    throw new HyperslabError(
      'malformed-parameter',
      `colormap=${excerpt(text)} must be one of ${COLOUR_MAPS.join(', ')}`,
    )
  },
})

export const COLOUR_RANGE: Parameter<Range | undefined> = optionalQuery({
  name: 'range',
  description:
    'The two numbers that get the first and the last colour of an image, with a comma between them. By default the extremes of the selection, which are found first.',
  schema: { type: 'string', examples: ['0,1.5'] },
  parse(text) {
    const [min, max, ...others] = text
      .split(',')
      .map(number => (number.trim() === '' ? Number.NaN : Number(number)))
    if (others.length === 0 && Number.isFinite(min) && Number.isFinite(max) && min <= max) return { min, max }
    throw new HyperslabError(
      'malformed-parameter',
      `range=${excerpt(text)} must be two numbers with a comma between them, the smaller one first`,
    )
  },
})

// Queries

/** Ways to choose elements other than a query. */
const OTHER_CHOICES = ['append', 'points', 'regionref', 'element_count']

export const QUERY: Parameter<Query | undefined> = {
  name: 'query',
  in: 'query',
  description: 'Only elements for which this condition holds. An empty one counts as absent.',
  schema: { type: 'string', maxLength: 2 ** 18, examples: ["temp > 20 AND station == 'N1'"] },
  read({ dialect: { rules }, target }) {
    const text = target.query.get('query')
    if (text === null || text === '') return undefined
    if (rules.values.options) requireNoOtherChoice(OTHER_CHOICES.find(name => target.query.get(name)))
    return parseQuery(text, rules.queries.grammar)
  },
}

/** `other` is the name of another choice of elements, if the request has one. */
export function requireNoOtherChoice(other: string | undefined): void {
  if (other === undefined) return
  throw new HyperslabError('malformed-parameter', `query and ${other} cannot go together`)
}

export const QUERY_LIMIT: Parameter<number | undefined> = optionalQuery({
  name: 'Limit',
  description: 'The largest number of elements that the query finds. 0 and negative numbers mean no limit.',
  schema: { type: 'string', pattern: '^\\s*[+-]?[0-9]+\\s*$', examples: ['100'] },
  parse: parseQueryLimit,
})

/** `text` is not empty (hsds-values 11.4). */
export function parseQueryLimit(text: string): number | undefined {
  const limit = wholeLimit(text)
  return limit > 0 ? limit : undefined
}

// Writes

/**
 * The parameter, rejected instead of ignored in the dialect that does not have it: a client that chooses elements by it
 * must not overwrite all of them (classic 7.10).
 */
function rejectedElsewhere<T>(parameter: Parameter<T>): Parameter<T> {
  const { name, only, read } = parameter
  return {
    ...parameter,
    read(head) {
      if (only !== head.dialect.name && head.target.query.get(name)) throw noSuchOption(name)
      return read(head)
    },
  }
}

export function noSuchOption(name: string): HyperslabError {
  return new HyperslabError(
    'malformed-parameter',
    `writes have no option "${name}" in this dialect: leave it out`,
  )
}

/** A member of bodies, rejected in the query for the same reason. */
function memberOfBody(name: string): Parameter<undefined> {
  return optionalQuery<undefined>({
    name,
    description: 'Must be absent: it is a member of the body.',
    schema: { type: 'string', maxLength: 0 },
    parse() {
      throw new HyperslabError(
        'malformed-parameter',
        `${name} must be in the body of a write, not in the URL`,
      )
    },
  })
}

/** A number, which is not read if the body has one. */
function numberOption(name: string, min: number, description: string): Parameter<() => number | undefined> {
  const number = optionalQuery({
    name,
    description,
    schema: { type: 'string', pattern: min > 0 ? '^(?!0+$)[0-9]+$' : '^[0-9]+$', examples: [String(min)] },
    only: 'hsds',
    parse: text => requireNumber(name, min, /^\d+$/.test(text) ? Number(text) : text),
  })
  return rejectedElsewhere(whenUsed(number))
}

/** A whole number, `min` or more. */
export function requireNumber(name: string, min: number, json: JsonValue): number {
  if (typeof json === 'number' && Number.isSafeInteger(json) && json >= min) return json
  throw new HyperslabError(
    'malformed-parameter',
    `${name} must be a whole number from ${min} on, not ${excerpt(json)}`,
  )
}

/** The parameters of a write. The numbers may be in the body instead, which has precedence. */
export const WRITE_OPTIONS = {
  region: rejectedElsewhere(REGION),
  start: memberOfBody('start'),
  stop: memberOfBody('stop'),
  step: memberOfBody('step'),
  points: memberOfBody('points'),
  value: memberOfBody('value'),
  append: numberOption('append', 1, 'A dimension grows by this number, and the new elements are written.'),
  appendDim: numberOption('append_dim', 0, 'The dimension that grows with `append`; 0 by default.'),
  elementCount: numberOption(
    'element_count',
    1,
    'The number of elements in the body, which are repeated over the selection.',
  ),
  fields: rejectedElsewhere(FIELDS),
  query: rejectedElsewhere({ ...QUERY, only: 'hsds' }),
  select: SELECT,
  limit: whenUsed({ ...QUERY_LIMIT, only: 'hsds' }),
} as const

export type WriteParameters = ParameterValues<typeof WRITE_OPTIONS>

/** The options of a write that are all in its body. */
export const NO_WRITE_OPTIONS: WriteParameters = {
  region: undefined,
  start: undefined,
  stop: undefined,
  step: undefined,
  points: undefined,
  value: undefined,
  append: () => undefined,
  appendDim: () => undefined,
  elementCount: () => undefined,
  fields: undefined,
  query: undefined,
  select: SELECT_ALL,
  limit: () => undefined,
}

/** `regionref` of a request whose body selects. */
export const NO_REGION: Parameter<undefined> = optionalQuery<undefined>({
  name: 'regionref',
  description: 'Must be absent: the body selects.',
  schema: { type: 'string', maxLength: 0 },
  only: 'hsds',
  parse() {
    throw new HyperslabError(
      'malformed-selection',
      'regionref cannot go together with a body that selects: GET reads the elements of a region',
    )
  },
})
