// The place of menus and dialogs: beside what they concern, and within the window, also when they grow.

const GAP = 4
const MARGIN = 8

/** Places an element of the top layer near the anchor, and again with each size of the window. The result ends that. */
export function keepNear(element: HTMLElement, anchor: Element): () => void {
  const place = () => placeNear(element, anchor)
  place()
  window.addEventListener('resize', place)
  return () => window.removeEventListener('resize', place)
}

/**
 * Places an element of the top layer below the anchor, or above it where there is more room, at its left side or, in
 * the right half of the window, at its right side. Where it would be too narrow it is as wide as the window.
 */
function placeNear(element: HTMLElement, anchor: Element): void {
  const { left, right, top, bottom } = anchor.getBoundingClientRect()
  const { clientWidth, clientHeight } = document.documentElement
  const pixels = (length: number) => `${Math.max(MARGIN, length)}px`
  const below = clientHeight - bottom
  const isAbove = below < element.offsetHeight + GAP + MARGIN && top > below
  const isRight = left + right > clientWidth
  const isTooNarrow = (isRight ? right : clientWidth - left) - MARGIN < element.offsetWidth
  Object.assign(element.style, {
    top: isAbove ? 'auto' : pixels(bottom + GAP),
    bottom: isAbove ? pixels(clientHeight - top + GAP) : 'auto',
    left: isTooNarrow ? pixels(0) : isRight ? 'auto' : pixels(left),
    right: isTooNarrow ? pixels(0) : isRight ? pixels(clientWidth - right) : 'auto',
    maxHeight: `${(isAbove ? top : below) - GAP - MARGIN}px`,
  })
}
