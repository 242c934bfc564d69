// Who of this process waits for whom. Writers who change the same records would get in each other's way: all would
// work, one would win, and the others would work again. So whoever meets a key that another one is changing stands in
// his line, which is served in order, one turn after another. Who has a turn may do the work of those who stand behind
// him along with his own (shared-writes.ts). Nobody has a turn while he waits for another one, so there is no deadlock.
//
// Lines only save work. What is right is decided by the expectations of each commit, and between processes by them alone.

/** Who works by himself is waited for so long; then the next one goes ahead, and the commits decide. */
const MOST_MILLISECONDS_ALONE = 200

/** Works that are done in one turn. */
export const MOST_WORKS = 256

/** Keys that a line holds; those it came by first are given up for more. */
const MOST_KEYS = 1024

export interface Waiting<Work> {
  /** What another one may do; absent: a turn is needed. */
  readonly work: Work | undefined
  /** Undefined: another one has done the work. */
  readonly admit: (turn: Turn<Work> | undefined) => void
}

/** By the keys that are being changed. */
export class Lines<Work> {
  readonly #byKey = new Map<string, Line<Work>>()

  get areEmpty(): boolean {
    return this.#byKey.size === 0
  }

  at(key: string): Line<Work> | undefined {
    return this.#byKey.get(key)
  }

  /** The first turn of a line of its own, which others find once it holds a key. */
  begin(): Turn<Work> {
    return new Line<Work>(this.#byKey).begin()
  }

  /** Stands in the line that holds the key, or else in that of `turn`, which then holds it and is still to be left. */
  async standAt(key: string, turn: Turn<Work>, work: Work): Promise<Turn<Work> | undefined> {
    const line = this.at(key) ?? (turn.isOver ? undefined : turn.line)
    if (line === undefined) return this.turnAt(key, turn)
    line.hold(key)
    const standing = line.stand(work)
    if (!turn.isOver) line.takeOver(turn.line)
    return standing
  }

  /** A turn in the line that holds the key, or else in that of `turn`, which then holds it; any other turn is left. */
  async turnAt(key: string, turn: Turn<Work>): Promise<Turn<Work>> {
    const line = this.at(key)
    if (line === undefined && !turn.isOver) {
      turn.line.hold(key)
      return turn
    }
    if (line === turn.line && !turn.isOver) return turn
    if (line !== undefined) {
      const next = line.turn()
      if (!turn.isOver) line.takeOver(turn.line)
      turn.leave()
      return next
    }
    turn.leave()
    const begun = this.begin()
    begun.line.hold(key)
    return begun
  }
}

export class Line<Work> {
  /** Works that one turn takes along at most: fewer while others, of another process, keep getting in between. */
  most = MOST_WORKS
  readonly #byKey: Map<string, Line<Work>>
  readonly #keys: string[] = []
  readonly #waiting: Waiting<Work>[] = []
  /** The turn of the one who works by himself. */
  #alone: Turn<Work> | undefined
  #hurry: NodeJS.Timeout | undefined

  constructor(byKey: Map<string, Line<Work>>) {
    this.#byKey = byKey
  }

  begin(): Turn<Work> {
    this.#alone = new Turn(this)
    return this.#alone
  }

  /** Whether the key is this line's, or has become it now. It is given up when nobody waits any more. */
  hold(key: string): boolean {
    const line = this.#byKey.get(key)
    if (line !== undefined) return line === this
    if (this.#keys.length === MOST_KEYS) this.#byKey.delete(this.#keys.shift() ?? '')
    this.#byKey.set(key, this)
    this.#keys.push(key)
    return true
  }

  async turn(): Promise<Turn<Work>> {
    const turn = await this.stand(undefined)
    if (turn === undefined) throw new Error('nobody can do what is not told')
    return turn
  }

  /** Resolves with a turn, or with none when another one has done the work. */
  stand(work: Work | undefined): Promise<Turn<Work> | undefined> {
    const alone = this.#alone
    if (alone !== undefined) this.#hurry ??= setTimeout(() => alone.leave(), MOST_MILLISECONDS_ALONE)
    return new Promise(admit => this.#waiting.push({ work, admit }))
  }

  /** Takes the next one out of the line whose work can be done for him. */
  takeWork(): (Waiting<Work> & { readonly work: Work }) | undefined {
    const [next] = this.#waiting
    const { work } = next ?? {}
    if (next === undefined || work === undefined) return undefined
    this.#waiting.shift()
    return { work, admit: next.admit }
  }

  /**
   * Makes the keys and the waiting of another line this one's, when a turn of the other one has met a key of this one:
   * those who wait there would meet it too. Two lines for keys that the same works change would get in each other's way
   * for as long as somebody waits.
   */
  takeOver(other: Line<Work>): void {
    if (other === this) return
    for (const key of other.#keys.splice(0)) {
      this.#byKey.delete(key)
      this.hold(key)
    }
    this.#waiting.push(...other.#waiting.splice(0))
  }

  putBack(waiting: readonly Waiting<Work>[]): void {
    this.#waiting.unshift(...waiting)
  }

  /** The turn is over: the next one's begins. */
  serve(): void {
    this.#alone = undefined
    clearTimeout(this.#hurry)
    this.#hurry = undefined
    const next = this.#waiting.shift()
    if (next === undefined) for (const key of this.#keys.splice(0)) this.#byKey.delete(key)
    else next.admit(new Turn(this))
  }
}

export class Turn<Work> {
  readonly line: Line<Work>
  #isOver = false

  constructor(line: Line<Work>) {
    this.line = line
  }

  get isOver(): boolean {
    return this.#isOver
  }

  leave(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.line.serve()
  }
}
