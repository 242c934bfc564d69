// The place of a picture on the canvas.

import { useVisCanvasContext } from '@h5web/lib'
import type { Picture } from '../data/image.ts'

/** The position, size and direction of a picture on the canvas. The last blocks may be cut. */
export function usePlace(
  { x, y, columns, rows }: Picture,
  toX: (position: number) => number,
  toY: (position: number) => number,
  depth: number,
) {
  const { abscissaScale, ordinateScale } = useVisCanvasContext()
  const place = (start: number, count: number, block: number, at: (position: number) => number) => {
    const [from, to] = [at(start), at(start + count * block)]
    return { middle: (from + to) / 2, length: Math.abs(to - from), sign: to < from ? -1 : 1 }
  }
  const across = place(x.start, columns, x.block, position => abscissaScale(toX(position)))
  const up = place(y.start, rows, y.block, position => ordinateScale(toY(position)))
  return {
    position: [across.middle, up.middle, depth / 1000] as [number, number, number],
    scale: [across.sign, up.sign, 1] as [number, number, number],
    size: { width: across.length, height: up.length },
  }
}
