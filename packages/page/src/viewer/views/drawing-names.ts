// The views that draw, and the components of the part of the page that is loaded later (`drawings-part.ts`).

export const DRAWING_NAMES = {
  matrix: 'MatrixView',
  line: 'LineView',
  sequences: 'SequencesView',
  regions: 'RegionsView',
  scatter: 'ScatterView',
  image: 'ImageView',
  map: 'MapView',
  rgb: 'RgbView',
} as const

export type DrawingName = (typeof DRAWING_NAMES)[keyof typeof DRAWING_NAMES]
