import { describe, expect, it } from 'vitest'
import { Seal } from '../../seal.ts'
import { PendingLogins } from './pending-logins.ts'

const URL_HERE = 'https://data.example.org'
const LOGIN = {
  provider: 'lab',
  next: `${URL_HERE}/ui`,
  state: 'state of the login',
  nonce: 'nonce of the login',
  verifier: 'verifier of the login',
}

let time = 0
const pending = (secret = 'secret', url = URL_HERE) =>
  new PendingLogins(new Seal(secret, 'login'), url, () => time)

/** The header `Cookie` of a browser that has got these values of `Set-Cookie`. */
const headersWith = (cookies: readonly string[]) => ({
  cookie: cookies.map(text => text.split(';')[0]).join('; '),
})

const BEGUN = pending().begin({}, LOGIN)

describe('a login under way', () => {
  it('is a cookie that pages cannot read, with nothing in clear', () => {
    expect(BEGUN).toHaveLength(1)
    expect(BEGUN[0]).toMatch(
      /^__Host-hyperslab-login-state of=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
    )
    expect(BEGUN[0]).not.toMatch(/nonce|verifier/)
  })

  it('is found by any process with the secret, until it is too old', () => {
    expect(pending().find(headersWith(BEGUN), 'lab', LOGIN.state)).toMatchObject(LOGIN)
    time = 600_000
    expect(() => pending().find(headersWith(BEGUN), 'lab', LOGIN.state)).toThrow('more than 10 minutes ago')
    time = 0
  })

  it.each<[string, () => unknown]>([
    ['without a cookie', () => pending().find({}, 'lab', LOGIN.state)],
    ['with another state', () => pending().find(headersWith(BEGUN), 'lab', 'state of another')],
    ['with no state', () => pending().find(headersWith(BEGUN), 'lab', '')],
    ['of another provider', () => pending().find(headersWith(BEGUN), 'uni', LOGIN.state)],
    ['of another store', () => pending('other').find(headersWith(BEGUN), 'lab', LOGIN.state)],
    [
      'of another address',
      () => pending('secret', 'https://other.example:8443').find(headersWith(BEGUN), 'lab', LOGIN.state),
    ],
    [
      'with the cookie of another login',
      () => {
        const other = pending().begin({}, { ...LOGIN, state: 'state of mine' })
        return pending().find(headersWith(other), 'lab', LOGIN.state)
      },
    ],
  ])('is not there %s', (_, find) => {
    expect(find).toThrow(expect.objectContaining({ code: 'login-unknown' }))
  })

  it('is one of five in a browser, of which the oldest ends', () => {
    let cookies: string[] = []
    for (let count = 0; count < 7; count++) {
      const given = pending().begin(headersWith(cookies), { ...LOGIN, state: `${count}-state` })
      for (const cookie of given) {
        const [name = ''] = cookie.split('=')
        cookies = cookies.filter(other => !other.startsWith(`${name}=`))
        if (!cookie.includes('Max-Age=0')) cookies.push(cookie)
      }
    }
    expect(cookies.map(cookie => cookie.split('=')[0])).toEqual(
      [2, 3, 4, 5, 6].map(count => `__Host-hyperslab-login-${count}-state`),
    )
  })
})

describe('the page to return to', () => {
  it.each([
    ['/', `${URL_HERE}/`],
    ['/ui?folder=/a%20b#x', `${URL_HERE}/ui?folder=/a%20b#x`],
    ['/.//evil.example/', `${URL_HERE}//evil.example/`],
    ['/ui?domain=/ä', `${URL_HERE}/ui?domain=/%C3%A4`],
    ['/a/../ui', `${URL_HERE}/ui`],
    ['/logins', `${URL_HERE}/logins`],
  ])('%s', (next, expected) => {
    expect(pending().addressOf(next)).toBe(expected)
  })

  it.each([
    '',
    'ui',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n\\evil.example',
    ' //evil.example',
    'https://evil.example/',
    'https:evil.example',
    `${URL_HERE}/ui`,
    'javascript:alert(1)',
    'data:text/html,x',
    '/login/lab',
    '/x/../login/lab',
    `/${'x'.repeat(2000)}`,
    `/${'€'.repeat(700)}`,
  ])('is not %j', next => {
    expect(() => pending().addressOf(next)).toThrow(expect.objectContaining({ code: 'malformed-parameter' }))
  })

  it('is below the same origin where the service has a path', () => {
    const below = pending('secret', 'https://data.example.org/h5')
    expect(below.addressOf('/h5/ui?x')).toBe('https://data.example.org/h5/ui?x')
    expect(below.addressOf('/h5')).toBe('https://data.example.org/h5')
    for (const next of ['/h5/login/lab', '/ui', '/h5x/ui', '/h5/../ui', '/'])
      expect(() => below.addressOf(next)).toThrow('must be the address of a page')
  })
})
