// The ids of the objects of a mounted file, which need no table: the first half follows from a secret and the path of
// the domain, the second half is the address of the object in the file. So hard links and references agree, and ids
// survive restarts. The root group has the id that the first half prescribes (model/names/object-id.ts), whatever its
// address.

import { hash } from 'node:crypto'
import type { FileAddress } from '@hyperslab/h5/reader'
import { type DomainPath, idFromHex, isSameDomain, type ObjectId, rootOf } from '@hyperslab/model/names'

const HALF = 16

/** The id of the root group of the file that is the domain `path`. `secret`: that of the data folder. */
export function mountedRoot(secret: Uint8Array | string, path: DomainPath): ObjectId {
  const data = Buffer.concat([Buffer.from(secret), Buffer.from(`\0${path}`)])
  const half = hash('sha256', data, 'buffer').subarray(0, HALF / 2)
  // The second half of the root then has its top bit, which no address of an object has.
  half[0] &= 0x7f
  return rootOf(idFromHex(half.toString('hex').padEnd(2 * HALF, '0')))
}

/** The id of an object that is not the root group. Addresses beyond 2^53 are beyond the end of every file. */
export function idAtAddress(root: ObjectId, address: FileAddress): ObjectId {
  const number = Number(address)
  if (!Number.isSafeInteger(number) || number < 0) throw new Error(`no object has the address ${address}`)
  return idFromHex(root.slice(0, HALF) + number.toString(16).padStart(HALF, '0'))
}

/** The reverse of `idAtAddress`; undefined: no object of the file but the root group can have this id. */
export function addressOfId(root: ObjectId, id: ObjectId): FileAddress | undefined {
  if (!isSameDomain(root, id)) return undefined
  // The number of the root group is beyond all addresses.
  const number = Number.parseInt(id.slice(HALF), 16)
  return Number.isSafeInteger(number) ? String(number) : undefined
}
