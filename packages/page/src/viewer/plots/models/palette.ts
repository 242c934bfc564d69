// The palette of an image among its colour maps: its name there, and the colours of the points.

import type { Picture } from '../../data/image.ts'
import type { Rgba } from '../../drawing/colours.ts'
import type { Palette } from '../../meaning/palette.ts'

/** The name in the address and in the menu of colour maps. */
export const PALETTE = 'Palette'

/** Four bytes of each point. Numbers that are no index of the palette are transparent. */
export function coloursOfIndices({ data, rows, columns, depth }: Picture, palette: Palette): Rgba {
  const colours = new Uint8ClampedArray(rows * columns * 4)
  for (let i = 0; i < rows * columns; i++) {
    const at = 3 * (data[i * depth] ?? Number.NaN)
    if (palette[at] === undefined) continue
    for (let part = 0; part < 3; part++) colours[4 * i + part] = palette[at + part] ?? 0
    colours[4 * i + 3] = 255
  }
  return colours
}
