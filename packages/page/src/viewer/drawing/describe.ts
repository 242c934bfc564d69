// A drawing in words, for people who do not see it: what its axes have in sight, and what is said of its numbers.

import { type Camera, type Frame, seenDomains } from './frame.ts'
import { formatOf } from './paint.ts'
import type { Domain } from './scales.ts'
import type { Scene, SceneAxis } from './scene.ts'
import { formatEnd } from './tick-text.ts'

/** `x: time from 2000-01-01 to 2000-01-31. y from 0 to 5.`, and the sentences of `values` after it. */
export function describeScene(scene: Scene, frame: Frame, camera: Camera, values: string): string {
  const { x, y } = seenDomains(frame, camera)
  return [axisText('x', scene.x, x), axisText('y', scene.y, y), values].filter(Boolean).join(' ')
}

function axisText(name: string, axis: SceneAxis, seen: Domain): string {
  const within = (end: number) => Math.min(Math.max(end, Math.min(...axis.domain)), Math.max(...axis.domain))
  const ends = seen.map(within).sort((one, other) => one - other)
  const [from = Number.NaN, to = Number.NaN] = ends
  if (axis.isEmpty || !Number.isFinite(to - from)) return ''
  const text = (end: number) =>
    (axis.format && (formatOf(axis, seen)(end) || undefined)) ?? formatEnd(end, [from, to])
  const title = axis.label && axis.label !== name ? `${name}: ${axis.label}` : name
  return `${title} from ${text(from)} to ${text(to)}.`
}
