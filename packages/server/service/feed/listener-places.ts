// The places for listeners, which their users share. A listener keeps its place for as long as it likes, so no request
// queues for one: the last places are for users that have none yet, and before that for users with an account
// (docs/decisions/095).

import { HyperslabError } from '@hyperslab/base/errors'

/** The parts of all places up to which a user gets a first one, and further ones. */
interface Share {
  readonly first: number
  readonly further: number
}

const WITH_ACCOUNT: Share = { first: 1, further: 7 / 8 }
/** Without an account: an address, or a share. */
const STRANGER: Share = { first: 5 / 8, further: 1 / 2 }

const RETRY_SECONDS = 5

export class ListenerPlaces {
  readonly #limit: number
  readonly #held = new Map<string, number>()
  #taken = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get taken(): number {
    return this.#taken
  }

  /** Takes a place for the user, or throws. The result must be called once, to give it back. */
  take(user: string, hasAccount: boolean): () => void {
    const held = this.#held.get(user) ?? 0
    const { first, further } = hasAccount ? WITH_ACCOUNT : STRANGER
    if (this.#taken >= Math.ceil(this.#limit * (held === 0 ? first : further)))
      throw this.#refusal(hasAccount)
    this.#held.set(user, held + 1)
    this.#taken++
    return () => {
      this.#taken--
      const left = (this.#held.get(user) ?? 1) - 1
      if (left === 0) this.#held.delete(user)
      else this.#held.set(user, left)
    }
  }

  #refusal(hasAccount: boolean): HyperslabError {
    const others = hasAccount ? 'users without one' : 'users with an account'
    const message =
      this.#taken >= this.#limit
        ? `the service has ${this.#limit} listeners, its limit: try again later`
        : `the service has ${this.#taken} of ${this.#limit} listeners, and keeps the other places for ${others}: ` +
          'try again later'
    return new HyperslabError('too-busy', message, { retryAfter: RETRY_SECONDS })
  }
}
