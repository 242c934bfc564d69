// The size of drawings that the browser can make quickly, with a graphics card or without one.

export interface Graphics {
  /** Elements along a side of an image. */
  readonly maxSide: number
  /** Points of a line. h5web makes one of each element. */
  readonly maxPoints: number
}

/** Without a card, a line of a million points takes half a minute. */
const BY_CARD = 2 ** 20
const BY_PROCESSOR = 2 ** 16

/** Renderers that compute what a card would draw. */
const COMPUTED = /swiftshader|llvmpipe|softpipe|software|basic render/i

/** Without WebGL nothing is drawn: whatever the limits are. */
const USUAL: Graphics = { maxSide: 8192, maxPoints: BY_PROCESSOR }

let known: Graphics | undefined

export function graphics(): Graphics {
  known ??= measure()
  return known
}

function measure(): Graphics {
  const context = document.createElement('canvas').getContext('webgl2')
  if (!context) return USUAL
  const names = context.getExtension('WEBGL_debug_renderer_info')
  const renderer = String(context.getParameter(names?.UNMASKED_RENDERER_WEBGL ?? context.RENDERER))
  const maxPoints = COMPUTED.test(renderer) ? BY_PROCESSOR : BY_CARD
  const maxSide = Number(context.getParameter(context.MAX_TEXTURE_SIZE))
  // Browsers have few contexts at a time.
  context.getExtension('WEBGL_lose_context')?.loseContext()
  return { maxSide, maxPoints }
}
