// The colour maps of the page and of the pictures of the service: one table. A new map is one line here, and the page
// lists it, `colormap` takes it and the API describes it. Most are those of d3-scale-chromatic, as h5web has them.

import { hsl, rgb } from 'd3-color'
import * as d3 from 'd3-scale-chromatic'

/** The colour of a place on the scale, from 0 to 1, as CSS has it. */
export type Interpolate = (place: number) => string

/** From dark to light: a place with more has more light, as on all other maps of numbers. */
const reversed =
  (interpolate: Interpolate): Interpolate =>
  place =>
    interpolate(1 - place)

const grey: Interpolate = place => rgb(255 * place, 255 * place, 255 * place).formatRgb()
const hues: Interpolate = place => hsl(360 * place, 1, 0.5).formatRgb()

/** Maps by their names, in groups for people. */
export const COLOUR_MAPS = {
  'Single hue': {
    Gray: grey,
    Blues: reversed(d3.interpolateBlues),
    Greens: reversed(d3.interpolateGreens),
    Greys: reversed(d3.interpolateGreys),
    Oranges: reversed(d3.interpolateOranges),
    Purples: reversed(d3.interpolatePurples),
    Reds: reversed(d3.interpolateReds),
  },
  'Multi hue': {
    Turbo: d3.interpolateTurbo,
    Viridis: d3.interpolateViridis,
    Inferno: d3.interpolateInferno,
    Magma: d3.interpolateMagma,
    Plasma: d3.interpolatePlasma,
    Cividis: d3.interpolateCividis,
    Warm: d3.interpolateWarm,
    Cool: d3.interpolateCool,
    Cubehelix: d3.interpolateCubehelixDefault,
    BuGn: d3.interpolateBuGn,
    BuPu: d3.interpolateBuPu,
    GnBu: d3.interpolateGnBu,
    OrRd: d3.interpolateOrRd,
    PuBuGn: d3.interpolatePuBuGn,
    PuBu: d3.interpolatePuBu,
    PuRd: d3.interpolatePuRd,
    RdPu: d3.interpolateRdPu,
    YlGnBu: d3.interpolateYlGnBu,
    YlGn: d3.interpolateYlGn,
    YlOrBr: d3.interpolateYlOrBr,
    YlOrRd: d3.interpolateYlOrRd,
  },
  Cyclical: { Rainbow: d3.interpolateRainbow, Sinebow: d3.interpolateSinebow, HSL: hues },
  Diverging: {
    BrBG: d3.interpolateBrBG,
    PRGn: d3.interpolatePRGn,
    PiYG: d3.interpolatePiYG,
    PuOr: d3.interpolatePuOr,
    RdBu: d3.interpolateRdBu,
    RdGy: d3.interpolateRdGy,
    RdYlBu: d3.interpolateRdYlBu,
    RdYlGn: d3.interpolateRdYlGn,
    Spectral: d3.interpolateSpectral,
  },
} satisfies Readonly<Record<string, Readonly<Record<string, Interpolate>>>>

type Groups = typeof COLOUR_MAPS
/** The name of a map. */
export type ColourMap = { [Group in keyof Groups]: keyof Groups[Group] }[keyof Groups]

/** All maps without their groups. */
export const INTERPOLATORS: Readonly<Record<ColourMap, Interpolate>> = Object.assign(
  {},
  ...Object.values(COLOUR_MAPS),
)

export const COLOUR_MAP_NAMES = Object.keys(INTERPOLATORS) as readonly ColourMap[]

/** This many colours from the first to the last of a map, three bytes each. */
export function coloursOf(map: ColourMap, count: number): Uint8Array {
  const colours = new Uint8Array(count * 3)
  for (let i = 0; i < count; i++) {
    const { r, g, b } = rgb(INTERPOLATORS[map](count === 1 ? 0 : i / (count - 1)))
    colours.set([r, g, b].map(Math.round), 3 * i)
  }
  return colours
}
