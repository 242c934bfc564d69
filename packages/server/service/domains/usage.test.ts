import { HyperslabError } from '@hyperslab/base/errors'
import { type DomainPath, isWithin, type ObjectId, parentOf } from '@hyperslab/model/names'
import type { DomainStatistics, Reader } from '@hyperslab/store/store'
import { describe, expect, it } from 'vitest'
import {
  all,
  attribute,
  dataset,
  hardLink,
  inPieces,
  int32s,
  newId,
} from '../../../../test/conformance/sample-objects.ts'
import { seededNumbers } from '../../../../test/engines/clock.ts'
import {
  ADMIN,
  ANN,
  ANONYMOUS,
  BOB,
  item,
  openTestService,
  outcomeOf,
  path,
  RUN7,
  type TestService,
} from '../../../../test/fixtures/service.ts'
import { NO_PERMISSIONS } from '../access/access.ts'
import type { Caller } from '../context.ts'
import { collect } from '../listing.ts'
import { createDomain } from './domain-creation.ts'
import { deleteDomain, getDomain } from './domains.ts'
import { type Grouping, getUsage, type Usage, type Use } from './usage.ts'

const SEED = Date.now() % 2 ** 31
const LONG = 'x'.repeat(250)

/** Domains with objects and values, in folders some of which have names that sort between a folder and its children. */
async function fill(service: TestService, next: () => number): Promise<readonly DomainPath[]> {
  const number = (below: number): number => Math.floor(next() * below)
  const folders = [
    '/lab',
    '/lab/a',
    '/lab/a/deep',
    '/lab/a!',
    '/lab/a0',
    '/labs',
    `/lab/${`${LONG}/`.repeat(4)}end`,
  ]
  const paths: DomainPath[] = [RUN7]
  for (let i = 0; i < 40; i++) {
    const domain = path(`${folders[number(folders.length)]}/d${i}`)
    const owner = [undefined, 'ann', 'bob'][number(3)]
    const acl = [[], [item('ann', 'read')], [item('g:lab', 'read')], [item('default', 'read')]][number(4)]
    const linked = number(6) === 0 ? paths[number(paths.length)] : undefined
    await service.write(async context => {
      const given = { createParents: true, ...(owner && { owner }), acl, ...(linked && { linked }) }
      const { entry } = await createDomain(context, domain, given)
      const { root } = entry
      if (root === undefined || linked) return
      for (let j = number(3); j > 0; j--) {
        const extent = 1 + number(40)
        const numbers = dataset(newId(root), { dims: [extent], chunkDims: [extent] })
        await context.writer.createObject(numbers)
        await context.writer.putLinks(root, hardLink(`n${j}`, numbers.id, 1, 'dataset'))
        await context.writer.writeValues(
          numbers,
          all(numbers),
          inPieces(int32s(Array.from({ length: extent }, (_, k) => k))),
        )
      }
      await context.writer.putAttributes(root, attribute('a', new Array(number(9)).fill(7)))
    }, ADMIN)
    paths.push(domain)
  }
  const gone = paths[number(paths.length)]
  await service.write(context => deleteDomain(context, gone), ADMIN)
  return paths.filter(one => one !== gone)
}

function sum(parts: readonly DomainStatistics[], firsts: readonly DomainStatistics[]): Use {
  const total = (list: readonly DomainStatistics[], of: (one: DomainStatistics) => number) =>
    list.reduce((number, one) => number + of(one), 0)
  const allocatedBytes = total(firsts, one => one.allocatedBytes)
  const metadataBytes = total(firsts, one => one.metadataBytes)
  return {
    domains: parts.length,
    objects: total(firsts, one => one.groups + one.datasets + one.datatypes),
    bytes: allocatedBytes + metadataBytes + total(parts, one => one.entryBytes),
    allocatedBytes,
    metadataBytes,
    lastModified: Math.max(0, ...parts.map(one => one.lastModified)),
  }
}

/** The total by asking each domain of the list alone. */
function naiveTotal(
  service: TestService,
  paths: readonly DomainPath[],
  folder: DomainPath,
  caller: Caller,
): Promise<Use> {
  return service.read(async context => {
    const parts: DomainStatistics[] = []
    const byRoot = new Map<ObjectId, DomainStatistics>()
    for (const one of paths.filter(one => one !== folder && isWithin(folder, one))) {
      const statistics = await context.reader.statistics(one)
      if (!statistics || (await outcomeOf(getDomain(context, one))) !== 'granted') continue
      parts.push(statistics)
      const { entry } = await getDomain(context, one)
      if (entry.root) byRoot.set(entry.root, statistics)
    }
    return sum(parts, [...byRoot.values()])
  }, caller)
}

function usageOf(
  service: TestService,
  folder: string,
  by: Grouping = 'folder',
  caller = ADMIN,
): Promise<Usage> {
  return service.read(context => getUsage(context, path(folder), by), caller)
}

/** The sum of items. */
function added(items: readonly Use[]): Use {
  const add = (of: (one: Use) => number) => items.reduce((number, one) => number + of(one), 0)
  return {
    domains: add(one => one.domains),
    objects: add(one => one.objects),
    bytes: add(one => one.bytes),
    allocatedBytes: add(one => one.allocatedBytes),
    metadataBytes: add(one => one.metadataBytes),
    lastModified: Math.max(0, ...items.map(one => one.lastModified)),
  }
}

describe('the use of a folder', () => {
  it(`is the sum over the domains that the caller may read, seed ${SEED}`, async () => {
    const service = await openTestService({ defaultAcl: NO_PERMISSIONS })
    const paths = await fill(service, seededNumbers(SEED))
    for (const caller of [ADMIN, ANN, BOB, ANONYMOUS]) {
      const { items, total } = await usageOf(service, '/', 'folder', caller)
      expect(total).toEqual(await naiveTotal(service, paths, path('/'), caller))
      expect(added(items)).toEqual(total)
      const owners = await usageOf(service, '/', 'owner', caller)
      expect(owners.total).toEqual(total)
      expect(added(owners.items)).toEqual(total)
    }
    const folders = new Set(paths.flatMap(one => [parentOf(one), parentOf(parentOf(one))]))
    for (const folder of folders) {
      const { total, items } = await usageOf(service, folder)
      expect(total, folder).toEqual(await naiveTotal(service, paths, folder, ADMIN))
      expect(items.map(({ bytes }) => bytes)).toEqual(items.map(({ bytes }) => bytes).sort((a, b) => b - a))
      for (const { name, isFolder } of items) {
        expect(parentOf(name as DomainPath)).toBe(folder)
        expect(isFolder === true).toBe(paths.some(one => one !== name && isWithin(name as DomainPath, one)))
      }
    }
  })

  it('is that of each owner, and of domains without one', async () => {
    const service = await openTestService()
    const paths = await fill(service, seededNumbers(SEED))
    const { items } = await usageOf(service, '/', 'owner')
    const owners = await service.read(async context => {
      const entries = await Promise.all(paths.map(one => context.reader.domain(one)))
      return entries.map(entry => entry?.owner)
    })
    for (const { name, domains } of items) {
      expect(domains).toBe(owners.filter(owner => owner === name).length)
    }
  })

  it('is an error of a domain, of a folder that is not there, and where the caller may not list', async () => {
    const service = await openTestService({ defaultAcl: NO_PERMISSIONS })
    const { read } = service
    const ask = (folder: string, caller: Caller) =>
      outcomeOf(read(context => getUsage(context, path(folder), 'folder'), caller))
    expect(await ask('/test/run7', ADMIN)).toBe('malformed-parameter')
    expect(await ask('/nothing', ADMIN)).toBe('domain-not-found')
    expect(await ask('/test', ANN)).toBe('permission-denied')
    expect(await ask('/test', ANONYMOUS)).toBe('not-authenticated')
    expect(await ask('/', ANONYMOUS)).toBe('granted')
  })

  it('is an error where more domains are below it than one answer counts', async () => {
    const service = await openTestService()
    const ask = (caller: Caller, count: number) =>
      service.read(async ({ reader, ...context }) => {
        const [found] = await collect(reader.use(path('/'), true))
        const use = async function* () {
          yield new Array(count).fill(found[0])
        }
        return outcomeOf(
          getUsage(
            { ...context, reader: { use, quotas: async () => [] } as unknown as Reader },
            path('/'),
            'owner',
          ),
        )
      }, caller)
    expect(await ask(ANN, 10_000)).toBe('granted')
    expect(await ask(ANN, 10_001)).toBe('folder-too-large')
    expect(await ask(ADMIN, 200_000)).toBe('granted')
    expect(await ask(ADMIN, 200_001)).toBe('folder-too-large')
  })

  it('is not for shares, and only of the part that a token is for', async () => {
    const service = await openTestService()
    const scope = { writes: false, within: path('/test') }
    await service.write(context => createDomain(context, path('/other/x'), { createParents: true }), ADMIN)
    const token = await usageOf(service, '/', 'folder', { ...ADMIN, scope })
    expect(token.items.map(({ name }) => name)).toEqual(['/test'])
    const share: Caller = { ...ANONYMOUS, scope, sharedBy: ANN }
    const asked = service.read(context => getUsage(context, path('/test'), 'folder'), share)
    await expect(asked).rejects.toThrow(HyperslabError)
  })
})
