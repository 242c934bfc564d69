// What a key does in an open menu.

/** The item that a key leads to from the one at `at` (-1: none), in a circle; undefined: the key does nothing. */
export function itemForKey(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % count
    case 'ArrowUp':
      return at <= 0 ? count - 1 : at - 1
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return undefined
  }
}
