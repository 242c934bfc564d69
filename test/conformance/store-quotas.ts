// Quotas: random programs against a plain model, which sums the statistics of the domains that a quota covers; and many
// writers at once.

import { parseDomainPath } from '@hyperslab/model/names'
import fc from 'fast-check'
import { beforeEach, expect, it } from 'vitest'
import type { NewQuota, Quota, QuotaScope } from '../../packages/store/interfaces/quotas.ts'
import type { Dataset, DomainEntry, Reader, Writer } from '../../packages/store/interfaces/store.ts'
import {
  all,
  attribute,
  collect,
  dataset,
  domain,
  group,
  inPieces,
  int32s,
  newId,
  newRoot,
} from './sample-objects.ts'
import type { TheStore } from './store.ts'

const FOLDERS = ['/q', '/q/a', '/q/a/deep', '/q/b'] as const
const OWNERS = ['ann', 'bob'] as const
const SCOPES: readonly QuotaScope[] = [
  ...FOLDERS.map(folder => ({ folder: parseDomainPath(folder) })),
  ...OWNERS.map(owner => ({ owner })),
]
const PATHS = ['/q/a/x', '/q/a/y', '/q/a/deep/z', '/q/b/x', '/q/top', '/elsewhere'].map(path =>
  parseDomainPath(path),
)

/** One step of a program; numbers choose what it is about. */
type Step = readonly [
  'create' | 'name' | 'delete' | 'own' | 'write' | 'annotate' | 'object' | 'limit' | 'unlimit',
  number,
  number,
]

const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom(
    'create',
    'create',
    'name',
    'delete',
    'own',
    'write',
    'write',
    'annotate',
    'object',
    'limit',
    'unlimit',
  ),
  fc.nat(997),
  fc.nat(997),
)

const owned = (path: string, root: DomainEntry['root'], owner: string | undefined): DomainEntry => ({
  ...domain(path, root),
  ...(owner !== undefined && { owner }),
})

export function describeQuotas(store: TheStore): void {
  beforeEach(async () => {
    await store().write(async writer => {
      for (const folder of FOLDERS)
        if (!(await writer.domain(parseDomainPath(folder)))) await writer.putDomain(domain(folder))
      for (const path of PATHS) if (await writer.domain(path)) await writer.deleteDomain(path)
      for (const { isEnforced: _, used: __, ...quota } of await writer.quotas())
        await writer.deleteQuota(quota)
    })
  })

  it('the use of each quota is the sum of what it covers, whatever happens', async () => {
    const program = fc.array(step, { minLength: 1, maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(program, async steps => {
        for (const one of steps) {
          await perform(store(), one)
          await store().read(async reader => {
            for (const quota of await reader.quotas())
              expect([quota, quota.used]).toEqual([quota, await sumOf(reader, quota)])
          })
        }
      }),
      { numRuns: 25 },
    )
  })

  it('many writers at once fill a quota, and none of them exceeds it', async () => {
    const folder = parseDomainPath('/q/a')
    const root = newRoot()
    const datasets = Array.from({ length: 50 }, () => dataset(newId(root), { dims: [10], chunkDims: [10] }))
    await store().write(async writer => {
      await writer.createObject(group(root))
      for (const one of datasets) await writer.createObject(one)
      await writer.putDomain(domain('/q/a/x', root))
    })
    await putCounted(store(), { folder, bytes: 1 })
    const [{ used }] = await store().read(reader => reader.quotas())
    const write = (one: Dataset) =>
      store().write(writer =>
        writer.writeValues(one, all(one), inPieces(int32s(new Array(10).fill(0).map((_, i) => i)))),
      )
    await putCounted(store(), { folder, bytes: used.bytes + 40 * 40 + 39 })
    const outcomes = await Promise.allSettled(datasets.map(write))
    const [after] = await store().read(reader => reader.quotas())
    const refused = outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(after.used.bytes).toBe(used.bytes + 40 * 40)
    expect(refused).toHaveLength(10)
    for (const reason of refused) expect(reason).toMatchObject({ code: 'quota-exceeded', subject: folder })
    // Values that are replaced by as much, or removed, need no room.
    for (const [i, outcome] of outcomes.entries())
      if (outcome.status === 'fulfilled') await write(datasets[i])
    await store().write(writer => writer.deleteDomain(parseDomainPath('/q/a/x')))
    expect(await store().read(reader => reader.quotas())).toMatchObject([{ used: { bytes: 0, objects: 0 } }])
  })

  it('a quota below what is used refuses what needs more, and nothing else', async () => {
    const root = newRoot()
    const numbers = dataset(newId(root), { dims: [1000], chunkDims: [1000] })
    await store().write(async writer => {
      await writer.createObject(group(root))
      await writer.createObject(numbers)
      await writer.putDomain(owned('/q/a/x', root, 'ann'))
      await writer.writeValues(numbers, all(numbers), inPieces(int32s([...new Array(1000).keys()])))
    })
    await putCounted(store(), { owner: 'ann', bytes: 10, objects: 1 })
    const create = store().write(writer => writer.createObject(group(newId(root))))
    await expect(create).rejects.toThrow('the quota of the owner "ann" is')
    await store().write(writer => writer.deleteObject(numbers.id, { links: true }))
    await store().write(writer => writer.putDomain(owned('/q/a/x', root, 'bob')))
    await store().write(writer => writer.createObject(group(newId(root))))
    const back = store().write(writer => writer.putDomain(owned('/q/a/x', root, 'ann')))
    await expect(back).rejects.toMatchObject({ code: 'quota-exceeded', subject: 'ann' })
  })
}

async function putCounted(store: ReturnType<TheStore>, quota: NewQuota): Promise<void> {
  const id = await store.write(writer => writer.putQuota(quota))
  await store.write(writer => writer.chargeDomains(undefined))
  await store.write(writer => writer.enforceQuota(id))
}

async function sumOf(reader: Reader, quota: Quota): Promise<Quota['used']> {
  const roots = new Set<string>()
  const sum = { bytes: 0, objects: 0 }
  for (const path of PATHS) {
    const [entry, statistics] = [await reader.domain(path), await reader.statistics(path)]
    if (entry?.root === undefined || statistics === undefined || roots.has(entry.root)) continue
    const isCovered = 'folder' in quota ? path.startsWith(`${quota.folder}/`) : entry.owner === quota.owner
    if (!isCovered) continue
    roots.add(entry.root)
    sum.bytes += statistics.allocatedBytes + statistics.metadataBytes
    sum.objects += statistics.groups + statistics.datasets + statistics.datatypes
  }
  return sum
}

const pick = <T>(from: readonly T[], number: number): T => from[number % from.length] as T

/** Performs a step, or nothing where it cannot be done. */
async function perform(store: ReturnType<TheStore>, [what, one, other]: Step): Promise<void> {
  const path = pick(PATHS, one)
  if (what === 'limit') {
    const quota = pick(SCOPES, one)
    if (other % 3 > 0) return putCounted(store, { ...quota, bytes: 10 ** 9 })
    // The walk over the domains is interrupted by another write.
    const id = await store.write(writer => writer.putQuota({ ...quota, bytes: 10 ** 9 }))
    await perform(store, ['write', other, one])
    await perform(store, ['name', other, one])
    await store.write(writer => writer.chargeDomains(undefined))
    await store.write(writer => writer.chargeDomains(undefined))
    await store.write(writer => writer.enforceQuota(id))
    return
  }
  await store.write(async writer => {
    if (what === 'unlimit') await writer.deleteQuota(pick(SCOPES, one))
    else await change(writer, what, path, other)
  })
}

async function change(
  writer: Writer,
  what: Exclude<Step[0], 'limit' | 'unlimit'>,
  path: DomainEntry['path'],
  number: number,
): Promise<void> {
  const entry = await writer.domain(path)
  const owner = pick([undefined, ...OWNERS], number)
  if (what === 'create') {
    const root = newRoot()
    await writer.putDomain(owned(path, root, owner))
    await writer.createObject(group(root))
    await writer.createObject(dataset(newId(root), { dims: [12], chunkDims: [3] }))
    return
  }
  const root = entry?.root
  if (root === undefined) return
  if (what === 'delete') return writer.deleteDomain(path)
  if (what === 'own') return writer.putDomain(owned(path, root, owner))
  if (what === 'name') return writer.putDomain(owned(pick(PATHS, number), root, owner))
  if (what === 'annotate') return writer.putAttributes(root, attribute('a', new Array(number % 40).fill(1)))
  if (what === 'object') {
    await writer.createObject(group(newId(root)))
    return
  }
  const [id] = await collect(writer.objects(root, 'dataset'))
  const found = id && (await writer.object(id))
  if (found?.kind !== 'dataset') return
  await writer.writeValues(
    found,
    all(found),
    inPieces(int32s(new Array(12).fill(0).map((_, i) => (i < number % 12 ? i : 0)))),
  )
}
