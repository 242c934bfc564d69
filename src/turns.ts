// Work of many small steps is divided into turns of the event loop, so that no request blocks the others for longer than some
// milliseconds.

const TURN_MILLISECONDS = 5

export class Turns {
  #end = performance.now() + TURN_MILLISECONDS

  /** For steps so short that an `await` after each would take longer than they do. */
  get isOver(): boolean {
    return performance.now() >= this.#end
  }

  /** To be called after each step: lets the event loop go on when the turn is over. */
  async next(): Promise<void> {
    if (!this.isOver) return
    await new Promise<void>(resolve => setImmediate(resolve))
    this.#end = performance.now() + TURN_MILLISECONDS
  }
}

/** The same items; between them other requests can run. Items that are in memory already would block the event loop. */
export async function* inTurns<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  turns = new Turns(),
): AsyncGenerator<Item> {
  for await (const item of items) {
    await turns.next()
    yield item
  }
}

/** Runs all steps, and returns their result. */
export async function runInTurns<Result>(
  steps: Generator<void, Result>,
  signal?: { throwIfAborted(): void },
): Promise<Result> {
  const turns = new Turns()
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    signal?.throwIfAborted()
    if (turns.isOver) await turns.next()
  }
}
