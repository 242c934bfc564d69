// The login of the page, without drawing it: the user of the session that the browser has, in all of its tabs, and how
// a login begins and ends.

import { type Api, basic, bearer, type Hyperslab } from '@hyperslab/client'
import { Relogin } from '../shell/relogin.ts'
import { type Share, type User, userOf } from '../shell/session.ts'

type Client = Pick<Hyperslab, 'request'>

export interface BrowserLogin {
  readonly user?: User
  readonly share?: Share
  /** False: nobody can log in, since the service has no accounts. */
  readonly hasAccounts: boolean
  /** Everybody may do everything, since the service has no accounts and serves this machine only. */
  readonly isOpen: boolean
}

/** The user of the browser's session, or the share in the address. When the service cannot say, there is neither. */
export async function loginOf(client: Client): Promise<BrowserLogin> {
  try {
    const answer = await client.request('GET /login', {})
    const { login, isadmin, scope, view = '', end = '', accounts: hasAccounts = true } = answer
    const state = { hasAccounts, isOpen: login === 'none' && isadmin }
    if (login === 'share') return { share: { within: scope?.within ?? '/', view, end }, ...state }
    return login === 'none' ? state : { user: userOf(answer), ...state }
  } catch {
    return { hasAccounts: true, isOpen: false }
  }
}

/** Where tabs tell each other that a login has begun or ended. */
export interface Tabs {
  onmessage: ((message: never) => unknown) | null
  postMessage: (message: string) => void
  close: () => void
}

export interface LoginState extends BrowserLogin {
  /** False: the service has not said yet whether the browser has a session. */
  readonly isKnown: boolean
  /** The session has ended, and the user should log in again. */
  readonly isEnded: boolean
}

export class LoginModel {
  readonly #ask: () => Promise<BrowserLogin>
  readonly #openTabs: () => Tabs
  readonly #listeners = new Set<() => void>()
  readonly relogin = new Relogin(() => this.#set({ isEnded: true }))
  #state: LoginState = { hasAccounts: true, isOpen: false, isKnown: false, isEnded: false }
  #tabs: Tabs | undefined

  /** `ask` asks the service for the login that the browser has. */
  constructor(ask: () => Promise<BrowserLogin>, openTabs: () => Tabs) {
    this.#ask = ask
    this.#openTabs = openTabs
  }

  /** Another object after each change. */
  readonly state = (): LoginState => this.#state

  /** Calls `listener` after each change, until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Begins with the login that the browser had when the page was opened. */
  async begin(first: Promise<BrowserLogin>): Promise<void> {
    this.#set({ ...(await first), isKnown: true })
  }

  /** Follows the logins of other tabs, until the returned function is called: the browser has one session. */
  readonly followTabs = (): (() => void) => {
    const tabs = this.#openTabs()
    this.#tabs = tabs
    tabs.onmessage = async () => {
      const { user, share } = await this.#ask()
      if (!share) this.#follow(user)
    }
    return () => tabs.close()
  }

  /** A login of this tab has begun, or has ended (undefined). */
  readonly change = (user: User | undefined): void => {
    this.#follow(user)
    this.#tabs?.postMessage('changed')
  }

  /**
   * Ends the session, and returns the address of the logout at the identity provider, if the user is logged in there.
   * Requests that are sent meanwhile are not those of a session that has ended by itself: they wait.
   */
  readonly logOut = async (client: Client): Promise<string | undefined> => {
    void this.relogin.hold()
    try {
      const { logout } = await client.request('DELETE /login', {})
      this.change(undefined)
      return logout
    } catch (error) {
      this.relogin.end()
      throw error
    }
  }

  #follow(user: User | undefined): void {
    const { user: before } = this.#state
    // The same user goes on with what the page shows.
    const isSame = before !== undefined && before.name === user?.name
    const { user: _, ...state } = this.#state
    const next = isSame ? before : user
    this.#state = { ...state, ...(next && { user: next }) }
    // A user has an account, also where there was none before.
    this.#set({ isEnded: false, ...(next && { hasAccounts: true, isOpen: false }) })
    this.relogin.end()
  }

  #set(changes: Partial<LoginState>): void {
    this.#state = { ...this.#state, ...changes }
    for (const listener of this.#listeners) listener()
  }
}

/** The header for a login with the fields of the form. */
export function authorizationIn(fields: FormData): string {
  const field = (name: string) => String(fields.get(name))
  return fields.has('token') ? bearer(field('token')) : basic(field('name'), field('password'))
}

/** The service does not take longer addresses to return to. */
const LONGEST_PLACE = 1400

export interface ProviderOffer {
  readonly text: string
  /** Begins a login there, which leads back to this place; undefined: the provider is away, which the text says. */
  readonly address: string | undefined
}

export function providerOffer(
  { title, login, available }: Pick<Api.ProviderList['providers'][number], 'title' | 'login' | 'available'>,
  { pathname, search }: Pick<Location, 'pathname' | 'search'>,
): ProviderOffer {
  if (!available) {
    const text = `${title} does not answer at present: open this dialog again in a moment.`
    return { text, address: undefined }
  }
  const isLong = pathname.length + search.length > LONGEST_PLACE
  const next = new URLSearchParams({ next: isLong ? pathname : pathname + search })
  return { text: `Log in with ${title}`, address: `${login}?${next}` }
}
