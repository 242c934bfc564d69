import { describe, expect, it } from 'vitest'
import { classic } from '../dialect/classic/index.ts'
import { hsdsAt } from '../dialect/hsds/index.ts'
import { parseTarget } from '../message/target.ts'
import { loggedDomain, loggedOrigin } from './access-log.ts'

const hsds = hsdsAt('1.0')
const SETTINGS = {
  baseDomain: 'hdfgroup.org',
  homeFolder: 'home',
  buckets: { defaultName: 'main', otherNames: ['archive'] },
}

describe('the place of a request in the log', () => {
  it.each([
    [hsds, '/?domain=/lab/x.h5&api_key=k', {}, { bucket: 'main', domain: '/lab/x.h5' }],
    [hsds, '/?domain=archive/x', {}, { bucket: 'archive', domain: '/x' }],
    [hsds, '/?domain=/x&bucket=archive', {}, { bucket: 'archive', domain: '/x' }],
    [hsds, '/', { 'x-hdf-domain': '/x', 'x-hdf-bucket': 'archive' }, { bucket: 'archive', domain: '/x' }],
    [hsds, '/domains?bucket=archive', {}, { bucket: 'archive', domain: '/' }],
    [hsds, '/?domain=/x&bucket=none-such', {}, {}],
    [hsds, '/?domain=/a//b', {}, {}],
    [classic, '/groups', { host: 'run7.lab.hdfgroup.org:5101' }, { bucket: 'main', domain: '/lab/run7' }],
    [classic, '/?host=x.hdfgroup.org&api_key=k', { host: 'y' }, { bucket: 'main', domain: '/x' }],
    [classic, '/', { host: 'x.example.com' }, {}],
  ])('%#: %s', (dialect, url, headers, place) => {
    expect(loggedDomain(parseTarget(url), { headers }, dialect, SETTINGS)).toEqual(place)
  })
})

describe('the origin of a request in the log', () => {
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

  it.each([
    ['no name of a caller that is accepted', 200, basic('ann:secret'), {}],
    ['the name that was refused', 401, basic('ann:secret'), { tried: 'ann' }],
    ['only its beginning', 401, basic(`${'a'.repeat(300)}:secret`), { tried: 'a'.repeat(200) }],
    ['nothing of a token', 401, 'Bearer eyJh.eyJz.c2ln', {}],
    ['nothing of what is malformed', 401, 'Basic secret!', {}],
    ['nothing of a lone word', 401, basic('secret'), {}],
    ['nothing of another scheme', 401, 'Digest secret', {}],
    ['nothing where there is nothing', 401, undefined, {}],
  ])('has %s', (_, status, authorization, told) => {
    const headers = authorization === undefined ? {} : { authorization }
    expect(loggedOrigin({ headers }, status)).toEqual(told)
  })

  it('has what proxies say', () => {
    const headers = { 'x-forwarded-for': '192.0.2.1, 10.0.0.2' }
    expect(loggedOrigin({ headers }, 200)).toEqual({ forwardedFor: '192.0.2.1, 10.0.0.2' })
  })
})
