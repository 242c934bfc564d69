// Begins work that arrives at once in short periods, one in each turn (iteration) of the event loop. Node accepts one
// new connection in each turn. When the requests of a thousand busy clients all began in the turn in which they
// arrived, turns took up to a second, and new clients waited 16 seconds for their first answer (9 now, 1,000 clients on
// 2 busy cores). Requests that have queued for a slot also begin through the pacer: a read from memory ends within a
// turn and admits the next one, so all queued reads would be answered in one turn, while a write needs many turns.

import { SYSTEM_CLOCK } from '@hyperslab/base/clock'

/** Milliseconds of one turn in which work begins. Turns cost some 30 us, so little is lost. */
const SPELL = 1

/** Works of a list that are removed together: moving the rest then costs less than a step each. @limit safety, works */
const REMOVED_AT_ONCE = 1024

export class Pacer {
  readonly #waiting: (() => void)[] = []
  #next = 0
  /** The end of the period of this turn; 0 between turns. */
  #end = 0

  /** Runs `work` now, or in one of the next turns if the period of this one is over; in the order of the calls. */
  begin(work: () => void): void {
    // The first work of a turn begins even if the machine has paused this thread meanwhile.
    const isFirst = this.#end === 0
    if (isFirst) this.#startSpell()
    if (this.#next === this.#waiting.length && (isFirst || SYSTEM_CLOCK.elapsed() < this.#end)) work()
    else this.#waiting.push(work)
  }

  #startSpell(): void {
    this.#end = SYSTEM_CLOCK.elapsed() + SPELL
    setImmediate(this.#turn)
  }

  readonly #turn = (): void => {
    this.#end = 0
    if (this.#next === this.#waiting.length) return
    this.#startSpell()
    while (this.#next < this.#waiting.length && SYSTEM_CLOCK.elapsed() < this.#end)
      this.#waiting[this.#next++]()
    // Under steady load some work always waits, so begun work must be removed before the list is empty.
    if (this.#next < this.#waiting.length && this.#next < REMOVED_AT_ONCE) return
    this.#waiting.splice(0, this.#next)
    this.#next = 0
  }
}
