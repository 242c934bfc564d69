// Colours for the numbers of an image, by formulas.

export const COLOUR_MAPS = ['cubehelix', 'gray'] as const
export type ColourMap = (typeof COLOUR_MAPS)[number]

/** This many colours from the darkest to the lightest, three bytes each. */
export function coloursOf(map: ColourMap, count: number): Uint8Array {
  const colours = new Uint8Array(count * 3)
  for (let i = 0; i < count; i++) {
    const fraction = count === 1 ? 0 : i / (count - 1)
    const rgb = map === 'gray' ? [fraction, fraction, fraction] : cubehelix(fraction)
    for (let c = 0; c < 3; c++) colours[3 * i + c] = Math.round(255 * Math.min(1, Math.max(0, rgb[c])))
  }
  return colours
}

/**
 * A helix around the diagonal of the cube of colours, whose brightness grows evenly, so that it reads the same in gray
 * (D. A. Green, "A colour scheme for the display of astronomical intensity images", 2011): start 0.5, 1.5 rotations
 * backwards, hue 1, gamma 1.
 */
function cubehelix(fraction: number): readonly number[] {
  const angle = 2 * Math.PI * (0.5 / 3 + 1 - 1.5 * fraction)
  const amplitude = (fraction * (1 - fraction)) / 2
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  return [
    fraction + amplitude * (-0.14861 * cos + 1.78277 * sin),
    fraction + amplitude * (-0.29227 * cos - 0.90649 * sin),
    fraction + amplitude * (1.97294 * cos),
  ]
}
