// Work on items one after another whose waits overlap.

/**
 * What `work` gives for the items, in their order; `limit` of them are under way at most. When a call fails, so does
 * the result in its place; nothing goes on afterwards, or when the caller takes no more.
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
      // It is awaited in its place, if all before it succeed.
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
