import { describe, expect, it } from 'vitest'
import { formatPlace, type Place, parentsOf, parsePlace } from './address.ts'

describe('addresses of the page', () => {
  it.each<[string, Place]>([
    ['ui', { kind: 'folder', path: '/' }],
    ['ui?folder=%2Fhome%2F', { kind: 'folder', path: '/home/' }],
    ['ui?account=tokens', { kind: 'account', part: 'tokens' }],
    ['ui?admin=requests', { kind: 'admin', part: 'requests' }],
    ['ui?admin=use&folder=%2Flab', { kind: 'admin', part: 'use', view: 'folder=%2Flab' }],
    ['ui?account=first', { kind: 'first-account' }],
    ['ui?domain=%2Frun+7.h5', { kind: 'domain', path: '/run 7.h5', object: '/' }],
    [
      'ui?domain=%2F%26%23%3F.h5&path=%2F%E6%B8%AC%E5%AE%9A%2Fa%2Bb',
      { kind: 'domain', path: '/&#?.h5', object: '/測定/a+b' },
    ],
    [
      'ui?domain=%2Frun.h5&path=%2Fd&tab=line&zoom=1%2C2',
      { kind: 'domain', path: '/run.h5', object: '/d', view: 'tab=line&zoom=1%2C2' },
    ],
  ])('%s', (address, place) => {
    expect(formatPlace(place)).toBe(address)
    expect(parsePlace(new URL(address, 'http://localhost/').search)).toEqual(place)
  })

  it('name the folders above', () => {
    expect(parentsOf('/home/ann/run.h5')).toEqual([
      { name: 'home', path: '/home/' },
      { name: 'ann', path: '/home/ann/' },
      { name: 'run.h5', path: '/home/ann/run.h5/' },
    ])
    expect(parentsOf('/')).toEqual([])
  })
})
