import type { ObjectId } from '@hyperslab/model/names'
import { expect, it } from 'vitest'
import {
  attribute,
  collect,
  domain,
  group,
  newId,
  newRoot,
  numbersOf,
  wholeValue,
} from '../../../test/conformance/sample-objects.ts'
import { seededRandom, testClock } from '../../../test/engines/clock.ts'
import { openMemoryEngine } from '../../../test/engines/memory.ts'
import type { Engine } from '../interfaces/engine.ts'
import { openStore } from '../open-store.ts'
import { contentsRange } from '../records/keys.ts'

const NUMBERS = Array.from({ length: 1000 }, (_, i) => i)

async function scene(maxInlineBytes: number) {
  const engine = openMemoryEngine()
  const clock = testClock()
  const open = (most: number) =>
    openStore(engine, { clock, random: seededRandom(most), sweeps: false, maxInlineBytes: most })
  const root = newRoot()
  const owner = newId(root)
  const store = open(maxInlineBytes)
  await store.write(async writer => {
    await writer.putDomain(domain('/d', root))
    await writer.createObject(group(root))
    await writer.createObject(group(owner))
  })
  return { engine, clock, open, store, root, owner }
}

/** Keys of the domain of `root` that belong to no part of a known object. */
async function keysOf(engine: Engine, root: ObjectId, parts: string): Promise<number> {
  const snapshot = engine.keyValue.snapshot()
  const entries = await collect(snapshot.range(contentsRange(root)))
  snapshot.close()
  return entries.filter(({ key }) => key[9] === 0x6f && parts.includes(String.fromCharCode(key[18]))).length
}

it('what an attribute gave up leaves no keys behind', async () => {
  const { engine, store, root, owner } = await scene(100)
  const large = attribute('a', NUMBERS)
  await store.write(writer => writer.putAttributes(owner, large))
  expect(await keysOf(engine, root, 'kvx')).toBeGreaterThan(0)
  expect(await keysOf(engine, root, 'KV')).toBe(0)
  await store.write(writer => writer.putAttributes(owner, attribute('a')))
  expect(await keysOf(engine, root, 'kvxKV')).toBe(0)
  await store.write(writer => writer.putAttributes(owner, large))
  await store.write(writer => writer.deleteAttribute(owner, 'a'))
  expect(await keysOf(engine, root, 'kvxKV')).toBe(0)
  await store.write(writer => writer.putAttributes(owner, large))
  await store.write(writer => writer.deleteObject(owner, { links: true }))
  expect(await keysOf(engine, root, 'kvxKV')).toBe(0)
})

it('an attribute whose record holds a long value, from a store with a higher limit, is read and replaced', async () => {
  const { open, owner } = await scene(100)
  await open(1_000_000).write(writer => writer.putAttributes(owner, attribute('a', NUMBERS)))
  const store = open(100)
  await store.read(async reader => {
    expect(await reader.attribute(owner, 'a')).toEqual(attribute('a', NUMBERS))
  })
  await store.write(writer => writer.putAttributes(owner, attribute('a', [...NUMBERS, 7])))
  await store.read(async reader => {
    const found = await reader.attribute(owner, 'a')
    const value = found && (await wholeValue(found.type, found.value))
    expect(value && numbersOf(value)).toEqual([...NUMBERS, 7])
  })
})
