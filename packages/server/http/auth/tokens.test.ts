import { createHmac } from 'node:crypto'
import { HyperslabError } from '@hyperslab/base/errors'
import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { createVerifyToken, type TokenSettings } from './tokens.ts'

const NOW = Date.UTC(2026, 10, 21)
const SECONDS = NOW / 1000

type Pair = Awaited<ReturnType<typeof generateKeyPair>>
const pairs = new Map<string, Pair>()
let settings: TokenSettings

beforeAll(async () => {
  for (const algorithm of ['RS256', 'ES256', 'EdDSA']) {
    pairs.set(algorithm, await generateKeyPair(algorithm, { extractable: true }))
  }
  const keys = await Promise.all(
    [...pairs].map(async ([kid, { publicKey }]) => ({ ...(await exportJWK(publicKey)), kid })),
  )
  settings = {
    keyOf: createLocalJWKSet({ keys }),
    issuer: () => 'https://id.example.org/',
    audience: ['hyperslab', 'other'],
    algorithms: ['RS256', 'ES256', 'EdDSA'],
    userClaim: 'preferred_username',
    groupsClaim: 'roles',
    clockTolerance: 10,
    providers: [],
    providerUsers: { nameOf: async () => 'nobody' },
  }
})

const GOOD = {
  preferred_username: 'ann',
  iss: 'https://id.example.org/',
  aud: 'hyperslab',
  exp: SECONDS + 300,
}

function signed(payload: object, algorithm = 'RS256', kid = algorithm): Promise<string> {
  const key = pairs.get(algorithm)?.privateKey
  if (!key) throw new Error(algorithm)
  return new SignJWT({ ...payload }).setProtectedHeader({ alg: algorithm, kid }).sign(key)
}

const verify = (token: string, changes: Partial<TokenSettings> = {}, now = NOW) =>
  createVerifyToken({ ...settings, ...changes }, () => now)(token)

/** The message of the refusal; fails if it is accepted. */
async function refusal(token: string, changes: Partial<TokenSettings> = {}): Promise<string> {
  const error: unknown = await verify(token, changes).then(
    user => expect.fail(`accepted as ${user.name}`),
    (error: unknown) => error,
  )
  expect(error).toMatchObject({ code: 'wrong-credentials' })
  const { message } = error as HyperslabError
  for (const part of token.split('.').filter(part => part.length > 3)) expect(message).not.toContain(part)
  return message
}

describe('a token that is good', () => {
  it.each(['RS256', 'ES256', 'EdDSA'])('%s tells the user and the groups', async algorithm => {
    const token = await signed({ ...GOOD, roles: ['lab', 'team'] }, algorithm)
    expect(await verify(token)).toEqual({ name: 'ann', groups: ['lab', 'team'] })
  })

  it.each<[string, object, Partial<TokenSettings>, object]>([
    ['several audiences', { aud: ['x', 'other'] }, {}, { groups: [] }],
    ['no issuer asked for', { iss: 'x' }, { issuer: () => undefined }, {}],
    ['an expiry within the tolerance', { exp: SECONDS - 5 }, {}, {}],
    ['a start within the tolerance', { nbf: SECONDS + 5 }, {}, {}],
    ['another claim for the user', { sub: 'bob' }, { userClaim: 'sub' }, { name: 'bob' }],
    ['one group that is no list', { roles: 'lab' }, {}, { groups: ['lab'] }],
    ['odd groups', { roles: ['lab', 1, null, '', {}] }, {}, { groups: ['lab'] }],
    ['no claim for groups', { roles: ['lab'] }, { groupsClaim: '' }, { groups: [] }],
    [
      'a claim in a claim',
      { realm_access: { roles: ['lab'] } },
      { groupsClaim: 'realm_access.roles' },
      { groups: ['lab'] },
    ],
    [
      'a claim with dots',
      { 'https://x.org/roles': ['lab'] },
      { groupsClaim: 'https://x.org/roles' },
      { groups: ['lab'] },
    ],
    ['a way that ends', { realm_access: 'x' }, { groupsClaim: 'realm_access.roles' }, { groups: [] }],
    ['no way over inherited members', {}, { groupsClaim: 'constructor.name' }, { groups: [] }],
    ['an address as the name', { preferred_username: 'Ann_2.x-y@example.org' }, {}, {}],
  ])('may have %s', async (_, claims, changes, expected) => {
    expect(await verify(await signed({ ...GOOD, ...claims }), changes)).toMatchObject(expected)
  })
})

describe('a token that is not good', () => {
  it.each<[string, object, string]>([
    ['expired', { exp: SECONDS - 11 }, 'expired'],
    ['without an expiry', { exp: undefined }, 'exp'],
    ['of the future', { nbf: SECONDS + 11 }, 'nbf'],
    ['for another service', { aud: 'elsewhere' }, 'aud'],
    ['for nobody', { aud: undefined }, 'aud'],
    ['of another issuer', { iss: 'https://id.example.org.evil/' }, 'iss'],
    ['of no issuer', { iss: undefined }, 'iss'],
    ['without a user', { preferred_username: undefined }, 'preferred_username'],
    ['whose user is no text', { preferred_username: 7 }, 'preferred_username'],
    ['whose user is empty', { preferred_username: '' }, 'preferred_username'],
    ['whose user is everybody', { preferred_username: 'default' }, 'preferred_username'],
    ['whose user is everybody, capitalised', { preferred_username: 'Default' }, 'preferred_username'],
    ['whose user is called as if without login', { preferred_username: 'anonymous' }, 'preferred_username'],
    ['whose user has a blank', { preferred_username: 'ann lee' }, 'letters, digits'],
    ['whose user has a slash', { preferred_username: '../ann' }, 'letters, digits'],
    ['whose user is two lines', { preferred_username: 'ann\nbob' }, 'letters, digits'],
    ['whose user ends with a line', { preferred_username: 'ann\n' }, 'letters, digits'],
    ['whose user is in another script', { preferred_username: 'Zoë' }, 'letters, digits'],
    ['whose user is long', { preferred_username: 'a'.repeat(65) }, 'letters, digits'],
    ['whose user is a group', { preferred_username: 'g:lab' }, 'preferred_username'],
  ])('%s is refused', async (_, claims, why) => {
    expect(await refusal(await signed({ ...GOOD, ...claims }))).toContain(why)
  })

  it('with another signature is rejected', async () => {
    const { privateKey } = await generateKeyPair('RS256')
    const forged = await new SignJWT(GOOD).setProtectedHeader({ alg: 'RS256', kid: 'RS256' }).sign(privateKey)
    expect(await refusal(forged)).toContain('not signed by')
  })

  it('of an unknown key, or an algorithm that is not allowed, is refused', async () => {
    expect(await refusal(await signed(GOOD, 'RS256', 'unknown'))).toContain('not signed by')
    expect(await refusal(await signed(GOOD, 'ES256'), { algorithms: ['RS256'] })).toContain('not signed by')
  })

  it('changed after it was signed is refused', async () => {
    const [head, , signature] = (await signed(GOOD)).split('.')
    const payload = Buffer.from(JSON.stringify({ ...GOOD, preferred_username: 'admin' })).toString(
      'base64url',
    )
    expect(await refusal(`${head}.${payload}.${signature}`)).toContain('not signed by')
  })

  it('without a signature, or signed with the public key as a secret, is refused', async () => {
    const part = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url')
    await refusal(`${part({ alg: 'none' })}.${part(GOOD)}.`)
    const jwk = await exportJWK(pairs.get('RS256')?.publicKey as Pair['publicKey'])
    const text = `${part({ alg: 'HS256', kid: 'RS256' })}.${part(GOOD)}`
    const signature = createHmac('sha256', JSON.stringify(jwk)).update(text).digest('base64url')
    await refusal(`${text}.${signature}`)
  })

  it.each(['x', 'a.b.c', '....', 'e30.e30.e30', 'x'.repeat(100_000)])(
    'that is none (%s) is refused',
    async token => {
      await expect(verify(token)).rejects.toMatchObject({ code: 'wrong-credentials' })
    },
  )
})

describe('a token that was verified', () => {
  it('is remembered until it expires', async () => {
    let now = NOW
    let asked = 0
    const keyOf: TokenSettings['keyOf'] = (header, token) => {
      asked++
      return settings.keyOf(header, token)
    }
    const check = createVerifyToken({ ...settings, keyOf, clockTolerance: 0 }, () => now)
    const token = await signed(GOOD)
    for (let i = 0; i < 3; i++) expect((await check(token)).name).toBe('ann')
    expect(asked).toBe(1)
    now = NOW + 299_000
    await check(token)
    expect(asked).toBe(1)
    now = NOW + 301_000
    await expect(check(token)).rejects.toMatchObject({ code: 'wrong-credentials' })
    expect(asked).toBe(2)
  })

  it('tells nothing about one that was not', async () => {
    const check = createVerifyToken(settings, () => NOW)
    const token = await signed(GOOD)
    await check(token)
    await expect(check(`${token.slice(0, -4)}AAAA`)).rejects.toMatchObject({ code: 'wrong-credentials' })
  })

  it('lets errors of the keys pass', async () => {
    const error = new HyperslabError('token-keys-unavailable', 'not now')
    await expect(verify(await signed(GOOD), { keyOf: () => Promise.reject(error) })).rejects.toBe(error)
  })
})

describe('a token of an issuer at which people log in', () => {
  const lab = {
    name: 'lab',
    issuer: 'https://id.example.org/',
    claims: { user: 'nick', displayName: 'name', groups: 'teams' },
  }
  const named: unknown[] = []
  const changes: Partial<TokenSettings> = {
    providers: [lab],
    providerUsers: {
      async nameOf(user, provider) {
        named.push([user, provider])
        return 'ann@lab'
      },
    },
  }

  it('names the same user, with the groups of that provider', async () => {
    const token = await signed({
      ...GOOD,
      sub: '1',
      nick: 'ann',
      name: 'Ann',
      teams: ['a'],
      roles: ['admin'],
    })
    expect(await verify(token, changes)).toEqual({ name: 'ann@lab', groups: ['a@lab'] })
    const user = {
      issuer: lab.issuer,
      subject: '1',
      wantedName: 'ann',
      displayName: 'Ann',
      groups: ['a@lab'],
    }
    expect(named).toEqual([[user, 'lab']])
  })

  it('must have a subject', async () => {
    expect(await refusal(await signed({ ...GOOD, nick: 'ann' }), changes)).toContain('"sub" is missing')
  })

  it('of another issuer cannot have a name of that provider, and names its users as before', async () => {
    const others = { ...changes, issuer: () => undefined }
    const of = (preferred_username: string) =>
      signed({ ...GOOD, iss: 'https://x.example', sub: '1', preferred_username })
    expect(await verify(await of('ann'), others)).toEqual({ name: 'ann', groups: [] })
    expect(await refusal(await of('ann@lab'), others)).toContain('a name that only users of lab have')
  })
})
