// The sentences below a drawing: which elements its points stand for.

import type { CurvePoints } from '../../data/curves.ts'
import { progressText } from '../../data/tiles.ts'
import type { DrawnCurve } from './curves.ts'

export interface LineNote {
  /** Blocks have a least and a greatest element; otherwise the first of each is drawn. */
  readonly hasExtremes: boolean
  readonly isUnwrapped: boolean
  readonly isOfSight: boolean
  /** Whether a point is a finite number: others are not drawn. */
  readonly isDrawn: boolean
}

export function lineNote(
  { extent, progress }: Pick<CurvePoints, 'extent' | 'progress'>,
  { hasExtremes, isUnwrapped, isOfSight, isDrawn }: LineNote,
): string {
  if (!isDrawn && progress === undefined) return 'No element in sight is a finite number.'
  const isReduced = extent.block > 1
  const points = hasExtremes ? 'the least and the greatest' : 'the first'
  const sentences = [
    isReduced
      ? `The line goes through ${points} of each ${extent.block.toLocaleString('en')} elements${progressText(progress)}.`
      : 'The line goes through all elements in sight.',
  ]
  if (isReduced && isUnwrapped)
    sentences.push('Turns of the phase between these points are not seen: zoom in.')
  if (isOfSight) sentences.push('Its axis spans what is in sight.')
  return sentences.join(' ')
}

/** The curves that have other units than the plot, in sentences. */
export function unitsNote(
  units: { readonly y: string | undefined; readonly x: string | undefined },
  curves: readonly DrawnCurve[],
): readonly string[] {
  const name = (unit: string | undefined) => unit ?? 'none'
  return curves.flatMap(({ label, meaning, own }) => {
    if (own === undefined) return []
    const differs = (axis: string, other: string | undefined, unit: string | undefined) =>
      other === unit ? [] : [`${axis}: ${name(other)} instead of ${name(unit)}`]
    const others = [...differs('y', meaning.units, units.y), ...differs('x', own.units, units.x)]
    return others.length > 0 ? [`${label} has other units (${others.join(', ')}).`] : []
  })
}
