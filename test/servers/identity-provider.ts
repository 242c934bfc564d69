// A real identity provider (`oidc-provider` from npm) on this machine, with people that log in by their names alone.
// Its pages to log in and to log out are as short as they can be.

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import Provider, { type JWK } from 'oidc-provider'

export interface Person {
  readonly subject: string
  /** Claims besides the subject. */
  readonly claims: Readonly<Record<string, unknown>>
}

export interface IdentityProvider {
  readonly issuer: string
  /** The people by the names with which they log in; may be changed. */
  readonly people: Map<string, Person>
  readonly client: { readonly id: string; readonly secret: string }
  /** Begins to work, for the service at the address. */
  setService(address: string): void
  /** Requests that came to an address of the provider; for the test to count and to look at. */
  readonly requests: { readonly path: string; readonly referer: string | undefined }[]
  /** Ends the provider; another one with the same port is the same to the service, but has other keys. */
  close(): Promise<void>
}

const CLIENT = { id: 'hyperslab', secret: 'secret of the client, known to two' }

export async function startIdentityProvider(port = 0): Promise<IdentityProvider> {
  const people = new Map<string, Person>()
  const requests: { path: string; referer: string | undefined }[] = []
  let handle: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => response.end()
  const server = createServer((request, response) => {
    requests.push({ path: request.url ?? '', referer: request.headers.referer })
    handle(request, response)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const key: JWK = { ...(await exportJWK(privateKey)), kid: randomUUID() }
  const setService = (address: string) => {
    handle = handlerOf({ issuer, service: address, people, key })
  }
  return {
    issuer,
    people,
    client: CLIENT,
    setService,
    requests,
    async close() {
      server.closeAllConnections()
      server.close()
      if (server.listening) await once(server, 'close')
    },
  }
}

interface HandlerParts extends Pick<IdentityProvider, 'issuer' | 'people'> {
  /** The address of the service. */
  readonly service: string
  readonly key: JWK
}

function handlerOf({ issuer, service, people, key }: HandlerParts) {
  const name = issuer.split(':').at(-1) ?? ''
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${service}/login/lab/callback`, `${service}/login/uni/callback`],
        post_logout_redirect_uris: [`${service}/ui`],
      },
    ],
    jwks: { keys: [key] },
    claims: { openid: ['sub'], profile: ['name', 'preferred_username', 'groups'] },
    cookies: {
      keys: ['key of a test'],
      names: { session: `s${name}`, interaction: `i${name}`, resume: `r${name}` },
    },
    findAccount: (_, id) => {
      const person = [...people.values()].find(({ subject }) => subject === id)
      return person && { accountId: id, claims: async () => ({ sub: id, ...person.claims }) }
    },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        logoutSource: (context, form) => {
          context.body = `<!doctype html><title>Log out</title>${form}<button form="op.logoutForm" name="logout" value="yes">Yes, log me out</button>`
        },
      },
    },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    loadExistingGrant: async context => {
      const known = context.oidc.session?.grantIdFor(CLIENT.id)
      if (known !== undefined) return context.oidc.provider.Grant.find(known)
      const grant = new context.oidc.provider.Grant({
        accountId: context.oidc.session?.accountId,
        clientId: context.oidc.client?.clientId,
      })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
    pkce: { required: () => true },
    renderError: (context, { error }) => {
      context.body = `error of the provider: ${error}`
    },
  })
  const callback = provider.callback()
  return (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', issuer)
    if (!pathname.startsWith('/interaction/')) return callback(request, response)
    const person = people.get(searchParams.get('name') ?? '')
    const result = searchParams.has('cancel')
      ? { error: 'access_denied', error_description: '<b>cancelled</b>' }
      : person && { login: { accountId: person.subject } }
    if (result === undefined) return respondWithForm(response)
    provider.interactionFinished(request, response, result).catch(() => response.writeHead(400).end())
  }
}

function respondWithForm(response: ServerResponse): void {
  response.setHeader('content-type', 'text/html')
  response.end(
    '<!doctype html><html lang="en"><title>Provider</title><form><label>Name <input name="name"></label>' +
      '<button>Enter</button><button name="cancel" value="1">Cancel</button></form>',
  )
}
