// Routes with which a person logs in at an identity provider: the list of providers, the address that begins a login
// and sends the browser to the provider, and the one to which the provider sends it back. They begin a session like any
// other.

import type { Clock } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt } from '@hyperslab/model/json'
import { Seal } from '../../../seal.ts'
import type { Accounts } from '../../../service/accounts.ts'
import type { Logins } from '../../../service/logins.ts'
import type { LoginProvider, Providers, ProviderUsers } from '../../../service/providers.ts'
import { PendingLogins } from '../../auth/pending-logins.ts'
import { sessionCookie } from '../../auth/session-cookie.ts'
import type { Parameter } from '../../route/parameter.ts'
import { type Route, serviceRoute } from '../../route/route.ts'
import { START_PAGE } from '../pages.ts'

export interface ProviderFacts {
  readonly clock: Clock
  /** Absent: people log in with passwords and tokens only. */
  readonly providers?: Providers
  /** The address that callers use; known if there are providers. */
  readonly publicUrl?: string
  readonly accounts: Pick<Accounts, 'find' | 'refresh'>
  readonly logins: Pick<Logins, 'beginSession'>
}

interface FoundProvider {
  readonly provider: LoginProvider
  readonly users: ProviderUsers
  readonly pending: PendingLogins
}

const ERROR_TITLE = 'You are not logged in'

/** The addresses have secrets of the login: no cache keeps them, and no other page gets them. */
const PRIVATE = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }

const PROVIDER: Parameter<string> = {
  name: 'provider',
  in: 'path',
  description: 'The name of an identity provider, as `GET /providers` lists it.',
  schema: { type: 'string', minLength: 1 },
  read: ({ parameters }) => parameters.provider ?? '',
}

const NEXT: Parameter<string | undefined> = {
  name: 'next',
  in: 'query',
  description: 'The page that the person comes from and returns to: a path of this service, with its query.',
  schema: { type: 'string', default: START_PAGE },
  read: ({ target }) => target.query.get('next') ?? undefined,
}

export function providerRoutes({ publicUrl = '', ...others }: ProviderFacts): readonly Route[] {
  const facts = { publicUrl, ...others }
  const find = finderOf(facts)
  return [listRoute(facts), beginRoute(facts, find), finishRoute(facts, find)]
}

type KnownFacts = ProviderFacts & { readonly publicUrl: string }
type FindProvider = (name: string) => FoundProvider

function finderOf({ clock, providers, publicUrl }: KnownFacts): FindProvider {
  const pending = providers && new PendingLogins(new Seal(providers.secret, 'login'), publicUrl, clock.now)
  return name => {
    const provider = providers?.list.find(provider => provider.name === name)
    if (provider && providers && pending) return { provider, users: providers.users, pending }
    const problem = `there is no identity provider ${excerpt(name)}: GET /providers lists them`
    throw new HyperslabError('provider-not-found', problem, { subject: name })
  }
}

function callbackAddress(publicUrl: string, name: string): string {
  return `${publicUrl}/login/${name}/callback`
}

function listRoute({ providers, publicUrl }: KnownFacts): Route {
  return serviceRoute({
    name: 'list-providers',
    method: 'GET',
    path: '/providers',
    summary: 'Lists the identity providers with which people log in.',
    identifies: 'no',
    answers: { 200: { description: 'The providers.', json: 'ProviderList' } },
    async answer() {
      const described = (providers?.list ?? []).map(async provider => {
        const { name, title } = provider
        return { name, title, login: `${publicUrl}/login/${name}`, available: await provider.isAvailable() }
      })
      const body = { providers: await Promise.all(described) }
      return { status: 200, headers: { 'Cache-Control': 'no-store' }, body }
    },
  })
}

function beginRoute({ publicUrl }: KnownFacts, find: FindProvider): Route {
  return serviceRoute({
    name: 'begin-provider-login',
    method: 'GET',
    path: '/login/:provider',
    summary: 'Sends a person to an identity provider to log in there.',
    identifies: 'no',
    errorTitle: ERROR_TITLE,
    parameters: { provider: PROVIDER, next: NEXT },
    answers: { 302: { description: 'The address at the provider.' } },
    async answer({ provider: name, next }, { headers }) {
      const { provider, pending } = find(name)
      const page = next === undefined ? publicUrl + START_PAGE : pending.addressOf(next)
      const { address, checks } = await provider.begin(callbackAddress(publicUrl, name))
      const cookies = pending.begin(headers, { ...checks, provider: name, next: page })
      return { status: 302, headers: { Location: address, ...PRIVATE }, cookies }
    },
  })
}

function finishRoute({ publicUrl, accounts, logins }: KnownFacts, find: FindProvider): Route {
  return serviceRoute({
    name: 'finish-provider-login',
    method: 'GET',
    path: '/login/:provider/callback',
    summary:
      'Takes the answer of an identity provider, begins a session, and sends the person back to the page.',
    identifies: 'no',
    errorTitle: ERROR_TITLE,
    parameters: { provider: PROVIDER },
    answers: {
      302: { description: 'The page that the person came from, with the cookie of the session.' },
    },
    async answer({ provider: name }, { headers, target }) {
      const { provider, users, pending } = find(name)
      const login = pending.find(headers, name, target.query.get('state') ?? '')
      const answer = new URL(`${callbackAddress(publicUrl, name)}?${target.rawQuery}`)
      const { user, idToken } = await provider.finish(answer, login)
      await accounts.refresh()
      const userName = await users.nameOf(user, name)
      if (accounts.find(userName).disabled)
        throw new HyperslabError('login-failed', `the account ${userName} is disabled`)
      const { id, secret, created, end } = await logins.beginSession(
        { name: userName, providerGroups: user.groups },
        headers['user-agent'] ?? '',
        { name, ...(idToken !== undefined && { idToken }) },
      )
      const seconds = Math.ceil((end - created) / 1000)
      const cookies = [sessionCookie(headers, publicUrl, secret, seconds), pending.end(headers, login)]
      const changed = () => ({ user: userName, session: id })
      return { status: 302, headers: { Location: login.next, ...PRIVATE }, cookies, changed }
    },
  })
}
