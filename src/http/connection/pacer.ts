// Begins work that comes all at once in short spells, one in each turn (iteration) of the event loop. Node takes one
// new connection in each turn: when the requests of a thousand busy clients were all begun in the turn in which they
// arrived, turns took up to a second, and clients that came then waited 16 seconds for their first answer (9 now, 1,000
// clients on 2 busy cores). Requests that have queued for a slot begin so too: one that reads what is in memory ends
// within a turn and admits the next one, so that all queued reads would be answered in one turn, and a write needs many
// turns.

/** Milliseconds of work that are begun in one turn. Turns cost some 30 us, so little is lost. */
const SPELL = 1

/**
 * Work that has begun is removed from the list when it is so much: then moving the rest costs less than a step each.
 */
const REMOVED_AT_ONCE = 1024

export class Pacer {
  readonly #waiting: (() => void)[] = []
  #next = 0
  /** When the spell of this turn ends; 0 between turns. */
  #end = 0

  /** Runs `work` now, or in one of the next turns if this one had its spell; in the order of the calls. */
  begin(work: () => void): void {
    if (this.#end === 0) this.#startSpell()
    if (this.#next === this.#waiting.length && performance.now() < this.#end) work()
    else this.#waiting.push(work)
  }

  #startSpell(): void {
    this.#end = performance.now() + SPELL
    setImmediate(this.#turn)
  }

  readonly #turn = (): void => {
    this.#end = 0
    if (this.#next === this.#waiting.length) return
    this.#startSpell()
    while (this.#next < this.#waiting.length && performance.now() < this.#end) this.#waiting[this.#next++]()
    // Under steady load something always waits: work that has begun must not stay in the list until nothing does.
    if (this.#next < this.#waiting.length && this.#next < REMOVED_AT_ONCE) return
    this.#waiting.splice(0, this.#next)
    this.#next = 0
  }
}
