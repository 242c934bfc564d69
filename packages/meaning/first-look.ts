// How a dataset is drawn first: as a line, an image or an image of colours, on which scale, and which of its elements.
// It follows from the dataset, its attributes, and those of the group of NeXus that shows it.

import { type Attributes, textOf, textsOf } from './attributes.ts'
import { colourDimension, type DrawnDataset, isOfLight, SHORTEST_SIDE } from './roles.ts'

export const VALUE_SCALES = ['linear', 'log', 'symlog', 'sqrt'] as const
export type ValueScale = (typeof VALUE_SCALES)[number]
export type AxisScale = Exclude<ValueScale, 'sqrt'>

/** The use of a dimension: an axis of the drawing, or one index. */
export type SliceUse = number | 'x' | 'y'

export interface FirstLook {
  /** `colours`: an image that has a dimension of colours. */
  readonly kind: 'line' | 'image' | 'colours'
  /** The dimension that has three or four colours, or may have them; undefined: there is none. */
  readonly colours: number | undefined
  /** One for each dimension; undefined: no attribute says which elements are shown. */
  readonly slice: readonly SliceUse[] | undefined
  /** Undefined: no attribute says it. */
  readonly scale: ValueScale | undefined
  /** One for each axis, as far as attributes say it. */
  readonly axisScales: readonly (AxisScale | undefined)[]
}

/** Attributes that are looked at: of a dataset, and of its group. */
export const LOOK_ATTRIBUTES = {
  dataset: ['CLASS', 'IMAGE_SUBCLASS', 'INTERLACE_MODE', 'DIMENSION_LIST', 'axes', 'interpretation'],
  group: ['default_slice', 'SILX_style'],
} as const

/** `group`: the attributes of the NXdata that shows the dataset; none without one. */
export function firstLookOf(dataset: DrawnDataset, attributes: Attributes, group: Attributes): FirstLook {
  return {
    ...kindOf(dataset, attributes),
    slice: sliceOf(group, dataset.shape.length),
    ...scalesOf(group),
  }
}

function kindOf(dataset: DrawnDataset, attributes: Attributes): Pick<FirstLook, 'kind' | 'colours'> {
  const rank = dataset.shape.length
  const interpretation = textOf(attributes, 'interpretation')
  const known = colourDimension(dataset, attributes)
  const colours = known ?? possibleColours(dataset)
  const isMeantAsColours =
    known !== undefined ||
    textOf(attributes, 'IMAGE_SUBCLASS') === 'IMAGE_TRUECOLOR' ||
    interpretation === 'rgb-image' ||
    interpretation === 'rgba-image' ||
    // Three or four planes may as well be as many images.
    (textOf(attributes, 'CLASS') === 'IMAGE' && colours === rank - 1)
  if (isMeantAsColours && colours !== undefined) return { kind: 'colours', colours }
  return { kind: rank <= 1 || interpretation === 'spectrum' ? 'line' : 'image', colours }
}

/** The last dimension, or that of planes, if it may be one of three or four colours. */
function possibleColours(dataset: DrawnDataset): number | undefined {
  const { form, shape } = dataset
  if (form === undefined || shape.length < 3) return undefined
  const isOfColours = (extent = 0) => extent === 3 || extent === 4
  if (isOfColours(shape.at(-1))) return shape.length - 1
  const isImage = shape.slice(-2).every(side => side >= SHORTEST_SIDE)
  return isOfLight(dataset) && isOfColours(shape.at(-3)) && isImage ? shape.length - 3 : undefined
}

/** The attribute `default_slice` of NXdata: an index for each dimension, or `.` for those that are drawn. */
function sliceOf(group: Attributes, rank: number): readonly SliceUse[] | undefined {
  const parts = textsOf(group, 'default_slice') ?? []
  if (parts.length !== rank || !parts.every(part => part === '.' || /^\d+$/.test(part))) return undefined
  const drawn = parts.flatMap((part, d) => (part === '.' ? [d] : []))
  if (drawn.length === 0 || drawn.length > 2) return undefined
  return parts.map((part, d) => (part !== '.' ? Number(part) : d === drawn.at(-1) ? 'x' : 'y'))
}

/** The attribute `SILX_style`, which is JSON. */
function scalesOf(group: Attributes): Pick<FirstLook, 'scale' | 'axisScales'> {
  try {
    const style: unknown = JSON.parse(textOf(group, 'SILX_style') ?? '{}')
    const { signal_scale_type: scale, axes_scale_type: axes } = style as Record<string, unknown>
    const axisScales = Array.isArray(axes) ? axes : [axes]
    return {
      scale: scaleIn(scale),
      axisScales: axisScales.map(scaleIn).map(one => (one === 'sqrt' ? undefined : one)),
    }
  } catch {
    return { scale: undefined, axisScales: [] }
  }
}

function scaleIn(value: unknown): ValueScale | undefined {
  return VALUE_SCALES.find(scale => scale === value)
}
