// Bounded parallel work.

/**
 * Calls `work` for every item, `limit` at a time, taking each from the iterable only when its turn has come. When a
 * call fails, or the iterable does, no other is begun; rejects with that failure once none is under way any more.
 */
export async function inParallel<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  // One iterator for all, so that each item is taken once.
  const queue = items[Symbol.iterator]()
  let failure: { readonly reason: unknown } | undefined
  async function takeTurns(): Promise<void> {
    try {
      for (;;) {
        const next = failure ? undefined : queue.next()
        if (!next || next.done) return
        await work(next.value)
      }
    } catch (reason) {
      failure ??= { reason }
    }
  }
  await Promise.all(Array.from({ length: limit }, takeTurns))
  if (failure) throw failure.reason
}
