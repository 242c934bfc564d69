// Bisection of lists in order.

/**
 * The index of the first item that passes the test, by bisection: every item after it must pass too. The length: none
 * passes.
 */
export function firstIndex<T>(items: ArrayLike<T>, test: (item: T) => boolean): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (test(items[middle])) high = middle
    else low = middle + 1
  }
  return low
}
