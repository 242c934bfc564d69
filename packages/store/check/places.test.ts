import type { ObjectId } from '@hyperslab/model/names'
import { expect, it } from 'vitest'
import { collect, domain, group, hardLink, newId, newRoot } from '../../../test/conformance/sample-objects.ts'
import { seededRandom, testClock } from '../../../test/engines/clock.ts'
import { openMemoryEngine } from '../../../test/engines/memory.ts'
import { openStore } from '../open-store.ts'
import type { Finding } from './finding.ts'
import { withDomains } from './locate-findings.ts'

it('tells the domain of an object, and the shortest path to it, also where links form cycles', async () => {
  const engine = openMemoryEngine()
  const store = openStore(engine, { clock: testClock(), random: seededRandom(1), sweeps: false })
  const [root, other] = [newRoot(), newRoot()]
  const [a, b, c, lost, circle] = Array.from({ length: 5 }, () => newId(root))
  await store.write(async writer => {
    for (const id of [root, other, a, b, c, lost, circle]) await writer.createObject(group(id))
    await writer.putDomain(domain('/folder'))
    await writer.putDomain(domain('/folder/file', root))
    const links: readonly (readonly [ObjectId, string, ObjectId])[] = [
      [root, 'a', a],
      [a, 'b', b],
      [b, 'c', c],
      [c, 'up', a],
      [root, 'short', c],
      [circle, 'self', circle],
    ]
    for (const [from, title, to] of links) await writer.putLinks(from, hardLink(title, to))
  })
  const find = (object: ObjectId): Finding => ({ kind: 'wrong-counter', object })
  async function* findings(): AsyncGenerator<Finding> {
    yield* [root, a, b, c, lost, circle, other].map(find)
    yield { kind: 'orphaned-blob', blob: 'x' }
  }
  const domainPath = '/folder/file'
  const shown = { severity: 'error', description: 'a counter differs from what it counts' }
  const located = (object: ObjectId) => ({ ...find(object), ...shown })
  expect(await collect(withDomains(engine.keyValue, findings()))).toEqual([
    { ...located(root), domain: domainPath, path: '/' },
    { ...located(a), domain: domainPath, path: '/a' },
    { ...located(b), domain: domainPath, path: '/a/b' },
    { ...located(c), domain: domainPath, path: '/short' },
    { ...located(lost), domain: domainPath },
    { ...located(circle), domain: domainPath },
    located(other),
    {
      kind: 'orphaned-blob',
      blob: 'x',
      severity: 'information',
      description: 'no record names the blob: a write is under way, or was interrupted',
    },
  ])
  await store.close()
})
