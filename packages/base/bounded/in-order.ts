// Work on items in order, with overlapping waits.

/**
 * The results of `work` for the items, in their order; at most `limit` calls run at once. When a call fails, the
 * iteration fails at its position; no call begins afterwards, or after the caller has stopped.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  limit: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const underWay: Promise<Result>[] = []
  try {
    for await (const item of items) {
      const result = work(item)
      // A failure is thrown at its position, if all earlier calls succeed.
      result.catch(() => undefined)
      underWay.push(result)
      const first = underWay.length < limit ? undefined : underWay.shift()
      if (first) yield await first
    }
    for (let first = underWay.shift(); first; first = underWay.shift()) yield await first
  } finally {
    await Promise.allSettled(underWay)
  }
}
