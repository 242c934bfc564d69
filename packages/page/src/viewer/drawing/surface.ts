// What a drawing is painted on: the part of CanvasRenderingContext2D that the painter uses, so that a scene may be
// painted on a screen, at the resolution of a printer, or as another kind of picture.

export type Surface = Pick<
  CanvasRenderingContext2D,
  | 'save'
  | 'restore'
  | 'beginPath'
  | 'rect'
  | 'arc'
  | 'clip'
  | 'moveTo'
  | 'lineTo'
  | 'stroke'
  | 'fill'
  | 'clearRect'
  | 'fillRect'
  | 'fillText'
  | 'measureText'
  | 'translate'
  | 'rotate'
  | 'scale'
  | 'drawImage'
  | 'strokeStyle'
  | 'fillStyle'
  | 'lineWidth'
  | 'lineJoin'
  | 'globalAlpha'
  | 'font'
  | 'textAlign'
  | 'textBaseline'
  | 'imageSmoothingEnabled'
>

/** Points with colours. */
export interface Pixels {
  readonly columns: number
  readonly rows: number
  /** The rows from the first one on. It stays the same array for the same colours. */
  readonly colours: Uint8ClampedArray<ArrayBuffer>
}

/** Makes what `drawImage` draws of points: a canvas that is kept as long as they are. */
export type ImageOf = (pixels: Pixels) => CanvasImageSource
