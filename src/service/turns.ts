// Work of many small steps lets others have their turn: no request holds the process for longer than some milliseconds.

const TURN_MILLISECONDS = 5

export class Turns {
  #end = performance.now() + TURN_MILLISECONDS

  /** To be called after each step: waits for the others when the turn is over. */
  async next(): Promise<void> {
    if (performance.now() < this.#end) return
    await new Promise<void>(resolve => setImmediate(resolve))
    this.#end = performance.now() + TURN_MILLISECONDS
  }
}
