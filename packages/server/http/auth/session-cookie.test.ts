import { expect, it } from 'vitest'
import { cookieNameOf, cookiesIn, sessionCookie, sessionIn } from './session-cookie.ts'

it.each([
  ['', []],
  ['a', []],
  ['=a', []],
  ['a=', [['a', '']]],
  ['a=1', [['a', '1']]],
  [
    ' a=1 ;b=2;; c=x=y ',
    [
      ['a', '1'],
      ['b', '2'],
      ['c', 'x=y'],
    ],
  ],
  ['a=1; a=2', [['a', '1']]],
  ['__proto__=1', [['__proto__', '1']]],
])('finds the cookies of %j', (cookie, expected) => {
  expect([...cookiesIn({ cookie })]).toEqual(expected)
})

it('finds those of a long header at once', () => {
  // A pattern that looks for the end of spaces again and again would take hours.
  const cookie = `a=${' '.repeat(200_000)}x; hyperslab-5101=secret`
  expect(sessionIn({ cookie, host: 'localhost:5101' }, undefined)).toBe('secret')
})

it('finds none without a header', () => {
  expect([...cookiesIn({})]).toEqual([])
  expect(sessionIn({ host: 'localhost:5101' }, undefined)).toBeUndefined()
})

it.each([
  [{ host: 'h' }, undefined, 'hyperslab', '/', false],
  [{ host: 'h:5101' }, undefined, 'hyperslab-5101', '/', false],
  [{ host: 'h', 'x-forwarded-proto': 'https' }, undefined, '__Host-hyperslab', '/', true],
  [{ host: 'h', 'x-forwarded-prefix': '' }, 'https://h.example', '__Host-hyperslab', '/', true],
  [{ host: 'h:1', 'x-forwarded-prefix': '/a' }, undefined, 'hyperslab-1-6a50dc8584134c7d', '/a', false],
  [
    { host: 'h', 'x-forwarded-proto': 'https', 'x-forwarded-prefix': '/a' },
    undefined,
    '__Secure-hyperslab-6a50dc8584134c7d',
    '/a',
    true,
  ],
  [
    { 'x-forwarded-prefix': '/a/b' },
    'https://h.example:8443/a/b',
    '__Secure-hyperslab-8443-662b7b62a798bb2d',
    '/a/b',
    true,
  ],
])('of %j and %s has the name %s and the path %s', (headers, publicUrl, name, path, isSecure) => {
  expect(cookieNameOf(headers, publicUrl)).toBe(name)
  expect(sessionCookie(headers, publicUrl, 'secret', 60)).toBe(
    `${name}=secret; Path=${path}; Max-Age=60; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
  )
})

it('of a service is no session of one below its path, to which browsers send it too', () => {
  const [outer, inner] = ['/a', '/a/b'].map(prefix => ({ host: 'h', 'x-forwarded-prefix': prefix }))
  const cookie = `${cookieNameOf(outer ?? {}, undefined)}=outer`
  expect(sessionIn({ ...outer, cookie }, undefined)).toBe('outer')
  expect(sessionIn({ ...inner, cookie }, undefined)).toBeUndefined()
})
