// Ids of mounted objects: stable, different by secret and path, and never confused with the root group.

import { idFromHex, isRoot, isSameDomain, parseDomainPath } from '@hyperslab/model/names'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressOfId, idAtAddress, mountedRoot } from './object-ids.ts'

const PATH = parseDomainPath('/a/b')
const ROOT = mountedRoot('secret', PATH)

describe('the root', () => {
  it('follows from the secret and the path', () => {
    expect(mountedRoot(Buffer.from('secret'), PATH)).toBe(ROOT)
    expect(isRoot(ROOT)).toBe(true)
    // Clients keep ids: no later version may give others.
    expect(ROOT).toBe('633d56137d898b58ebb5de9bf50103d0')
    const others = [mountedRoot('secret', parseDomainPath('/a/c')), mountedRoot('other', PATH)]
    expect(new Set([ROOT, ...others].map(id => id.slice(0, 16))).size).toBe(3)
  })

  it('is no object at an address, and has none itself', () => {
    fc.assert(
      fc.property(fc.string(), fc.maxSafeNat(), (secret, address) => {
        const root = mountedRoot(secret, PATH)
        expect(isRoot(root)).toBe(true)
        const id = idAtAddress(root, String(address))
        expect(isRoot(id)).toBe(false)
        expect(isSameDomain(id, root)).toBe(true)
        expect(addressOfId(root, id)).toBe(String(address))
      }),
    )
    expect(addressOfId(ROOT, ROOT)).toBeUndefined()
  })
})

describe('an id', () => {
  it.each(['0', '96', '4294967296', String(2 ** 53 - 1)])('is that of the object at %s', address => {
    expect(addressOfId(ROOT, idAtAddress(ROOT, address))).toBe(address)
  })

  it('of another domain, or beyond 2^53, is no address of the file', () => {
    const other = mountedRoot('other', PATH)
    expect(addressOfId(ROOT, idAtAddress(other, '96'))).toBeUndefined()
    for (const half of ['0020000000000000', 'ffffffffffffffff', '7fffffffffffffff'])
      expect(addressOfId(ROOT, idFromHex(ROOT.slice(0, 16) + half))).toBeUndefined()
  })

  it.each(['-1', '9007199254740992', '1.5', 'NaN'])('is not made of the address %s', address => {
    expect(() => idAtAddress(ROOT, address)).toThrow('address')
  })
})
