// Two images that are compared, for a component: what is drawn of them, with one range, one slice and one zoom.

import { useMemo, useState } from 'react'
import { useShortcut } from '../../../common/shortcut.ts'
import type { PlotAxis } from '../../data/axis.ts'
import type { Image } from '../../data/image.ts'
import type { Plot } from '../../data/plot.ts'
import { useAxis } from '../../data/use-axis.ts'
import type { View } from '../../view-address.ts'
import type { ColourRange } from '../models/colour-range.ts'
import { joinedBounds } from '../models/domains.ts'
import type { ImageGeometry } from '../models/geometry.ts'
import { type ImageSight, type ImageSubject, imageOf, rangeSubject } from '../models/image.ts'
import { formatValue } from '../models/numbers.ts'
import { useGoodPixels } from '../special/use-good-pixels.ts'
import { useColourRange } from '../use-colour-range.ts'
import { useGeometry } from '../use-parts.ts'
import { nameOfReference } from './compared.ts'
import { differenceImage, differenceRange } from './difference.ts'
import { useFoundImage } from './use-compared.ts'

/** An image on the screen. */
export interface DrawnImage {
  readonly name: string
  readonly label: string
  readonly image: Image
  readonly geometry: ImageGeometry
  readonly axes: { readonly x: PlotAxis; readonly y: PlotAxis }
}

export interface PairedImages {
  /** One or two. */
  readonly drawn: readonly DrawnImage[]
  readonly range: ColourRange
  /** Sentences on the two. */
  readonly notes: readonly string[]
  readonly blink: (() => void) | undefined
}

interface PairOptions {
  readonly subject: ImageSubject
  readonly view: View
  readonly change: (choices: Partial<View>) => void
  readonly seen: ImageSight
  readonly range: ColourRange
  readonly isHeld: boolean
  /** Undefined: it is not known yet. */
  readonly main: DrawnImage | undefined
}

export function usePair({ subject, view, change, seen, range, isHeld, main }: PairOptions): PairedImages {
  const { other, notes, range: otherRange } = useOther(subject, view, seen, isHeld)
  const [isOther, setOther] = useState(false)
  const { pair = 'beside' } = view
  const blink = () => (pair === 'blink' ? setOther(!isOther) : change({ pair: 'blink', range: undefined }))
  useShortcut('b', () => {
    if (other) blink()
  })
  const [image, otherImage] = [main?.image, other?.image]
  const difference = useMemo(
    () => (image && otherImage && pair === 'difference' ? differenceImage(image, otherImage) : undefined),
    [image, otherImage, pair],
  )
  if (main === undefined) return { drawn: [], range, notes, blink: undefined }
  if (other === undefined) return { drawn: [main], range, notes, blink: undefined }
  if (difference) {
    const label = `${main.label} − ${other.label}`
    return {
      drawn: [{ ...main, label, image: difference }],
      range: differenceRange(difference),
      notes: [differenceNote(difference, main, other), ...notes],
      blink: undefined,
    }
  }
  const bounds = joinedBounds([range.bounds, otherRange.bounds])
  const text = bounds
    ? `The colours span ${formatValue(bounds.min)} to ${formatValue(bounds.max)} in both images.`
    : range.text
  const joined = { ...range, ...(bounds && { bounds }), text, histogram: undefined }
  if (pair === 'blink') {
    const shown = isOther ? other : main
    return { drawn: [shown], range: joined, notes: [`Shown: ${shown.name}.`, ...notes], blink }
  }
  return { drawn: [main, other], range: joined, notes, blink: undefined }
}

function differenceNote({ picture }: Image, main: DrawnImage, other: DrawnImage): string {
  if (picture) return `It is the difference of the points that are drawn: ${main.name} − ${other.name}.`
  const shapes = [main, other].map(({ geometry: { x, y } }) => `${y.length} × ${x.length}`)
  return shapes[0] === shapes[1]
    ? 'There is no difference where the axes are not the same.'
    : `There is no difference of images of ${shapes.join(' and ')} elements.`
}

export interface ImageAxes {
  readonly x: PlotAxis | undefined
  readonly y: PlotAxis | undefined
}

export function useImageAxes(subject: ImageSubject | undefined): ImageAxes {
  return { y: useAxis(subject?.yAxis, true), x: useAxis(subject?.xAxis, true) }
}

/** Undefined: its axes are not known yet. */
export function drawnImage(
  { plot, label }: ImageSubject,
  image: Image,
  geometry: ImageGeometry | undefined,
  { x, y }: ImageAxes,
): DrawnImage | undefined {
  return geometry && x && y && { name: plot.signal.path, label, image, geometry, axes: { x, y } }
}

const NOTHING_FOUND = { contents: undefined, tiles: undefined }

/** The image that the address names, in the slice of this one, as far as this one is in sight. */
function useOther(main: ImageSubject, view: View, seen: ImageSight, isHeld: boolean) {
  const { beside } = view
  const { found, problem } = useFoundImage(beside)
  const subject = otherSubject(found?.plot, main, view)
  const axes = useImageAxes(found && subject)
  const geometry = useGeometry(axes.y, axes.x)
  const sight = found && seen.sight
  const file = found ?? NOTHING_FOUND
  const image = useGoodPixels(subject, { geometry, zoom: seen.zoom, sight }, { file })
  // Nothing is read for the range while there is no image.
  const ranged = rangeSubject(
    subject,
    view,
    found ? image : { ...image, picture: undefined, overview: undefined },
  )
  const range = useColourRange({ ...ranged, domain: found?.contents.domain }, isHeld)
  const drawn = drawnImage(subject, image, geometry, axes)
  const other = found && beside && drawn && { ...drawn, name: nameOfReference(beside) }
  const [units, otherUnits] = [main.plot.meaning.units, subject.plot.meaning.units]
  const notes = [
    ...(problem === undefined ? [] : [problem]),
    ...(other && units !== otherUnits
      ? [`${other.name} has other units (${otherUnits ?? 'none'} instead of ${units ?? 'none'}).`]
      : []),
  ]
  return { other, notes, range }
}

function otherSubject(plot: Plot | undefined, main: ImageSubject, view: View): ImageSubject {
  if (plot === undefined) return main
  const { uses, reduction, ratio } = main
  const same = { signal: undefined, isFollowed: undefined, slice: uses, ratio, reduction }
  return imageOf({ ...plot, palette: undefined }, { ...view, ...same })
}
