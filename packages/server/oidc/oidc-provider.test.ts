// A provider that answers as a test says, rightly or not.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { LoginChecks } from '../service/providers.ts'
import { OidcProvider, type OidcSettings } from './oidc-provider.ts'

const CALLBACK = 'http://127.0.0.1:5101/login/lab/callback'
const SECRET = 'a secret of the client: +%&='
const CODE = 'code-that-nobody-may-see'
/** Milliseconds after which a provider that says nothing counts as away: few, or so many that none is slower. */
const SHORT = 2000
const LONG = 60_000

type Respond = (request: IncomingMessage, response: ServerResponse, body: string) => void

type Pair = Awaited<ReturnType<typeof generateKeyPair>>
let pair: Pair
let otherPair: Pair
let server: Server
let issuer: string
/** The answers by their paths. */
let answers: Record<string, Respond>
let paths: string[]
let reports: string[]
let time: number
let provider: OidcProvider

const json =
  (value: unknown, status = 200): Respond =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(value))
  }

beforeAll(async () => {
  pair = await generateKeyPair('RS256', { extractable: true })
  otherPair = await generateKeyPair('RS256', { extractable: true })
  server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', piece => pieces.push(piece))
    request.on('end', () => {
      const path = request.url ?? ''
      paths.push(path)
      const respond = answers[path] ?? json({}, 404)
      respond(request, response, Buffer.concat(pieces).toString())
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

function description(changes: object = {}) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    ...changes,
  }
}

const DESCRIPTION = '/.well-known/openid-configuration'

beforeEach(async () => {
  paths = []
  reports = []
  time = 0
  answers = {
    [DESCRIPTION]: json(description()),
    '/keys': json({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'RS256' }] }),
  }
  provider = open()
})

function open(changes: Partial<OidcSettings> = {}, timeout = LONG): OidcProvider {
  const settings = {
    name: 'lab',
    title: 'The lab',
    issuer,
    clientId: 'hyperslab',
    clientSecret: SECRET,
    scopes: ['openid', 'profile'],
    claims: { user: 'preferred_username', displayName: 'name', groups: 'groups' },
    ...changes,
  }
  return new OidcProvider({
    settings,
    report: problem => reports.push(problem),
    now: () => time,
    timeout,
  })
}

interface TokenChanges {
  readonly claims?: object
  readonly key?: Pair
  readonly algorithm?: string
}

/** The provider answers the code with an ID token; claims that are undefined are absent. */
function answerWithToken(
  { nonce }: LoginChecks,
  { claims = {}, key = pair, algorithm = 'RS256' }: TokenChanges = {},
) {
  const now = Math.floor(Date.now() / 1000)
  const all = { iss: issuer, aud: 'hyperslab', sub: '1', iat: now, exp: now + 60, nonce, ...claims }
  answers['/token'] = async (request, response, body) => {
    const token = await new SignJWT(JSON.parse(JSON.stringify(all)))
      .setProtectedHeader({ alg: algorithm, kid: 'one' })
      .sign(key.privateKey)
    tokenRequest = { authorization: request.headers.authorization, body: new URLSearchParams(body) }
    json({ access_token: 'an access token', token_type: 'Bearer', id_token: token })(request, response, body)
  }
}

let tokenRequest: { authorization: string | undefined; body: URLSearchParams }

const answerOf = ({ state }: LoginChecks, more = '') =>
  new URL(`${CALLBACK}?code=${CODE}&state=${state}${more}`)

/** The error of the promise, which has no secret, and neither have the reports. */
async function failure(promise: Promise<unknown>, ...secrets: readonly string[]) {
  const error: unknown = await promise.then(
    value => expect.fail(`no error, but ${JSON.stringify(value)}`),
    (error: unknown) => error,
  )
  const shown = `${(error as Error).message} ${reports.join(' ')}`
  for (const secret of [SECRET, CODE, ...secrets]) expect(shown).not.toContain(secret)
  return error
}

describe('a login', () => {
  it('begins with an address of the provider, with PKCE, state and nonce', async () => {
    const { address, checks } = await provider.begin(CALLBACK)
    const { searchParams, origin, pathname } = new URL(address)
    expect(origin + pathname).toBe(`${issuer}/authorize`)
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: 'hyperslab',
      response_type: 'code',
      redirect_uri: CALLBACK,
      scope: 'openid profile',
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    expect(address).not.toContain(checks.verifier)
    const other = await provider.begin(CALLBACK)
    expect(new Set([...Object.values(checks), ...Object.values(other.checks)]).size).toBe(6)
  })

  it('ends with the person, and the claims that the ID token lacks are asked for', async () => {
    answers[DESCRIPTION] = json(description({ userinfo_endpoint: `${issuer}/me` }))
    answers['/me'] = json({ sub: '1', name: 'Ann of the answer', groups: ['a'], preferred_username: 'other' })
    const { checks } = await provider.begin(CALLBACK)
    answerWithToken(checks, { claims: { preferred_username: 'ann' } })
    const { user, idToken } = await provider.finish(answerOf(checks), checks)
    expect(user).toEqual({
      issuer,
      subject: '1',
      wantedName: 'ann',
      displayName: 'Ann of the answer',
      groups: ['a@lab'],
    })
    expect(idToken?.split('.')).toHaveLength(3)
    expect(tokenRequest.authorization).toBe(
      `Basic ${Buffer.from(`hyperslab:${new URLSearchParams([['', SECRET]]).toString().slice(1)}`).toString('base64')}`,
    )
    expect(Object.fromEntries(tokenRequest.body)).toMatchObject({
      code: CODE,
      code_verifier: checks.verifier,
      redirect_uri: CALLBACK,
    })
  })

  it('sends the secret in the body to a provider that takes it there only, and none from a public client', async () => {
    answers[DESCRIPTION] = json(
      description({ token_endpoint_auth_methods_supported: ['client_secret_post', 'none'] }),
    )
    const { checks } = await provider.begin(CALLBACK)
    answerWithToken(checks)
    await provider.finish(answerOf(checks), checks)
    expect(tokenRequest.authorization).toBeUndefined()
    expect(tokenRequest.body.get('client_secret')).toBe(SECRET)
    const isPublic = open({ clientSecret: undefined as never })
    await isPublic.finish(answerOf(checks), checks)
    expect(tokenRequest.body.has('client_secret')).toBe(false)
  })

  it.each<[string, TokenChanges, string]>([
    ['another nonce', { claims: { nonce: 'other' } }, 'nonce'],
    ['no nonce', { claims: { nonce: undefined } }, ''],
    ['another audience', { claims: { aud: 'other' } }, ''],
    ['another issuer', { claims: { iss: 'https://evil.example' } }, ''],
    ['an end that is over', { claims: { exp: 1000, iat: 900 } }, ''],
    ['no end', { claims: { exp: undefined } }, ''],
    ['no subject', { claims: { sub: undefined } }, ''],
    ['an empty subject', { claims: { sub: '' } }, ''],
  ])('fails for an ID token with %s', async (_, changes) => {
    const { checks } = await provider.begin(CALLBACK)
    answerWithToken(checks, changes)
    const error = await failure(provider.finish(answerOf(checks), checks), checks.nonce, checks.verifier)
    expect(error).toMatchObject({ code: 'login-failed' })
    expect(reports).toHaveLength(1)
  })

  it('fails for an ID token that another key has signed, or none', async () => {
    const { checks } = await provider.begin(CALLBACK)
    answerWithToken(checks, { key: otherPair })
    expect(await failure(provider.finish(answerOf(checks), checks))).toMatchObject({ code: 'login-failed' })
    const [header, payload] = [
      { alg: 'none' },
      { iss: issuer, aud: 'hyperslab', sub: '1', nonce: checks.nonce },
    ].map(part => Buffer.from(JSON.stringify({ ...part, exp: 9e9, iat: 1 })).toString('base64url'))
    answers['/token'] = json({ access_token: 'x', token_type: 'Bearer', id_token: `${header}.${payload}.` })
    expect(await failure(provider.finish(answerOf(checks), checks))).toMatchObject({ code: 'login-failed' })
    answers['/token'] = json({ access_token: 'x', token_type: 'Bearer' })
    expect(await failure(provider.finish(answerOf(checks), checks))).toMatchObject({ code: 'login-failed' })
  })

  it('fails for a userinfo answer of another subject', async () => {
    answers[DESCRIPTION] = json(description({ userinfo_endpoint: `${issuer}/me` }))
    answers['/me'] = json({ sub: '2', preferred_username: 'boss' })
    const { checks } = await provider.begin(CALLBACK)
    answerWithToken(checks)
    expect(await failure(provider.finish(answerOf(checks), checks))).toMatchObject({ code: 'login-failed' })
  })

  it.each([
    ['invalid_grant', 'login-failed', 'was used already'],
    ['temporarily_unavailable', 'provider-unavailable', 'does not answer'],
    ['invalid_client', 'provider-misconfigured', 'not set up correctly'],
    ['unauthorized_client', 'provider-misconfigured', 'not set up correctly'],
    ['invalid_scope', 'provider-misconfigured', 'not set up correctly'],
    ['<script>alert(1)</script>', 'login-failed', 'an unknown error'],
  ])('fails when the provider answers %s', async (code, expected, message) => {
    const { checks } = await provider.begin(CALLBACK)
    answers['/token'] = json({ error: code, error_description: `the code ${CODE} <b>` }, 400)
    const error = await failure(provider.finish(answerOf(checks), checks), '<')
    expect(error).toMatchObject({ code: expected, message: expect.stringContaining(message) })
  })

  it.each<[string, Respond]>([
    [
      'a challenge, as RFC 6749 has it',
      (_, response) => {
        response.writeHead(401, {
          'www-authenticate': 'Basic realm="x"',
          'content-type': 'application/json',
        })
        response.end('{"error":"invalid_client"}')
      },
    ],
    ['a challenge alone', (_, response) => response.writeHead(401, { 'www-authenticate': 'Basic' }).end()],
    ['the error alone', json({ error: 'invalid_client' }, 401)],
    ['a page of HTML', (_, response) => response.writeHead(401, { 'content-type': 'text/html' }).end('<p>')],
  ])('says that the service is not set up when its secret is rejected by %s', async (_, respond) => {
    const { checks } = await provider.begin(CALLBACK)
    answers['/token'] = respond
    const error = await failure(provider.finish(answerOf(checks), checks))
    expect(error).toMatchObject({ code: 'provider-misconfigured' })
    expect((error as Error).message).toMatch(/The lab: this service is not set up .*administrator$/)
    expect(reports).toEqual([
      expect.stringMatching(/identity provider lab failed: .*rejects the client_id or the client secret/),
    ])
    // A right secret counts at once.
    answerWithToken(checks)
    expect(await provider.finish(answerOf(checks), checks)).toMatchObject({ user: { subject: '1' } })
  })

  it('says the same when the file with its secret is gone, or userinfo rejects the token', async () => {
    const gone = open({ clientSecret: undefined as never, clientSecretFile: '/nowhere/lab-secret' })
    const { checks } = await gone.begin(CALLBACK)
    answerWithToken(checks)
    expect(await failure(gone.finish(answerOf(checks), checks))).toMatchObject({
      code: 'provider-misconfigured',
    })
    expect(reports.pop()).toContain('(client_secret_file) cannot be read: ENOENT')
    answers[DESCRIPTION] = json(description({ userinfo_endpoint: `${issuer}/me` }))
    answers['/me'] = (_, response) => response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
    time += 60_000
    expect(await failure(provider.finish(answerOf(checks), checks))).toMatchObject({
      code: 'provider-misconfigured',
    })
    expect(reports.pop()).toContain('userinfo')
  })

  it.each(['&state=x', '&code=x', '&iss=https://evil.example', '&error=access_denied'])(
    'fails for an answer with %s',
    async more => {
      const { checks } = await provider.begin(CALLBACK)
      answerWithToken(checks)
      const error = await failure(provider.finish(answerOf(checks, more), checks))
      expect(error).toMatchObject({ code: 'login-failed' })
    },
  )
})

describe('a provider', () => {
  const hang: Respond = () => {}

  it.each<[string, Respond, string]>([
    ['that is not there', json({}, 404), 'status 404'],
    ['that fails', json({}, 500), 'status 500'],
    ['that says nothing', hang, 'takes too long'],
    ['that breaks off', (_, response) => response.destroy(), 'the connection failed'],
    ['of another issuer', (...args) => json(description({ issuer: 'https://evil.example' }))(...args), ''],
    ['without JSON', (_, response) => response.end('<html>'), ''],
    [
      'whose answer is too long',
      (_, response) => response.end('x'.repeat(2 << 20)),
      'more than 1048576 bytes',
    ],
    [
      'that sends to another one',
      (_, response) => response.writeHead(302, { location: '/x' }).end(),
      'status 302',
    ],
  ])('%s is away, and is left in peace for 5 seconds', async (_, respond, reason) => {
    answers[DESCRIPTION] = respond
    if (respond === hang) provider = open({}, SHORT)
    expect(await provider.isAvailable()).toBe(false)
    expect(await failure(provider.begin(CALLBACK))).toMatchObject({
      code: 'provider-unavailable',
      retryAfter: 5,
    })
    expect(paths).toEqual([DESCRIPTION])
    expect(reports).toEqual([expect.stringContaining(reason)])
    answers[DESCRIPTION] = json(description())
    time += 4999
    expect(await provider.isAvailable()).toBe(false)
    time += 1
    expect(await provider.isAvailable()).toBe(true)
    expect(paths).toEqual([DESCRIPTION, DESCRIPTION])
  })

  it('is away to people when it answers late, and yet a login waits for it', async () => {
    let respond = (): void => undefined
    answers[DESCRIPTION] = (request, response, body) => {
      respond = () => json(description())(request, response, body)
    }
    const begun = provider.begin(CALLBACK)
    expect(await provider.isAvailable(SHORT)).toBe(false)
    await expect.poll(() => paths).toEqual([DESCRIPTION])
    respond()
    expect((await begun).address).toContain(`${issuer}/authorize?`)
    expect(await provider.isAvailable()).toBe(true)
  })

  it('is asked again after a minute, once for all that wait, and may have moved', async () => {
    await Promise.all([provider.isAvailable(), provider.begin(CALLBACK), provider.begin(CALLBACK)])
    time += 59_999
    await provider.begin(CALLBACK)
    expect(paths).toEqual([DESCRIPTION])
    answers[DESCRIPTION] = json(description({ authorization_endpoint: `${issuer}/elsewhere` }))
    time += 1
    expect((await provider.begin(CALLBACK)).address).toContain('/elsewhere?')
    answers[DESCRIPTION] = json({}, 503)
    time += 60_000
    expect(await provider.isAvailable()).toBe(false)
  })

  it('that is away when a login ends is reported so, and the login can be finished later', async () => {
    provider = open({}, SHORT)
    const { checks } = await provider.begin(CALLBACK)
    for (const respond of [hang, json({}, 502), ((_, response) => response.destroy()) as Respond]) {
      answers['/token'] = respond
      expect(await failure(provider.finish(answerOf(checks), checks))).toMatchObject({
        code: 'provider-unavailable',
      })
    }
    answerWithToken(checks)
    expect(await provider.finish(answerOf(checks), checks)).toMatchObject({ user: { subject: '1' } })
  })

  it('is asked with TLS only, unless it is on this machine', async () => {
    const elsewhere = open({ issuer: 'http://id.example' })
    expect(await elsewhere.isAvailable()).toBe(false)
    expect(reports).toEqual([expect.stringContaining('must be an https address')])
    answers[DESCRIPTION] = json(description({ token_endpoint: 'http://id.example/token' }))
    const { checks } = await provider.begin(CALLBACK)
    expect(await failure(provider.finish(answerOf(checks), checks))).toMatchObject({
      code: 'provider-unavailable',
    })
  })

  it('has an address to log out, if it says so and is there', async () => {
    expect(await provider.logoutAddress('token', 'http://127.0.0.1:5101/ui')).toBeUndefined()
    answers[DESCRIPTION] = json(description({ end_session_endpoint: `${issuer}/end` }))
    time += 60_000
    const address = await provider.logoutAddress('token', 'http://127.0.0.1:5101/ui')
    expect(Object.fromEntries(new URL(address ?? '').searchParams)).toEqual({
      client_id: 'hyperslab',
      id_token_hint: 'token',
      post_logout_redirect_uri: 'http://127.0.0.1:5101/ui',
    })
    expect(await provider.logoutAddress(undefined, 'x')).not.toContain('hint')
    answers[DESCRIPTION] = json({}, 500)
    time += 60_000
    expect(await provider.logoutAddress('token', 'x')).toBeUndefined()
  })

  it('reads the secret of a file for each login', async () => {
    const missing = open({ clientSecret: undefined as never, clientSecretFile: '/does/not/exist' })
    const { checks } = await missing.begin(CALLBACK)
    expect(await failure(missing.finish(answerOf(checks), checks), '/does')).toMatchObject({
      code: 'provider-misconfigured',
    })
  })
})
