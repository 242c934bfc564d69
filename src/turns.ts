// Work of many small steps lets others have their turn: no request holds the process for longer than some milliseconds.

const TURN_MILLISECONDS = 5

export class Turns {
  #end = performance.now() + TURN_MILLISECONDS

  /** For steps so short that waiting for nothing after each would cost more than they do. */
  get isOver(): boolean {
    return performance.now() >= this.#end
  }

  /** To be called after each step: waits for the others when the turn is over. */
  async next(): Promise<void> {
    if (!this.isOver) return
    await new Promise<void>(resolve => setImmediate(resolve))
    this.#end = performance.now() + TURN_MILLISECONDS
  }
}

/** Does work that is written as steps, and gives its result. */
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
