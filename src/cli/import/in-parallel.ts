/** A piece of work, begun by calling it. */
export type Task = () => Promise<void>

/**
 * Does the tasks, `limit` of them at once, taking each from the iterable only when its turn has come. When one fails,
 * or the iterable does, no other is begun; rejects with that failure once none is under way any more.
 */
export async function inParallel(tasks: Iterable<Task>, limit: number): Promise<void> {
  // One iterator for all, so that each task is taken once.
  const queue = tasks[Symbol.iterator]()
  let failure: { readonly error: unknown } | undefined
  async function takeTurns(): Promise<void> {
    try {
      for (;;) {
        const next = failure ? undefined : queue.next()
        if (!next || next.done) return
        await next.value()
      }
    } catch (error) {
      failure ??= { error }
    }
  }
  await Promise.all(Array.from({ length: limit }, takeTurns))
  if (failure) throw failure.error
}
