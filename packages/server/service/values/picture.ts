// The numbers of a picture of a dataset or of a part of it: a field brought down to the size of the picture, an image
// of colours, or a line with the smallest and the largest number of each of its parts.

import { HyperslabError } from '@hyperslab/base/errors'
import {
  type Attributes,
  brightestOf,
  type FirstLook,
  firstLookOf,
  type SliceUse,
} from '@hyperslab/meaning/meaning'
import { extentsOf, product } from '@hyperslab/model/dataset'
import type { Datatype } from '@hyperslab/model/datatype'
import { isNumeric, type SingleName } from '@hyperslab/model/reduction'
import type { Dataset } from '@hyperslab/store/store'
import { formOf } from '../attributes/known-attributes.ts'
import type { Context, OpenDomain } from '../context.ts'
import { SELECT_ALL, type SelectionRequest } from '../selection/request.ts'
import { presentValues } from './present-values.ts'
import { reduceToNumbers } from './reductions.ts'
import { readValues, type SelectedValues } from './values.ts'

/** A picture as it is asked for. */
export interface PictureRequest {
  /** `all`: the last two dimensions of more than one element, at the middle of the others. */
  readonly selection: SelectionRequest
  /** The size of an image at most, and that of a line. An image is enlarged to it only if it is given. */
  readonly width?: number | undefined
  readonly height?: number | undefined
  /** Absent: the mean for images; for lines the smallest and the largest number. */
  readonly reduce?: SingleName | undefined
  /** The first look at the dataset, which says what `all` shows; absent: its type and its shape say it. */
  readonly look?: FirstLook | undefined
  /** Attributes that groups around the dataset give it. */
  readonly around?: Attributes | undefined
}

/** Numbers in rows and columns, each drawn as a rectangle of points. */
export interface PictureField {
  readonly kind: 'field' | 'colours'
  readonly rows: number
  readonly columns: number
  /** Numbers of one point: one, or its colours. */
  readonly channels: number
  readonly width: number
  readonly height: number
  readonly numbers: Float64Array
}

export interface PictureLine {
  readonly kind: 'line'
  readonly columns: number
  readonly rows: number
  readonly low: Float64Array
  readonly high: Float64Array
}

/** Rows and columns of a picture whose size is not given. */
const SIDE = 128
/** The longer side of an image is at most this many times the shorter one, which is stretched. */
const LONGEST = 8
/** A chunk takes as long as this many elements, at least. */
const CHUNK_COST = 4096
/** Elements that are read for the picture of a dataset: those that are stored. @limit safety, elements */
const MAX_READ = 2 ** 28
/** Red, green and blue, and alpha. */
const COLOUR_CHANNELS = [3, 4]

/** The parts of a selection that a picture shows: dimensions of the result. */
interface Shown {
  readonly rows?: number
  readonly columns: number
  /** The dimension of colours. */
  readonly colours?: number
}

/** Undefined: there are no numbers. Throws for values that a picture cannot show. */
export async function readPicture(
  context: Context,
  domain: OpenDomain,
  dataset: Dataset,
  request: PictureRequest,
): Promise<PictureField | PictureLine | undefined> {
  const selection =
    request.selection.kind === 'all' ? middleOf(dataset, request.look).selection : request.selection
  const read = await readValues(context, domain, dataset.id, { selection })
  // Colours are no numbers of which one may stand for no value.
  const colours = colourDimension(read.shape ?? [], dataset.type, request.look)
  const values = colours !== undefined ? read : await presentValues(context, read, request.around)
  const { shape } = values
  if (shape === undefined || shape.includes(0)) return undefined
  const shown = shownOf(shape, colours)
  const { chunks } = await context.reader.allocation(dataset.id)
  const count = Math.min(product(shape), elementsIn(dataset, chunks))
  if (count > MAX_READ) {
    throw new HyperslabError(
      'selection-too-large',
      `the picture needs ${count} stored elements, more than ${MAX_READ}: select less`,
    )
  }
  return shown.rows === undefined
    ? readLine(context, values, shape, shown.columns, request)
    : readField(context, values, shape, { ...shown, rows: shown.rows }, request)
}

/** A part of a dataset, and its extents in the dimensions that are not one index. */
interface Middle {
  readonly selection: SelectionRequest
  readonly extents: readonly number[]
}

/** The last two dimensions of more than one element, or one; the middle of the others: the first is often empty. */
export function middleOf({ space, type }: Dataset, look?: FirstLook): Middle {
  const extents = extentsOf(space)
  // A scalar has no dimensions, and a dataset with an extent of 0 no elements.
  if (extents.length === 0 || extents.includes(0)) return { selection: SELECT_ALL, extents }
  const given = look?.slice?.every((use, d) => typeof use !== 'number' || use < extents[d])
    ? look.slice
    : undefined
  if (given) return sliceOf(extents, given)
  const last = extents.length - 1
  const colours = colourDimension(extents, type, look)
  const candidates = extents.flatMap((extent, d) => (extent > 1 && d !== colours ? [d] : []))
  const isFew = candidates.length > 2 && extents[last] <= MAX_FEW && candidates.at(-1) === last
  const shown = (isFew ? candidates.slice(0, -1) : candidates).slice(look?.kind === 'line' ? -1 : -2)
  if (colours !== undefined) shown.push(colours)
  const items = extents.map((extent, d) => {
    if (shown.includes(d)) return {}
    const middle = isFew && d === last ? 0 : Math.floor(extent / 2)
    return { start: middle, stop: middle + 1 }
  })
  return { selection: { kind: 'select', grammar: 'lists', items }, extents: shown.map(d => extents[d]) }
}

function sliceOf(extents: readonly number[], uses: readonly SliceUse[]): Middle {
  const items = uses.map(use => (typeof use === 'number' ? { start: use, stop: use + 1 } : {}))
  const shown = extents.filter((_, d) => typeof uses[d] !== 'number')
  return { selection: { kind: 'select', grammar: 'lists', items }, extents: shown }
}

/**
 * A last dimension of up to this many elements, after two others, is one of kinds of values, not of columns. @limit
 * safety, elements
 */
const MAX_FEW = 4

/** A dataset as the rules of drawings look at it. */
export function drawnDataset(type: Datatype, shape: readonly number[]) {
  const form = isNumeric(type) ? formOf(type) : undefined
  return { form, isInteger: type.class === 'H5T_INTEGER', shape }
}

/** The dimension of the colours of bytes and numbers of 16 bits, as far as the look, the type or the shape says it. */
function colourDimension(shape: readonly number[], type: Datatype, look?: FirstLook): number | undefined {
  if (type.class !== 'H5T_INTEGER' || type.signed || type.size > 2) return undefined
  const { kind, colours } = look ?? firstLookOf(drawnDataset(type, shape), new Map(), new Map())
  const last = shape.length - 1
  const dimension = kind === 'colours' ? colours : type.size === 1 && last >= 2 ? last : undefined
  return dimension !== undefined && COLOUR_CHANNELS.includes(shape[dimension]) ? dimension : undefined
}

function shownOf(shape: readonly number[], colours: number | undefined): Shown {
  const all = shape.flatMap((extent, d) => (extent > 1 ? [d] : []))
  const others = all.filter(d => d !== colours)
  if (colours !== undefined && others.length <= 2) {
    const few = [...shape.keys()].filter(d => d !== colours).slice(-2)
    const [rows, columns] = others.length === 2 ? others : few
    return { rows, columns, colours }
  }
  if (all.length > 2) {
    throw new HyperslabError(
      'malformed-selection',
      `a picture shows two dimensions of more than one element, the selection has ${all.length}, in [${shape.join(', ')}]: ` +
        'select one index in the others',
    )
  }
  return all.length === 2 ? { rows: all[0], columns: all[1] } : { columns: all[0] ?? 0 }
}

/** The most elements that the chunks hold; Infinity: it does not follow from their number. */
export function elementsIn({ creationProperties }: Dataset, chunks: number): number {
  const { layout, chunkDims, initializer } = creationProperties
  if (layout !== 'H5D_CHUNKED' || !chunkDims || initializer) return Number.POSITIVE_INFINITY
  return chunks * Math.max(product(chunkDims), CHUNK_COST)
}

async function readField(
  context: Context,
  values: SelectedValues,
  shape: readonly number[],
  shown: Required<Pick<Shown, 'rows'>> & Shown,
  { width, height, reduce = 'mean' }: PictureRequest,
): Promise<PictureField> {
  const [rows, columns] = [shape[shown.rows], shape[shown.columns]]
  const box = { width: width ?? height ?? SIDE, height: height ?? width ?? SIDE }
  // The sides of an image of this form that fits into the box.
  const form = Math.min(LONGEST, Math.max(1 / LONGEST, columns / rows))
  const wide = Math.max(1, Math.min(box.width, box.height * form))
  const high = Math.max(1, Math.min(box.height, box.width / form))
  const isStretched = form !== columns / rows
  const factor = Math.ceil(Math.max(columns / box.width, rows / box.height))
  const rowFactor = isStretched ? Math.ceil(rows / high) : factor
  const columnFactor = isStretched ? Math.ceil(columns / wide) : factor
  const factors = shape.map((_, d) => (d === shown.rows ? rowFactor : d === shown.columns ? columnFactor : 1))
  const size = { rows: Math.ceil(rows / rowFactor), columns: Math.ceil(columns / columnFactor) }
  const isEnlarged = isStretched || width !== undefined || height !== undefined
  const stretch = { width: Math.floor(wide / size.columns), height: Math.floor(high / size.rows) }
  const both = Math.min(stretch.width, stretch.height)
  const drawn = !isEnlarged ? { width: 1, height: 1 } : isStretched ? stretch : { width: both, height: both }
  const channels = shown.colours === undefined ? 1 : shape[shown.colours]
  const [numbers] = await reduceToNumbers(context, values, [reduce], factors)
  return {
    ...(shown.colours === undefined
      ? { kind: 'field', numbers }
      : {
          kind: 'colours',
          numbers: coloursOf(numbers, { ...shown, colours: shown.colours }, { ...size, colours: channels }),
        }),
    ...size,
    channels,
    width: Math.max(1, drawn.width),
    height: Math.max(1, drawn.height),
  }
}

/** The colours of each point together, from 0 to 255: they come in the order of the dimensions. */
function coloursOf(numbers: Float64Array, dimensions: Required<Shown>, sizes: Required<Shown>): Float64Array {
  const names = ['rows', 'columns', 'colours'] as const
  const stepOf = (of: (typeof names)[number]) =>
    product(names.filter(name => dimensions[name] > dimensions[of]).map(name => sizes[name]))
  const [down, across, deep] = names.map(stepOf)
  let most = 0
  for (const number of numbers) if (number > most) most = number
  const factor = 255 / brightestOf(most)
  if (factor === 1 && deep === 1) return numbers
  const colours = new Float64Array(numbers.length)
  let at = 0
  for (let row = 0; row < sizes.rows; row++)
    for (let column = 0; column < sizes.columns; column++)
      for (let colour = 0; colour < sizes.colours; colour++)
        colours[at++] = factor * numbers[row * down + column * across + colour * deep]
  return colours
}

async function readLine(
  context: Context,
  values: SelectedValues,
  shape: readonly number[],
  dimension: number,
  { width, height, reduce }: PictureRequest,
): Promise<PictureLine> {
  const columns = width ?? (height === undefined ? SIDE : 2 * height)
  const rows = height ?? Math.max(1, Math.floor(columns / 2))
  const length = shape[dimension] ?? 1
  const factor = Math.ceil(length / columns)
  const factors = shape.map((_, d) => (d === dimension ? factor : 1))
  const names: SingleName[] = factor === 1 ? ['first'] : reduce ? [reduce] : ['min', 'max']
  const [low, high = low] = await reduceToNumbers(context, values, names, factors)
  return { kind: 'line', columns, rows, low, high }
}
