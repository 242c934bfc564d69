// Bounded parallel work.

/**
 * Calls `work` for every item, `limit` at a time, taking each from the iterable only when `work` is called for it. When
 * a call or the iterable fails, no other call begins; rejects with that failure once all running calls have ended.
 */
export async function inParallel<T>(
  items: Iterable<T> | AsyncIterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  // One iterator for all, so that each item is taken once.
  const queue = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()
  let isOver = false
  let failure: { readonly reason: unknown } | undefined
  async function runLane(): Promise<void> {
    try {
      while (!isOver) {
        const taken = queue.next()
        // An item that is there is not awaited, as most are.
        const next = taken instanceof Promise ? await taken : taken
        if (next.done) isOver = true
        else await work(next.value)
      }
    } catch (reason) {
      isOver = true
      failure ??= { reason }
    }
  }
  const lanes: Promise<void>[] = []
  // There are no more lanes than items: most reads are of one chunk.
  while (lanes.length < limit && !isOver) lanes.push(runLane())
  await Promise.all(lanes)
  if (failure) throw failure.reason
}
