// Curves of other datasets in a drawing of lines, of this file or another one of the service: what the address names is
// found and gets its own axis. One that cannot be drawn is a problem in words, and the others are drawn.

import { isComplex, numberForm, productOf } from '@hyperslab/client/elements'
import { messageOf } from '../../../common/errors.ts'
import { axisOf, sampledCoordinates } from '../../data/axis.ts'
import type { Contents } from '../../data/contents.ts'
import { type Plot, plotOf } from '../../data/plot.ts'
import { slicedBy } from '../../data/slice.ts'
import { type Tiles, tilesOf } from '../../data/tiles.ts'
import type { DimensionUse, Reference } from '../../view-address.ts'
import type { DrawnCurve } from '../models/curves.ts'

/** The name of a curve: the path of its dataset, and that of its file where it is another one. */
export function nameOfReference([path, file]: Reference): string {
  return file === undefined ? path : `${file} ${path}`
}

export interface Compared {
  readonly curves: readonly DrawnCurve[]
  /** Sentences on what is not drawn. */
  readonly problems: readonly string[]
}

export const NOTHING_COMPARED: Compared = { curves: [], problems: [] }

/** Of the curves in the order of the references. */
export async function findCompared(
  references: readonly Reference[],
  contentsOf: (file: string | undefined) => Contents,
  signal: AbortSignal,
): Promise<Compared> {
  const found = await Promise.all(
    references.map(async (reference): Promise<DrawnCurve | string> => {
      try {
        return await curveOf(reference, contentsOf(reference[1]), signal)
      } catch (error) {
        return `${nameOfReference(reference)} is not drawn: ${messageOf(error)}`
      }
    }),
  )
  return {
    curves: found.filter(one => typeof one !== 'string'),
    problems: found.filter(one => typeof one === 'string'),
  }
}

async function curveOf(reference: Reference, contents: Contents, signal: AbortSignal): Promise<DrawnCurve> {
  const plot = await plotOf(contents, await contents.at(reference[0]), signal)
  const { dataset } = plot?.signal ?? {}
  if (plot === undefined || dataset?.shape === undefined || productOf(dataset.shape) === 0)
    throw new Error('it has no elements')
  if (dataset.shape.length === 0 || (numberForm(dataset.type) === undefined && !isComplex(dataset.type)))
    throw new Error('it is no array of numbers')
  const uses = usesBeside(plot, [])
  const axis = plot.axes[uses.indexOf('x')]
  if (axis === undefined) throw new Error('it has no axis')
  const sampled = axis.source && (await sampledCoordinates(axis, signal))
  const { domain } = contents
  return {
    ...plot,
    dataset,
    label: nameOfReference(reference),
    errors: undefined,
    uses: slice => usesBeside(plot, slice),
    own: { axis: axisOf(axis, sampled, false), domain, tiles: tilesOf(domain), units: axis.meaning?.units },
  }
}

/** The slice beside that of the plot: the same one if the dataset has it. Its axis stays the last dimension. */
function usesBeside(plot: Plot, slice: readonly DimensionUse[]): readonly DimensionUse[] {
  const usual = slicedBy(plot, {}, { axes: ['x'] })
  const uses = slicedBy(plot, { slice }, { axes: ['x'] })
  return uses.indexOf('x') === usual.indexOf('x') ? uses : usual
}

/** An image to compare with: its plot, and its file. */
export interface FoundImage {
  readonly plot: Plot
  readonly contents: Contents
  readonly tiles: Tiles
}

/** Rejects with the reason why there is no image. */
export async function findImage(
  [path]: Reference,
  contents: Contents,
  signal: AbortSignal,
): Promise<FoundImage> {
  const plot = await plotOf(contents, await contents.at(path), signal)
  const { shape = [], type } = plot?.signal.dataset ?? {}
  if (plot === undefined || type === undefined || shape.length < 2 || productOf(shape) === 0)
    throw new Error('it is no image')
  if (numberForm(type) === undefined && !isComplex(type)) throw new Error('it has no numbers')
  return { plot, contents, tiles: tilesOf(contents.domain) }
}
