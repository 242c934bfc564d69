// Members by creation: sorted in memory while they are few and short, else got by their keys; the order is the same.

import { afterAll, expect, it } from 'vitest'
import { attribute, domain, group, int32s, newRoot } from '../../../test/conformance/sample-objects.ts'
import { openMemoryStore } from '../../../test/fixtures/server.ts'

const store = openMemoryStore()
afterAll(() => store.close())

it.each([
  ['in four mebibytes', 200, 1000],
  ['beyond', 300, 4000],
])('are in the order of their creation, %s', async (_, count, numbers) => {
  const root = newRoot()
  const value = int32s(Array.from({ length: numbers }, (_, i) => i))
  const names = Array.from({ length: count }, (_, i) => `a${String(i).padStart(3, '0')}`)
  const timeOf = (index: number) => Math.floor((count - index) / 2)
  await store.write(async writer => {
    await writer.createObject(group(root))
    await writer.putDomain(domain(`/members-${count}.h5`, root))
    for (const [i, name] of names.entries()) {
      await writer.putAttributes(root, { ...attribute(name), created: timeOf(i), value })
    }
  })
  const listed: string[] = []
  await store.read(async reader => {
    for await (const { name } of reader.attributes(root, { order: 'created' })) listed.push(name)
  })
  const expected = names.map((name, i) => ({ name, time: timeOf(i) })).sort((a, b) => a.time - b.time)
  expect(listed).toEqual(expected.map(({ name }) => name))
})
