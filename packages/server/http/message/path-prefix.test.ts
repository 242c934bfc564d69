// The prefix of paths: what is one, and what is left of the request's path. test/wire/path-prefix.test.ts follows the
// addresses in answers.

import type { IncomingMessage } from 'node:http'
import { describe, expect, it, test } from 'vitest'
import { nearBaseOf, parsePrefix, prefixOf, prefixTaker, requirePrefix } from './path-prefix.ts'

/** The request as all but the function sees it. */
function taken(url: string, headers: Record<string, string>, publicUrl?: string): IncomingMessage {
  const request: Partial<IncomingMessage> = { url, headers: { ...headers } }
  // The function reads nothing else.
  prefixTaker(publicUrl)(request as IncomingMessage)
  return request as IncomingMessage
}

describe('a header', () => {
  it.each([
    ['/hyperslab', '/hyperslab'],
    ['/hyperslab/', '/hyperslab'],
    ['/', ''],
    ['', ''],
    ['/user/ann/proxy/5101', '/user/ann/proxy/5101'],
    ['/user/ann@x.org/proxy/host:5101', '/user/ann@x.org/proxy/host:5101'],
    ['/user/ann%40x.org', '/user/ann%40x.org'],
    ['/a.b/..c/...', '/a.b/..c/...'],
    ['/~ann/(a)+b=c&d!$*', '/~ann/(a)+b=c&d!$*'],
    // Bytes of UTF-8, as Node decodes them.
    ['/\u00c3\u00b6', '/%C3%B6'],
    // Two proxies.
    ['/a, /b/c/', '/a/b/c'],
    ['/a,/', '/a'],
    [`/${'x'.repeat(1023)}`, `/${'x'.repeat(1023)}`],
  ])('%j is the prefix %j', (header, prefix) => {
    expect(parsePrefix(header)).toBe(prefix)
  })

  it.each([
    'hyperslab',
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/a//b',
    '/a//',
    '/a, b',
    '/a,//evil.example',
    ',//evil.example',
    '/.',
    '/..',
    '/a/../b',
    '/a/./b',
    '/a/%2e%2E/b',
    '/a/.%2e',
    '/a%2fb',
    '/a%5cb',
    '/a%0d%0ab',
    '/a%7f',
    '/a\tb',
    '/a b',
    '/a"b',
    "/a'b",
    '/a<b>',
    '/a;b',
    '/a?b',
    '/a#b',
    '/a%',
    '/a%zz',
    `/${'x'.repeat(1024)}`,
    `/${'\u00c3'.repeat(500)}`,
  ])('%j is none, and the request is refused', header => {
    expect(parsePrefix(header)).toBeUndefined()
    const request = taken('/x', { 'x-forwarded-prefix': header })
    expect(() => requirePrefix(request)).toThrow(expect.objectContaining({ code: 'malformed-request' }))
    expect(prefixOf(request.headers)).toBe('')
    // The request comes from a proxy all the same (auth/open-service.ts).
    expect(request.headers).toHaveProperty('x-forwarded-prefix')
  })

  it.each([
    [{}, ''],
    [{ 'x-forwarded-prefix': '/a', 'x-forwarded-context': '/b' }, '/a'],
    [{ 'x-forwarded-prefix': '', 'x-forwarded-context': '/b', 'x-proxycontextpath': '/c' }, '/b'],
    [{ 'x-proxycontextpath': '/c/' }, '/c'],
  ])('of %j the prefix is %j, and the path stays', (headers, prefix) => {
    const request = taken('/a/b?c', headers)
    expect(() => requirePrefix(request)).not.toThrow()
    expect([prefixOf(request.headers), request.url]).toEqual([prefix, '/a/b?c'])
    expect(nearBaseOf(request.headers, undefined)).toBe(prefix)
  })
})

describe('the path of public_url', () => {
  it.each([
    ['/data', '/'],
    ['/data/', '/'],
    ['/data?x=/data', '/?x=/data'],
    ['/data/ui/a%2Fb', '/ui/a%2Fb'],
    ['/data/data/x', '/data/x'],
    ['/data//x', '//x'],
    ['/%64ata/x', '/x'],
    // The proxy has taken it off.
    ['/', '/'],
    ['/ui?folder=/data/', '/ui?folder=/data/'],
    ['/database', '/database'],
    ['/dat%ff/x', '/dat%ff/x'],
    ['/?data', '/?data'],
    ['*', '*'],
  ])('is taken off %s', (url, left) => {
    const request = taken(url, {}, 'https://host.example/data')
    expect([request.url, prefixOf(request.headers)]).toEqual([left, '/data'])
  })

  test.each([
    ['https://host.example/user/ann@x/proxy', '/user/ann%40x/proxy/ui'],
    ['https://host.example/user/ann%40x/proxy', '/user/ann@x/proxy/ui'],
    ['https://host.example/ö', '/%C3%B6/ui'],
  ])('of %s is found in %s', (publicUrl, url) => {
    expect(taken(url, {}, publicUrl).url).toBe('/ui')
  })

  it.each([
    ['https://host.example/data', '/data'],
    ['https://host.example', ''],
  ])('of %s counts, not that of a header', (publicUrl, prefix) => {
    const request = taken('/x', { 'x-forwarded-prefix': '//evil.example' }, publicUrl)
    expect(() => requirePrefix(request)).not.toThrow()
    expect(prefixOf(request.headers)).toBe(prefix)
    expect(nearBaseOf(request.headers, publicUrl)).toBe(publicUrl)
  })
})
