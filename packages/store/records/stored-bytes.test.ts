// The stored bytes of every kind of record, under version control: an older data folder must open in a newer release,
// so a change here is a decision (docs/decisions). Bytes that are not readable ASCII are shown as \xx.

import { idFromHex, parseDomainPath } from '@hyperslab/model/names'
import { expect, it } from 'vitest'
import {
  all,
  attribute,
  box,
  dataset,
  domain,
  group,
  hardLink,
  INT32,
  inPieces,
  int32s,
  oneFor,
  softLink,
  TEXT,
  texts,
} from '../../../test/conformance/sample-objects.ts'
import { seededRandom, testClock } from '../../../test/engines/clock.ts'
import { openMemoryEngine } from '../../../test/engines/memory.ts'
import { openStore } from '../open-store.ts'
import { closeBins } from '../transaction/garbage.ts'
import { Transaction } from '../transaction/transaction.ts'
import { changeAccounts } from './accounts.ts'
import { digestOf, LoginStore } from './logins.ts'
import { makeMountSecret } from './mount-secret.ts'

const ROOT = idFromHex('0123456789abcdef89abcdef01234567')
const UNFINISHED = idFromHex('fedcba98765432108edcba9876543210')
const id = (digit: string) => idFromHex(`0123456789abcdef${digit.repeat(16)}`)
const ITEM = { create: true, read: true, update: false, delete: false, readACL: true, updateACL: false }

it('records are stored as they always were', async () => {
  const engine = openMemoryEngine()
  const clock = testClock()
  const store = openStore(engine, { clock, random: seededRandom(1), sweeps: false, maxInlineBytes: 100 })
  const data = dataset(id('1'), {
    dims: [3, 300],
    maxdims: ['H5S_UNLIMITED', 300],
    chunkDims: [2, 300],
    fillValue: int32s([-1]),
  })
  const strings = {
    ...dataset(id('2'), { type: TEXT, dims: [], chunkDims: [], fillValue: texts(['fill']) }),
    committedType: id('3'),
  }
  await store.write(async writer => {
    await writer.putDomain(domain('/home'))
    await writer.putDomain({ ...domain('/home/tall.h5', ROOT), owner: 'ann' })
    await writer.createObject({ ...group(ROOT), acl: [{ userName: 'ann', ...ITEM }] })
    await writer.createObject(data)
    await writer.createObject(strings)
    await writer.createObject({
      kind: 'datatype',
      id: id('3'),
      created: 2,
      acl: [],
      type: {
        class: 'H5T_ENUM',
        base: { ...INT32, size: 8 },
        members: [{ name: 'min', value: -(2n ** 63n) }],
      },
    })
    await writer.createObject({ ...group(id('4')), creationProperties: new Map([['CreateOrder', 1]]) })
    await writer.putLinks(ROOT, hardLink('data', data.id, 3, 'dataset'))
    await writer.putLinks(ROOT, softLink('söft', 4))
    await writer.putLinks(ROOT, {
      title: 'x'.repeat(1000),
      created: 5,
      target: { class: 'H5L_TYPE_EXTERNAL', h5path: '/p', h5domain: 'd' },
    })
    await writer.putAttributes(data.id, attribute('units', [1, 2], 6))
    await writer.writeValues(data, all(data), inPieces(int32s(new Array(900).fill(1))))
    await writer.writeValues(strings, all(strings), inPieces(texts(['text'])))
  })
  await store.write(async writer => {
    await writer.writeValues(data, all(data), inPieces(int32s(new Array(900).fill(2))))
    await writer.putLinks(ROOT, softLink('gone', 7))
    await writer.deleteLink(ROOT, 'gone')
    await writer.putAttributes(ROOT, attribute('gone', [], 8))
    await writer.deleteAttribute(ROOT, 'gone')
    await writer.deleteObject(id('4'), { links: true })
    await writer.putDomain(domain('/old'))
    await writer.deleteDomain(domain('/old').path)
  })
  const filters = [
    { id: 2, json: new Map() },
    { id: 65_000, json: new Map() },
  ]
  const filtered = dataset(id('5'), { dims: [1, 300], chunkDims: [2, 300], filters })
  await store.write(async writer => {
    await writer.createObject(filtered)
    await writer.writeValues(filtered, all(filtered), inPieces(int32s(new Array(300).fill(1))))
  })
  await store.write(async writer => {
    await writer.createObject(group(UNFINISHED))
    await writer.renewUnfinished(UNFINISHED, 9)
  })
  await store.write(async writer => {
    for (const [digit, extent] of [
      ['6', 30],
      ['7', 30_000],
    ] as const) {
      const repeated = dataset(idFromHex(`fedcba9876543210${digit.repeat(16)}`), {
        type: TEXT,
        dims: [extent],
        chunkDims: [20],
        fillValue: texts(['fill']),
      })
      await writer.createObject(repeated)
      await writer.writeValues(repeated, all(repeated), oneFor(extent, texts(['one'])))
    }
  })
  await store.write(writer => writer.putAttributes(strings.id, attribute('large', new Array(30).fill(1), 6)))
  await store.write(writer =>
    writer.writeValues(data, box([0, 5], [2, 3]), inPieces(int32s([1, 2, 3, 4, 5, 6]))),
  )
  await changeAccounts(engine.keyValue, seededRandom(3), ({ users, groups }) => {
    users.set('ann', { hash: '$argon2id$...', admin: true })
    groups.set('lab', ['ann'])
  })
  const login = {
    user: 'ann',
    created: 1,
    end: 2,
    providerGroups: ['lab'],
    ended: { at: 3, reason: 'it was revoked' },
  }
  await new LoginStore(engine.keyValue, seededRandom(4)).change('ann', logins => {
    const session = { user: 'ann', created: 1, end: 2, used: 1, client: 'curl/8', proofs: ['00'] }
    logins.set(digestOf(new LoginStore(engine.keyValue, seededRandom(5)).newSecret('ann')), {
      kind: 'session',
      ...session,
    })
    const token = { name: 'laptop', writes: true, within: parseDomainPath('/home') }
    logins.set(digestOf(new LoginStore(engine.keyValue, seededRandom(6)).newSecret('ann')), {
      kind: 'token',
      ...login,
      ...token,
    })
  })
  await makeMountSecret(engine.keyValue, seededRandom(4))
  await closeBins(engine)
  const long = new Transaction({ engine, clock, random: seededRandom(2) })
  await long.renew()
  await expect(`${(await linesOf(engine)).join('\n')}\n`).toMatchFileSnapshot(
    '../../../test/fixtures/stored-records.txt',
  )
  await long.end()
  await store.close()
})

async function linesOf(engine: ReturnType<typeof openMemoryEngine>): Promise<string[]> {
  const lines: string[] = []
  const snapshot = engine.keyValue.snapshot()
  const everything = { start: Uint8Array.of(0), end: Uint8Array.of(255) }
  for await (const { key, value } of snapshot.range(everything)) {
    lines.push(`${readable(key)}\n  = ${readable(value)}`)
  }
  snapshot.close()
  return lines
}

function readable(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) {
    const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x5c
    text += isPlain ? String.fromCharCode(byte) : `\\${byte.toString(16).padStart(2, '0')}`
  }
  return text
}
