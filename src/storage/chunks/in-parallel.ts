// Bounded parallel work.

/**
 * Calls `work` for every item, `limit` at a time. When it settles no call is running any more; it rejects with the
 * first failure, after which no more calls are begun.
 */
export async function inParallel<T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0
  let failure: { readonly reason: unknown } | undefined
  const lane = async (): Promise<void> => {
    while (next < items.length && failure === undefined) {
      const item = items[next++]
      try {
        await work(item)
      } catch (reason) {
        failure ??= { reason }
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane))
  if (failure) throw failure.reason
}
