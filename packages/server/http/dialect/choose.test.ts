import { HyperslabError } from '@hyperslab/base/errors'
import { describe, expect, it } from 'vitest'
import { openTestService } from '../../../../test/fixtures/service.ts'
import { ANONYMOUS } from '../../service/context.ts'
import { parseTarget } from '../message/target.ts'
import { chooseDialect } from './choose.ts'
import { classic } from './classic/index.ts'
import type { Naming, NamingSettings } from './dialect.ts'
import { hsdsAt } from './hsds/index.ts'
import { placeOf } from './place.ts'

const SETTINGS = {
  baseDomain: 'hdfgroup.org',
  homeFolder: 'home',
  buckets: { defaultName: 'main', otherNames: ['archive'] },
}
const dialects = { classic, hsds: hsdsAt('1.0') }
const GROUP = 'g-acdb532f-995a6284-2453-dba711-d2ea0c'
const UUID = 'acdb532f-995a-6284-2453-dba711d2ea0c'

type Headers = Readonly<Record<string, string>>

function chosen(url: string, headers: Headers): string {
  return chooseDialect(parseTarget(url), headers, dialects).name
}

function naming(url: string, headers: Headers, settings: NamingSettings = SETTINGS): Naming {
  const target = parseTarget(url)
  return chooseDialect(target, headers, dialects).nameDomain(target, headers, settings)
}

/** The path of the domain that a request names, or why it names none. */
function named(url: string, headers: Headers): string {
  try {
    return naming(url, headers).path
  } catch (error) {
    if (error instanceof HyperslabError) return error.code
    throw error
  }
}

describe('the dialect and the domain of a request (common 1; clients 2.1)', () => {
  const own = { host: 'localhost:5101' }
  const dns = { host: 'run7.ann.home.hdfgroup.org' }
  it.each<[string, string, Headers, 'classic' | 'hsds', string]>([
    ['a domain parameter with a path', '/?domain=/home/ann/run7', own, 'hsds', '/home/ann/run7'],
    ['its slashes may be encoded', '/?domain=%2Fhome%2Fann%2Frun7', own, 'hsds', '/home/ann/run7'],
    ['it may be a hdf5: address', '/groups?domain=hdf5://home/ann/run7', own, 'hsds', '/home/ann/run7'],
    ['it wins over the host', '/?domain=/home/ann/x', dns, 'hsds', '/home/ann/x'],
    ['it wins over the header', '/?domain=/a/x', { ...own, 'x-hdf-domain': '/a/y' }, 'hsds', '/a/x'],
    ['it wins over ?host=', '/?host=a.hdfgroup.org&domain=/a/x', own, 'hsds', '/a/x'],
    ['the first of several counts', '/?domain=/a/x&domain=/a/y', own, 'hsds', '/a/x'],
    ['it does not end with a slash', '/?domain=/home/', own, 'hsds', 'malformed-domain'],
    ['the header', '/', { ...dns, 'x-hdf-domain': '/home/ann/run7' }, 'hsds', '/home/ann/run7'],
    ['the header in UTF-8', '/', { ...own, 'x-hdf-domain': '/home/\u00c3\u00a4' }, 'hsds', '/home/ä'],
    ['the header as a hdf5: address', '/', { ...own, 'x-hdf-domain': 'hdf5://home/x' }, 'hsds', '/home/x'],
    ['the header with a DNS name', '/', { ...own, 'x-hdf-domain': 'user.home' }, 'hsds', 'malformed-domain'],
    ['the header without a slash', '/', { ...own, 'x-hdf-domain': 'bad.h5' }, 'hsds', 'malformed-domain'],
    ['a Host that is a path', '/', { host: '/home/ann/x' }, 'hsds', '/home/ann/x'],
    ['... the header wins', '/', { host: '/home/ann/x', 'x-hdf-domain': '/a/y' }, 'hsds', '/a/y'],
    ['... the parameter wins', '/?domain=/a/z', { host: '/home/ann/x' }, 'hsds', '/a/z'],
    ['the header, empty', '/', { ...own, 'x-hdf-domain': '' }, 'hsds', '/'],
    ['it may have one letter', '/?domain=/a', own, 'hsds', '/a'],
    ['it may name its bucket', '/?domain=archive/a/x', own, 'hsds', 'archive/a/x'],
    ['... also the default one', '/?domain=main/a/x', own, 'hsds', '/a/x'],
    ['... which wins over the parameter', '/?domain=main/a/x&bucket=archive', own, 'hsds', '/a/x'],
    ['... which must be there', '/?domain=home/x', own, 'hsds', 'bucket-not-found'],
    ['... with a dot behind it', '/?domain=lab/t2.h5', own, 'hsds', 'bucket-not-found'],
    ['... which must be a name', '/?domain=b%20c/x', own, 'hsds', 'malformed-parameter'],
    [
      'the header names no bucket',
      '/',
      { ...own, 'x-hdf-domain': 'archive/a/x' },
      'hsds',
      'malformed-domain',
    ],
    ['a folder to be listed may end with a slash', '/domains?domain=/home/', own, 'hsds', '/home'],
    ['... but not with two', '/domains?domain=/home//', own, 'hsds', 'malformed-domain'],
    ['... nor be nothing but slashes', '/domains?domain=//', own, 'hsds', 'malformed-domain'],
    ['... nor be a bucket without one', '/domains?domain=archive', own, 'hsds', 'malformed-domain'],
    ['the top level to be listed', '/domains?domain=/', own, 'hsds', '/'],
    ['... of another bucket', '/domains?domain=archive/', own, 'hsds', 'archive/'],
    ['... by the parameter', '/domains?bucket=archive', own, 'hsds', 'archive/'],
    ['a folder without a slash', '/domains?domain=home', own, 'hsds', 'malformed-domain'],
    ['a bucket parameter', '/?domain=/a/x&bucket=archive', own, 'hsds', 'archive/a/x'],
    ['... of the default bucket', '/?domain=/a/x&bucket=main', own, 'hsds', '/a/x'],
    [
      '... wins over the header',
      '/?domain=/a/x&bucket=archive',
      { ...own, 'x-hdf-bucket': 'main' },
      'hsds',
      'archive/a/x',
    ],
    [
      '... if it is not empty',
      '/?domain=/a/x&bucket=',
      { ...own, 'x-hdf-bucket': 'archive' },
      'hsds',
      'archive/a/x',
    ],
    ['... alone', '/?bucket=archive', own, 'hsds', 'archive/'],
    ['... beside a DNS name', '/?host=x.hdfgroup.org&bucket=archive', own, 'classic', '/x'],
    ['... that is unknown', '/?domain=/a/x&bucket=b', own, 'hsds', 'bucket-not-found'],
    [
      'a bucket header',
      '/',
      { ...own, 'x-hdf-bucket': 'archive', 'x-hdf-domain': '/a/x' },
      'hsds',
      'archive/a/x',
    ],
    ['... beside the DNS name of a domain', '/', { ...dns, 'x-hdf-bucket': 'archive' }, 'hsds', 'archive/'],
    [
      'a bucket that is no name',
      '/?domain=/a',
      { ...own, 'x-hdf-bucket': 'bad/bucket' },
      'hsds',
      'malformed-parameter',
    ],
    ['a bucket parameter that is no name', '/?domain=/a&bucket=b%20c', own, 'hsds', 'malformed-parameter'],
    ['the bucket header alone', '/', { ...own, 'x-hdf-bucket': 'main' }, 'hsds', '/'],
    ['a prefixed id in the path', `/groups/${GROUP}`, dns, 'hsds', '/'],
    ['a prefixed id that is malformed', '/datasets/d-foobar', dns, 'hsds', '/'],
    ['a prefixed id with more behind it', `/datasets/d-1/value`, dns, 'hsds', '/'],
    ['a prefixed id elsewhere', `/acls/${GROUP}`, dns, 'classic', '/home/ann/run7'],
    ['/about', '/about', dns, 'hsds', '/'],

    ['the Host header', '/', dns, 'classic', '/home/ann/run7'],
    ['its case does not count', '/', { host: 'run7.ann.home.HDFGroup.ORG' }, 'classic', '/home/ann/run7'],
    ['a plain id', `/groups/${UUID}`, dns, 'classic', '/home/ann/run7'],
    [
      'X-Forwarded-Host wins over Host',
      '/',
      { ...own, 'x-forwarded-host': dns.host },
      'classic',
      '/home/ann/run7',
    ],
    ['?host= wins over Host', '/?host=x.hdfgroup.org', dns, 'classic', '/x'],
    ['?host= wins over ?domain=', '/?domain=y.hdfgroup.org&host=x.hdfgroup.org', dns, 'classic', '/x'],
    ['?domain= without a slash', '/?domain=x.hdfgroup.org', dns, 'classic', '/x'],
    ['?domain= of one word', '/?domain=bad', own, 'classic', 'malformed-domain'],
    ['?domain=, empty', '/?domain=', dns, 'classic', '/home/ann/run7'],
    ['?host= with a path', '/?host=/home/ann', own, 'classic', 'malformed-domain'],
    ['a name of the server itself', '/', own, 'classic', '/'],
    ['an address of the server', '/', { host: '127.0.0.1:5101' }, 'classic', '/'],
    ['no Host at all', '/', {}, 'classic', '/'],
    ['a Host below another name', '/', { host: 'run7.example.com' }, 'classic', 'foreign-domain'],
  ])('%s: %s', (_, url, headers, dialect, path) => {
    expect(chosen(url, headers)).toBe(dialect)
    expect(named(url, headers)).toBe(path)
  })
})

describe('the host of public_url', () => {
  const settings = { ...SETTINGS, publicUrl: 'https://Data.lab.example:8443/x' }
  it.each<[string, string, Headers, string]>([
    ['is a name of the server', '/', { host: 'data.lab.example' }, '/'],
    ['with any port, in any case', '/', { host: 'DATA.Lab.example:5101' }, '/'],
    ['as ?host=, too', '/?host=data.lab.example', { host: 'localhost' }, '/'],
    ['also below the base domain', '/', { host: 'hub.hdfgroup.org' }, '/'],
    ['beside domains', '/', { host: 'run7.hdfgroup.org' }, '/run7'],
  ])('%s', (_, url, headers, path) => {
    const publicUrl = headers.host === 'hub.hdfgroup.org' ? 'https://hub.hdfgroup.org' : settings.publicUrl
    expect(naming(url, headers, { ...settings, publicUrl }).path).toBe(path)
  })

  it('has no domain below it', () => {
    expect(() => naming('/', { host: 'run7.data.lab.example' }, settings)).toThrow(
      'is not below hdfgroup.org',
    )
  })
})

describe('a name in the query', async () => {
  it.each<[string, string, readonly string[]]>([
    ['%2E is a dot of a name first', 'a%2Eb.lab', ['/lab/a.b', '/lab/a.b.h5', '/lab/b/a']],
    ['a dot is between labels first', 'a.b.lab', ['/lab/b/a', '/lab/b/a.h5', '/lab/a.b']],
    ['a name that was encoded twice', 'a%252Eb.lab', ['/lab/a.b', '/lab/a.b.h5', '/lab/a%2Eb']],
    ['a percent sign as it is in h5domain', '50%25.lab', ['/lab/50%', '/lab/50%.h5']],
    ['a space', 'a+b.lab', ['/lab/a b', '/lab/a b.h5']],
  ])('%s', (_, host, expected) => {
    const { path, otherPaths = () => [] } = naming(`/?host=${host}.hdfgroup.org`, { host: 'localhost' })
    expect([path, ...otherPaths()].slice(0, expected.length)).toEqual(expected)
  })

  const service = await openTestService()
  it.each<[string, string | undefined]>([
    ['hdfgroup.org', '/'],
    ['ann.home.hdfgroup.org', '/home/ann'],
    ['home.hdfgroup.org', undefined],
    ['x.ann.home.hdfgroup.org', undefined],
    ['ann.lab.hdfgroup.org', undefined],
  ])('%s names the table of contents of %s', async (host, folder) => {
    const { meanings } = naming(`/?host=${host}`, { host: 'localhost' })
    const table = await service.read(async context => meanings?.openContents?.(context))
    expect(table?.entry.path).toBe(folder)
  })
})

describe('the place of a request', () => {
  function place(url: string, headers: Headers, publicUrl?: string, answersValues = false) {
    const target = parseTarget(url)
    const dialect = chooseDialect(target, headers, dialects)
    const request = { target, headers, prefix: '', dialect, caller: ANONYMOUS }
    const settings = { ...SETTINGS, ...(publicUrl && { publicUrl }) }
    return placeOf(naming(url, headers), request, settings, undefined, answersValues)
  }

  it.each<[string, string, Headers, string, string]>([
    [
      'carries the parameter as it was spelled',
      '/?domain=%2Fa%2Fx',
      { host: 'h' },
      'http://h',
      '?domain=%2Fa%2Fx',
    ],
    ['carries nothing of the header', '/', { host: 'h', 'x-hdf-domain': '/a/x' }, 'http://h', ''],
    [
      'carries the bucket with it',
      '/?bucket=archive&domain=%2Fa%2Fx',
      { host: 'h' },
      'http://h',
      '?domain=%2Fa%2Fx&bucket=archive',
    ],
    ['carries the bucket alone', '/?bucket=archive', { host: 'h' }, 'http://h', '?bucket=archive'],
    ['carries no default bucket', '/?domain=/a/x&bucket=main', { host: 'h' }, 'http://h', '?domain=/a/x'],
    [
      'carries a bucket within the name',
      '/?domain=archive/a/x',
      { host: 'h' },
      'http://h',
      '?domain=archive/a/x',
    ],
    ['keeps ?host=', '/?host=x.hdfgroup.org', { host: 'h:1' }, 'http://h:1', '?host=x.hdfgroup.org'],
    ['is the base domain without a host', '/groups', {}, 'http://hdfgroup.org', ''],
    ['knows a proxy with TLS', '/', { host: 'h', 'x-forwarded-proto': 'https' }, 'https://h', ''],
  ])('%s', (_, url, headers, base, suffix) => {
    expect(place(url, headers)).toMatchObject({ base, suffix })
  })

  it('is at the public address, if there is one', () => {
    expect(place('/?domain=/a', { host: 'h' }, 'https://data.example.com').base).toBe(
      'https://data.example.com',
    )
  })

  it.each<[string, string, Headers, string]>([
    ['named by Host', '/', { host: 'a%2Eb c.hdfgroup.org:80' }, '?host=a%252Eb%20c.hdfgroup.org'],
    ['named by ?host=', '/?host=x.hdfgroup.org', { host: 'h' }, '?host=x.hdfgroup.org'],
    ['named by a path', '/?domain=/a', { host: 'x.hdfgroup.org' }, '?domain=/a'],
    ['that is none', '/', { host: 'hdfgroup.org' }, ''],
  ])('at the public address hrefs name a domain %s', (_, url, headers, suffix) => {
    expect(place(url, headers, 'https://data.example.com').suffix).toBe(suffix)
  })

  const SUITE = { 'user-agent': 'python-requests/2.32.3', 'x-hdf-domain': '/a' }

  it.each<[string, string, Headers, string, string]>([
    ['by default', '/', {}, 'bare', 'text'],
    ['for lists of types', '/', { accept: 'application/json, */*' }, 'bare', 'text'],
    ['for the suite of HSDS', '/', SUITE, 'bare', 'bare'],
    ['for h5pyd', '/?domain=/a', { 'user-agent': SUITE['user-agent'] }, 'bare', 'text'],
    ['for curl', '/', { ...SUITE, 'user-agent': 'curl/8' }, 'bare', 'text'],
    ['for a strict client', '/', { ...SUITE, accept: 'application/json' }, 'text', 'text'],
    ['for a page of another origin', '/', { ...SUITE, origin: 'http://x' }, 'text', 'text'],
    ['for a browser', '/', { 'sec-fetch-mode': 'cors' }, 'text', 'text'],
    ['where null is asked for', '/?ignore_nan=1', { ...SUITE, origin: 'http://x' }, 'null', 'null'],
    ['for 0', '/?ignore_nan=0', {}, 'bare', 'text'],
    ['for false', '/?ignore_nan=False', {}, 'bare', 'text'],
  ])('non-finite numbers of values and descriptions %s (common 5)', (_, url, headers, values, others) => {
    expect(place(url, headers, undefined, true)).toMatchObject({ nonFinite: values })
    expect(place(url, headers)).toMatchObject({ nonFinite: others })
  })
})
