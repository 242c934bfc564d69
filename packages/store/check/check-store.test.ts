// Each kind of damage, made in a small store that is sound, is reported as exactly what it is.

import { elementCount } from '@hyperslab/model/dataset'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  all,
  attribute,
  box,
  dataset,
  domain,
  group,
  hardLink,
  inPieces,
  int32s,
  newId,
  newRoot,
  SHUFFLE_DEFLATE,
  TEXT,
  texts,
} from '../../../test/conformance/sample-objects.ts'
import { findingsIn } from '../../../test/conformance/sound.ts'
import { seededRandom, testClock } from '../../../test/engines/clock.ts'
import { openMemoryEngine } from '../../../test/engines/memory.ts'
import { chunkKey, valuesKey } from '../chunk-records/chunk-record.ts'
import { patchKey } from '../chunk-records/patches.ts'
import type { Change, Engine } from '../interfaces/engine.ts'
import type { Dataset } from '../interfaces/store.ts'
import { component } from '../key-range.ts'
import { type OpenStore, openStore } from '../open-store.ts'
import { blobName } from '../records/blob-name.ts'
import {
  ACCOUNTS_KEY,
  backLinkRest,
  creationOrder,
  domainKey,
  domainRemainsKey,
  domainTombstoneKey,
  indexKey,
  largeValueKey,
  loginKey,
  MOUNT_SECRET_KEY,
  objectKey,
  objectPartRange,
  objectRemainsKey,
  statisticKey,
  tombstoneKey,
  userGroupKey,
  userKey,
} from '../records/keys.ts'
import { decodeRecord, encodeRecord, tailOf } from '../records/record.ts'
import { noteGarbage } from '../transaction/garbage.ts'
import { checkStore } from './check-store.ts'
import { describeKind, type Finding, severityOf } from './finding.ts'

const EMPTY = new Uint8Array(0)
const random = seededRandom(3)
const root = newRoot()
const inner = group(newId(root))
const small = dataset(newId(root), { dims: [4], chunkDims: [4] })
const big = dataset(newId(root), { dims: [64], chunkDims: [32] })
const packed = dataset(newId(root), { dims: [64], chunkDims: [64], filters: SHUFFLE_DEFLATE })
const patched = dataset(newId(root), { dims: [128], chunkDims: [128] })
/** One patch, with a blob of 512 bytes. */
const framed = dataset(newId(root), { dims: [512], chunkDims: [512] })
const words = dataset(newId(root), { type: TEXT, dims: [2], chunkDims: [2] })
const type = { kind: 'datatype', id: newId(root), created: 1, acl: [], type: small.type } as const
const typed = { ...dataset(newId(root), { dims: [4], chunkDims: [4] }), committedType: type.id }
const first = Uint8Array.of(0)

let engine: Engine
let store: OpenStore

beforeEach(async () => {
  engine = openMemoryEngine()
  store = openStore(engine, { clock: testClock(), random, sweeps: false, maxInlineBytes: 100 })
  await store.write(async writer => {
    await writer.putDomain(domain('/folder'))
    await writer.putDomain(domain('/folder/file', root))
    for (const object of [group(root), inner, small, big, packed, patched, framed, words, type, typed]) {
      await writer.createObject(object)
    }
    await writer.putLinks(root, hardLink('inner', inner.id))
    await writer.putAttributes(inner.id, attribute('short'))
    await writer.putAttributes(inner.id, attribute('large', count(big)))
    for (const into of [small, big, packed])
      await writer.writeValues(into, all(into), inPieces(int32s(count(into))))
    await writer.writeValues(patched, box([5], [3]), inPieces(int32s([1, 2, 3])))
    await writer.writeValues(framed, box([5], [128]), inPieces(int32s(count(patched))))
    await writer.writeValues(words, all(words), inPieces(texts(['one', 'two'])))
  })
})
afterEach(() => store.close())

function count({ space }: Dataset): number[] {
  return Array.from({ length: elementCount(space) }, (_, i) => i)
}

const addressOf = (of: Dataset) => ({ dataset: of.id, coordinates: first })

function commit(...changes: Change[]) {
  return engine.keyValue.commit({ expect: [], changes })
}
const remove = (key: Uint8Array) => commit({ op: 'delete', key })
const set = (key: Uint8Array, value: Uint8Array) => commit({ op: 'set', key, value })
const add = (key: Uint8Array, delta: number) => commit({ op: 'add', key, delta })

async function get(key: Uint8Array): Promise<Uint8Array> {
  const snapshot = engine.keyValue.snapshot()
  const value = await snapshot.get(key)
  snapshot.close()
  if (value === undefined) throw new Error('there is no such record')
  return value
}

/** The head of the record with other members; it keeps its length if they are as long. */
async function change(key: Uint8Array, members: object): Promise<void> {
  const record = await get(key)
  const tail = tailOf(record)
  const head = { ...decodeRecord<object>(record), ...members }
  await set(key, tail.length > 0 ? encodeRecord(head, tail) : encodeRecord(head))
}

/** Replaces the record by bytes of the same length that are not JSON. */
async function breakText(key: Uint8Array): Promise<void> {
  const record = await get(key)
  await set(key, record.fill(0x7b, 1, 3))
}

/** The id of the only large value. */
async function largeId() {
  return decodeRecord<{ large: typeof root }>(await get(objectKey(inner.id, 'attribute', component('large'))))
    .large
}

/** The blob of the first chunk. */
async function blobOf(of: Dataset): Promise<string> {
  const { version } = decodeRecord<{ version: string }>(await get(chunkKey(addressOf(of))))
  return blobName({ ...addressOf(of), version })
}

/** The blob of its only patch. */
async function patchBlobOf(of: Dataset): Promise<string> {
  const { blob } = decodeRecord<{ blob: { version: string } }>(await get(patchKey(addressOf(of), 0)))
  return blobName({ ...addressOf(of), version: blob.version })
}

/** Kinds and, where there is one, the name of what is counted. */
async function kinds(): Promise<string[]> {
  const findings = await findingsIn(engine)
  return findings.map(({ kind, name }) => (kind === 'wrong-counter' ? `${kind} ${name}` : kind)).sort()
}

it('a sound store has no findings, and its totals are what it holds', async () => {
  const check = checkStore(engine)
  const findings: Finding[] = []
  for await (const finding of check.findings) findings.push(finding)
  expect(findings).toEqual([])
  let records = 0
  const snapshot = engine.keyValue.snapshot()
  for await (const _ of snapshot.range({ start: EMPTY, end: Uint8Array.of(0xff) })) records++
  snapshot.close()
  expect(check.totals).toMatchObject({
    domains: 2,
    objects: 10,
    records,
    blobs: 4,
    blobBytes: 1024,
    errors: 0,
  })
})

type Damage = readonly [what: string, damage: () => Promise<unknown>, ...expected: string[]]

const link = objectKey(root, 'link', component('inner'))
const backLink = objectKey(inner.id, 'backLink', backLinkRest(root, component('inner')))
const short = objectKey(inner.id, 'attribute', component('short'))

const DAMAGES: readonly Damage[] = [
  // Accounts
  [
    'an account without the record that is new after each change',
    () => set(userKey('ann'), encodeRecord({ hash: '', admin: false })),
    'account-without-revision',
  ],
  [
    'a group of users whose members are no names',
    async () => {
      await set(ACCOUNTS_KEY, encodeRecord({ revision: 'ab' }))
      await set(userGroupKey('lab'), encodeRecord({ members: [1] }))
    },
    'broken-record',
  ],
  [
    'a token without a name',
    () => set(loginKey(Buffer.alloc(8), Buffer.alloc(32)), encodeRecord({ kind: 'token', user: 'ann' })),
    'broken-record',
  ],
  ['a secret of mounts that is none', () => set(MOUNT_SECRET_KEY, EMPTY), 'broken-record'],
  ['a key of no kind', () => set(Buffer.from('cat'), EMPTY), 'unknown-key'],
  ['a part of no kind', () => set(Buffer.concat([objectKey(root, 'record'), first]), EMPTY), 'unknown-key'],
  // Domains
  ['a domain whose record is no JSON', () => breakText(domainKey(domain('/folder').path)), 'broken-record'],
  [
    'a record of another release',
    () => set(domainKey(domain('/folder').path), Buffer.from('\x02{}')),
    'broken-record',
  ],
  [
    'a domain under another name',
    () => change(domainKey(domain('/folder').path), { path: '/other' }),
    'misplaced-record',
  ],
  [
    'a domain without its folder',
    () => remove(domainKey(domain('/folder').path)),
    'domain-without-folder',
    'wrong-counter links',
  ],
  [
    'a domain that is there and deleted',
    () => set(domainTombstoneKey(domain('/folder/file').path), encodeRecord({ deleted: 1 })),
    'deleted-and-there',
  ],
  [
    'a domain whose root group is missing',
    () => remove(objectKey(root, 'record')),
    'contents-without-root',
    'domain-without-root',
    'index-without-object',
  ],
  [
    'contents without their domain',
    () => remove(domainKey(domain('/folder/file').path)),
    'wrong-counter links',
    'wrong-counter names',
  ],
  [
    'contents without any domain',
    () => store.write(writer => writer.createObject(group(newRoot()))),
    'contents-without-domain',
  ],
  [
    'contents that are being filled',
    () =>
      store.write(async writer => {
        const filled = newRoot()
        await writer.createObject(group(filled))
        await writer.renewUnfinished(filled, 1)
      }),
    'unfinished-import',
  ],
  ['one name more than there is', () => add(statisticKey(root, 'names'), 1), 'wrong-counter names'],
  [
    'contents that are to be removed and still there',
    () => set(domainRemainsKey(root), encodeRecord({ kind: 'domain', deleted: 1 })),
    'being-removed',
    'removed-and-there',
  ],
  // Objects
  ['an object whose record is no JSON', () => breakText(objectKey(type.id, 'record')), 'broken-record'],
  ['an object that the index misses', () => remove(indexKey('dataset', small.id)), 'object-without-index'],
  [
    'an index of objects that are not',
    () => set(indexKey('dataset', newId(root)), EMPTY),
    'index-without-object',
  ],
  ['an index of another kind', () => set(indexKey('dataset', inner.id), EMPTY), 'index-without-object'],
  [
    'an object without its record',
    () => remove(objectKey(small.id, 'record')),
    'chunk-without-dataset',
    'index-without-object',
    'parts-without-object',
  ],
  ['an object without a stamp', () => remove(objectKey(inner.id, 'modified')), 'object-without-stamp'],
  ['a stamp that is cut', () => set(objectKey(inner.id, 'modified'), first), 'broken-record'],
  [
    'a tombstone of an object that is there',
    () => set(tombstoneKey(inner.id, 'object'), encodeRecord({ deleted: 1 })),
    'deleted-and-there',
  ],
  [
    'a tombstone of a link that is there',
    () => set(tombstoneKey(root, 'link', component('inner')), encodeRecord({ created: 1, deleted: 1 })),
    'deleted-and-there',
  ],
  [
    'a tombstone of an attribute of nothing',
    () =>
      set(tombstoneKey(newId(root), 'attribute', component('a')), encodeRecord({ created: 1, deleted: 1 })),
    'tombstone-without-owner',
  ],
  [
    'remains of an object that is there',
    () => set(objectRemainsKey(inner.id), encodeRecord({ kind: 'group', deleted: 1 })),
    'being-removed',
    'removed-and-there',
  ],
  [
    'a committed datatype that was deleted',
    () => store.write(writer => writer.deleteObject(type.id, { links: true })),
    'committed-type-missing',
  ],
  // Links
  [
    'a link whose target was deleted',
    () => store.write(writer => writer.deleteObject(inner.id, { links: false })),
    'dangling-link',
  ],
  ['a link that is no JSON', () => breakText(link), 'broken-record'],
  ['a link that its target does not know', () => remove(backLink), 'link-without-back-link'],
  [
    'a back link of no link',
    () => set(objectKey(inner.id, 'backLink', backLinkRest(root, component('no'))), EMPTY),
    'back-link-without-link',
  ],
  [
    'a link without its position by creation',
    () => remove(objectKey(root, 'linkByCreation', creationOrder(1, component('inner')))),
    'member-without-place',
  ],
  [
    'a position by creation at another time',
    () => set(objectKey(root, 'linkByCreation', creationOrder(2, component('inner'))), EMPTY),
    'place-without-member',
  ],
  ['a link of another title', () => change(link, { title: 'other' }), 'misplaced-record'],
  [
    'a link of another kind',
    () => change(link, { target: { class: 'H5L_TYPE_HARD', kind: 'xroup', id: inner.id } }),
    'link-of-wrong-kind',
  ],
  [
    'a link into another domain',
    () => change(link, { target: { class: 'H5L_TYPE_HARD', kind: 'group', id: newRoot() } }),
    'back-link-without-link',
    'link-out-of-domain',
  ],
  [
    'a link that is lost',
    () => remove(link),
    'back-link-without-link',
    'place-without-member',
    'wrong-counter linkCount',
    'wrong-counter memberBytes',
    'wrong-counter metadataBytes',
  ],
  // Counters
  ['links miscounted', () => add(objectKey(root, 'linkCount'), 1), 'wrong-counter linkCount'],
  [
    'attributes miscounted',
    () => add(objectKey(inner.id, 'attributeCount'), -1),
    'wrong-counter attributeCount',
  ],
  [
    'bytes of members miscounted',
    () => add(objectKey(inner.id, 'memberBytes'), 1),
    'wrong-counter memberBytes',
  ],
  ['chunks miscounted', () => add(objectKey(big.id, 'chunkCount'), 1), 'wrong-counter chunkCount'],
  ['bytes of chunks miscounted', () => remove(objectKey(big.id, 'chunkBytes')), 'wrong-counter chunkBytes'],
  ['a counter that is cut', () => set(objectKey(big.id, 'chunkBytes'), first), 'wrong-counter chunkBytes'],
  ...(
    ['group', 'dataset', 'datatype', 'chunks', 'allocatedBytes', 'logicalBytes', 'metadataBytes'] as const
  ).map(
    (statistic): Damage => [
      `${statistic} of the domain miscounted`,
      () => add(statisticKey(root, statistic), 1),
      `wrong-counter ${statistic}`,
    ],
  ),
  [
    'a domain that was changed later than it says',
    () => remove(statisticKey(root, 'modified')),
    'wrong-counter modified',
  ],
  // Attributes
  ['an attribute that is no JSON', () => breakText(short), 'broken-record'],
  ['an attribute of another name', () => change(short, { name: 'other' }), 'misplaced-record'],
  ['a value that is too short', () => change(short, { packed: { count: 1, dataLength: 3 } }), 'wrong-value'],
  ['elements too many', () => change(short, { packed: { count: 2, dataLength: 4 } }), 'wrong-value'],
  [
    'an attribute without its position by creation',
    () => remove(objectKey(inner.id, 'attributeByCreation', creationOrder(1, component('short')))),
    'member-without-place',
  ],
  [
    'a large value that its owner does not name',
    async () => remove(largeValueKey(inner.id, await largeId())),
    'attribute-without-value',
    'chunk-without-dataset',
    'wrong-counter memberBytes',
    'wrong-counter metadataBytes',
  ],
  [
    'a large value that no attribute has',
    () => set(largeValueKey(inner.id, newId(root)), encodeRecord({ bytes: 0 })),
    'value-without-attribute',
  ],
  [
    'a large value that has lost its chunk',
    async () => commit({ op: 'deleteRange', ...objectPartRange(await largeId(), 'chunk') }),
    'orphaned-blob',
    'wrong-counter large',
  ],
  // Chunks and their values
  ['a chunk that is no JSON', () => breakText(chunkKey(addressOf(small))), 'broken-record'],
  [
    'a chunk of a group',
    async () => set(objectKey(inner.id, 'chunk', first), await get(chunkKey(addressOf(small)))),
    'chunk-without-dataset',
    'wrong-counter allocatedBytes',
    'wrong-counter chunkBytes',
    'wrong-counter chunkCount',
    'wrong-counter chunks',
  ],
  [
    'a chunk of nothing',
    async () => set(objectKey(newId(root), 'chunk', first), await get(chunkKey(addressOf(small)))),
    'chunk-without-dataset',
  ],
  [
    'a chunk outside of the extents',
    async () => {
      await set(
        chunkKey({ dataset: small.id, coordinates: Uint8Array.of(1, 1) }),
        await get(chunkKey(addressOf(small))),
      )
      await add(objectKey(small.id, 'chunkCount'), 1)
      await add(objectKey(small.id, 'chunkBytes'), 16)
      await add(statisticKey(root, 'chunks'), 1)
      await add(statisticKey(root, 'allocatedBytes'), 16)
    },
    'chunk-outside',
  ],
  [
    'a chunk of elements that are cut',
    () => change(chunkKey(addressOf(small)), { dataLength: 15, heapLength: 1 }),
    'wrong-chunk',
  ],
  [
    'a chunk with filters that the dataset has not',
    () => change(chunkKey(addressOf(small)), { filtered: { length: 16, mask: 0 } }),
    'wrong-chunk',
  ],
  ['a chunk that has lost its values', () => remove(valuesKey(addressOf(small))), 'missing-values'],
  ['values that are short', () => set(valuesKey(addressOf(small)), new Uint8Array(12)), 'wrong-length'],
  ['values of no chunk', () => set(valuesKey(addressOf(big)), new Uint8Array(4)), 'values-without-chunk'],
  [
    'text outside of its heap',
    () => set(valuesKey(addressOf(words)), new Uint8Array(22).fill(9)),
    'unreadable-values',
  ],
  ['values that the filters cannot read', () => spoil(packed), 'unreadable-values'],
  ['a blob that is lost', async () => engine.blobs.delete(await blobOf(big)), 'missing-values'],
  ['a blob that is short', () => replaceBlob(big, 127), 'wrong-length'],
  ['a blob that is long', () => replaceBlob(big, 129), 'wrong-length'],
  // Blobs and garbage
  [
    'a blob of no record',
    () => engine.blobs.put(blobName({ ...addressOf(big), version: '0123456789abcdef' }), [first]),
    'orphaned-blob',
  ],
  ['a file of another name', () => engine.blobs.put('abc', [first]), 'foreign-file'],
  ['a blob that is wanted and noted as garbage', async () => note(await blobOf(big)), 'garbage-in-use'],
  ['the same where the note is uncertain', async () => note(`?${await blobOf(big)}`)],
  [
    'values that were replaced',
    () => store.write(writer => writer.writeValues(big, all(big), inPieces(int32s(count(big))))),
  ],
  [
    'values of a dataset that was deleted',
    () => store.write(writer => writer.deleteObject(big.id, { links: true })),
  ],
  [
    'a domain that was deleted',
    () => store.write(writer => writer.deleteDomain(domain('/folder/file').path)),
  ],
  // Patches
  [
    'a patch that is missing',
    () => remove(patchKey(addressOf(patched), 0)),
    'missing-values',
    'unreadable-values',
    'wrong-length',
  ],
  [
    'a patch that is no record',
    () => set(patchKey(addressOf(patched), 0), Buffer.alloc(40)),
    'broken-record',
    'unreadable-values',
    'wrong-length',
  ],
  [
    'a patch of elements that the chunk has not',
    async () => {
      const key = patchKey(addressOf(patched), 0)
      const record = await get(key)
      await set(key, encodeRecord(decodeRecord<object>(record), tailOf(record).with(0, 126)))
    },
    'broken-record',
    'unreadable-values',
  ],
  [
    'a patch whose blob is missing',
    async () => engine.blobs.delete(await patchBlobOf(framed)),
    'missing-values',
    'unreadable-values',
  ],
  [
    'a patch whose blob is too short',
    async () => {
      const blob = await patchBlobOf(framed)
      await engine.blobs.delete(blob)
      await engine.blobs.put(blob, [new Uint8Array(511)])
    },
    'unreadable-values',
    'wrong-length',
  ],
  [
    'a blob of a patch that the record of the chunk does not name',
    async () => {
      const { patches } = decodeRecord<{ patches: { bytes: number } }>(await get(chunkKey(addressOf(framed))))
      const blobs = { versions: ['0123456789abcdef'], bytes: 512 }
      await change(chunkKey(addressOf(framed)), { patches: { ...patches, blobs } })
    },
    'orphaned-blob',
    'wrong-chunk',
  ],
  [
    'a blob of a patch that is noted as garbage',
    async () => note(await patchBlobOf(framed)),
    'garbage-in-use',
  ],
  [
    'a patch that no record has',
    async () => set(patchKey(addressOf(patched), 1), await get(patchKey(addressOf(patched), 0))),
    'values-without-chunk',
  ],
  [
    'patches of a chunk that is not',
    async () => set(patchKey(addressOf(small), 0), await get(patchKey(addressOf(patched), 0))),
    'values-without-chunk',
  ],
  [
    'patches with another length',
    () => change(chunkKey(addressOf(patched)), { patches: { from: 0, to: 1, bytes: 7 } }),
    'unreadable-values',
    'wrong-counter allocatedBytes',
    'wrong-counter chunkBytes',
    'wrong-length',
  ],
  [
    'numbers of patches that cannot be',
    () => change(chunkKey(addressOf(patched)), { patches: { from: 3, to: 1, bytes: 0 } }),
    'values-without-chunk',
    'wrong-chunk',
    'wrong-counter allocatedBytes',
    'wrong-counter chunkBytes',
  ],
  [
    'a chunk that has neither values nor patches',
    () => change(chunkKey(addressOf(patched)), { patches: undefined }),
    'values-without-chunk',
    'wrong-chunk',
    'wrong-counter allocatedBytes',
    'wrong-counter chunkBytes',
  ],
]

function note(name: string) {
  return commit(noteGarbage([name], random))
}

async function replaceBlob(of: Dataset, bytes: number): Promise<void> {
  const name = await blobOf(of)
  await engine.blobs.delete(name)
  await engine.blobs.put(name, [new Uint8Array(bytes)])
}

/** Replaces the values by other bytes of the same length. */
async function spoil(of: Dataset): Promise<void> {
  const { length } = await get(valuesKey(addressOf(of)))
  await set(valuesKey(addressOf(of)), new Uint8Array(length))
}

describe('damage', () => {
  it.each(DAMAGES.map(([what, damage, ...expected]) => ({ what, damage, expected })))(
    '$what',
    async ({ damage, expected }) => {
      await damage()
      expect(await kinds()).toEqual(expected)
    },
  )
})

it('tells where and what: the counter, its value and what it should be', async () => {
  await add(objectKey(root, 'linkCount'), 4)
  expect(await findingsIn(engine)).toEqual([
    { kind: 'wrong-counter', object: root, name: 'linkCount', expected: 1, found: 5 },
  ])
  expect([severityOf('wrong-counter'), severityOf('dangling-link')]).toEqual(['error', 'information'])
  expect(describeKind('wrong-counter')).toBe('a counter differs from what it counts')
})

it('reads values only when it is given filters', async () => {
  await spoil(packed)
  const check = checkStore(engine)
  for await (const finding of check.findings) expect.fail(finding.kind)
  expect(check.totals.errors).toBe(0)
})

it('a write that commits while it runs is no finding', async () => {
  const findings: Finding[] = []
  const check = checkStore(engine)
  const iterator = check.findings[Symbol.asyncIterator]()
  await note('not a blob of ours')
  await add(objectKey(root, 'linkCount'), 1)
  // The state that is read is the one at the first step, which this finding is.
  const begun = await iterator.next()
  await store.write(writer => writer.writeValues(big, all(big), inPieces(int32s(count(big)))))
  findings.push(begun.value)
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) findings.push(next.value)
  expect(findings.map(({ kind }) => kind)).toEqual(['wrong-counter'])
})
