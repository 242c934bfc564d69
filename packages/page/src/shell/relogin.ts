// What happens when the session ends while the page has requests: the user logs in again, and they go on.

/** Waits for the user when the session has ended: requests wait, too, and go on afterwards. */
export class Relogin {
  readonly #open: () => void
  #end: (() => void) | undefined
  /** Resolves when the user has logged in again, or does not want to; undefined: nobody waits. */
  pending: Promise<void> | undefined
  /** Logins and logouts of this page: a request belongs to the one in which it was sent. */
  changes = 0

  /** `open` opens the dialog to log in. */
  constructor(open: () => void) {
    this.#open = open
  }

  /** Requests wait until `end`: the user logs out. */
  hold(): Promise<void> {
    this.pending ??= new Promise(resolve => {
      this.#end = resolve
    })
    return this.pending
  }

  ask(): Promise<void> {
    if (this.pending === undefined) this.#open()
    return this.hold()
  }

  end(): void {
    this.changes++
    this.pending = undefined
    this.#end?.()
  }
}

/** Sends a request once more when the user has logged in again, and at once if that was meanwhile. */
export function sendAgain(send: typeof fetch, relogin: Relogin): typeof fetch {
  return async (input, init) => {
    await relogin.pending
    const { changes } = relogin
    const response = await send(input, init)
    if (!(await hasEndedSession(response))) return response
    if (relogin.changes === changes) await relogin.ask()
    return send(input, init)
  }
}

async function hasEndedSession(response: Response): Promise<boolean> {
  if (response.status !== 401) return false
  const text = await response.clone().text()
  return text.includes('"session-ended"')
}
