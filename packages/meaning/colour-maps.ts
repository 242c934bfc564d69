// Colours for the numbers of an image, by formulas, or by ten colours at equal distances and lines between them.

export const COLOUR_MAPS = ['cubehelix', 'gray', 'viridis', 'inferno', 'magma', 'plasma'] as const
export type ColourMap = (typeof COLOUR_MAPS)[number]

/**
 * The maps of N. Smith and S. van der Walt, whose brightness grows evenly. Lines between ten of their colours differ
 * from them by at most 16 of 255.
 */
const TEN_COLOURS: Readonly<Partial<Record<ColourMap, string>>> = {
  viridis: '440154 482878 3e4989 31688e 26828e 1f9e89 35b779 6ece58 b5de2b fde725',
  inferno: '000004 1b0c41 4a0c6b 781c6d a52c60 cf4446 ed6925 fb9b06 f7d13d fcffa4',
  magma: '000004 180f3d 440f76 721f81 9e2f7f cd4071 f1605d fd9668 feca8d fcfdbf',
  plasma: '0d0887 46039f 7201a8 9c179e bd3786 d8576b ed7953 fb9f3a fdca26 f0f921',
}

/** This many colours from the darkest to the lightest, three bytes each. */
export function coloursOf(map: ColourMap, count: number): Uint8Array {
  const colours = new Uint8Array(count * 3)
  for (let i = 0; i < count; i++) {
    const fraction = count === 1 ? 0 : i / (count - 1)
    const rgb = colourAt(map, fraction)
    for (let c = 0; c < 3; c++) colours[3 * i + c] = Math.round(255 * Math.min(1, Math.max(0, rgb[c])))
  }
  return colours
}

function colourAt(map: ColourMap, fraction: number): readonly number[] {
  const colours = TEN_COLOURS[map]
  if (colours !== undefined) return between(Buffer.from(colours.replaceAll(' ', ''), 'hex'), fraction)
  return map === 'gray' ? [fraction, fraction, fraction] : cubehelix(fraction)
}

/** The colour on the lines between colours of three bytes. */
function between(colours: Uint8Array, fraction: number): readonly number[] {
  const position = fraction * (colours.length / 3 - 1)
  const first = Math.min(Math.floor(position), colours.length / 3 - 2)
  const part = position - first
  return [0, 1, 2].map(c => {
    const [from, to] = [colours[3 * first + c], colours[3 * first + 3 + c]]
    return (from + part * (to - from)) / 255
  })
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
