// The progress of a command on standard error, once it has taken two seconds: a line that is written again at a
// terminal, and with --progress a line every ten seconds elsewhere.

import { SYSTEM_CLOCK } from '@hyperslab/base/clock'

export interface ProgressOptions {
  /** True: also where there is no terminal. */
  readonly progress?: boolean
}

const FIRST_MILLISECONDS = 2000
const REDRAW_MILLISECONDS = 200
const LINE_MILLISECONDS = 10_000
const CLEAR = '\r\x1b[K'

export class Progress {
  readonly #isTerminal = process.stderr.isTTY === true
  readonly #isOn: boolean
  #next = SYSTEM_CLOCK.elapsed() + FIRST_MILLISECONDS
  #isDrawn = false

  constructor({ progress = false }: ProgressOptions) {
    this.#isOn = this.#isTerminal || progress
  }

  /** `text` is called where it is shown. */
  show(text: () => string): void {
    const now = SYSTEM_CLOCK.elapsed()
    if (!this.#isOn || now < this.#next) return
    this.#next = now + (this.#isTerminal ? REDRAW_MILLISECONDS : LINE_MILLISECONDS)
    this.#isDrawn = this.#isTerminal
    process.stderr.write(this.#isTerminal ? CLEAR + text() : `${text()}\n`)
  }

  /** Must be called before other output. */
  end(): void {
    if (this.#isDrawn) process.stderr.write(CLEAR)
    this.#isDrawn = false
  }
}
