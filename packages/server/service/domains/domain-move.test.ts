import { describe, expect, it } from 'vitest'
import {
  ADMIN,
  ANN,
  BOB,
  item,
  openTestService,
  outcomeOf,
  path,
  type TestService,
} from '../../../../test/fixtures/service.ts'
import type { Caller } from '../context.ts'
import { createDomain, type NewDomain } from './domain-creation.ts'
import { moveDomain } from './domain-move.ts'
import { getDomain, openDomain } from './domains.ts'
import { listFolder } from './folder-listing.ts'

function create(service: TestService, name: string, input: Partial<NewDomain> = {}, caller: Caller = ANN) {
  const owner = caller.name ?? ''
  return service.write(
    context => createDomain(context, path(name), { createParents: true, owner, ...input }),
    caller,
  )
}

function move(service: TestService, from: string, to: string, caller: Caller = ANN) {
  return outcomeOf(service.write(context => moveDomain(context, path(from), path(to)), caller))
}

/** All that is in a folder, at any depth. */
async function names(service: TestService, folder: string): Promise<readonly string[]> {
  const entries = await service.read(context => listFolder(context, path(folder), {}), ADMIN)
  const found: string[] = []
  for (const { entry } of entries) {
    found.push(entry.path)
    if (entry.root === undefined) found.push(...(await names(service, entry.path)))
  }
  return found
}

function outcomeOfGet(service: TestService, name: string, caller: Caller = ANN) {
  return outcomeOf(service.read(context => getDomain(context, path(name)), caller))
}

describe('moving', () => {
  it('gives a domain another path, and keeps its contents and its list', async () => {
    const service = await openTestService()
    const { entry, acl } = await create(service, '/a/run')
    await create(service, '/b', { folder: true })
    expect(await move(service, '/a/run', '/b/other')).toBe('granted')
    const moved = await service.read(context => openDomain(context, path('/b/other')), ANN)
    expect(moved.root.id).toBe(entry.root)
    expect(moved.root.acl).toEqual(acl)
    expect(moved.entry).toEqual({ ...entry, path: '/b/other', closed: true })
    expect(await outcomeOfGet(service, '/a/run')).toBe('domain-deleted')
    expect([await names(service, '/a'), await names(service, '/b')]).toEqual([[], ['/b/other']])
    expect(await move(service, '/b/other', '/a/run')).toBe('granted')
  })

  it('keeps the other names of the contents', async () => {
    const service = await openTestService()
    await create(service, '/a/run')
    await create(service, '/a/second', { linked: path('/a/run') })
    expect(await move(service, '/a/run', '/a/third')).toBe('granted')
    const rootOf = async (name: string) =>
      (await service.read(context => openDomain(context, path(name)), ANN)).root.id
    expect(await rootOf('/a/third')).toBe(await rootOf('/a/second'))
  })

  it('moves a folder with all that is in it, also of other users', async () => {
    const service = await openTestService()
    await create(service, '/lab', {
      folder: true,
      acl: [item('ann', 'create', 'delete', 'read'), item('bob', 'create')],
    })
    await create(service, '/lab/old', { folder: true, owner: 'ann' })
    await create(service, '/lab/old/deep/x')
    const { entry } = await create(service, '/lab/old/y', { owner: 'bob' }, ADMIN)
    expect(await move(service, '/lab/old', '/lab/new')).toBe('granted')
    expect(await names(service, '/lab')).toEqual([
      '/lab/new',
      '/lab/new/deep',
      '/lab/new/deep/x',
      '/lab/new/y',
    ])
    expect((await service.read(context => openDomain(context, path('/lab/new/y')), BOB)).entry).toEqual({
      ...entry,
      path: '/lab/new/y',
    })
    expect(await outcomeOfGet(service, '/lab/old/deep/x')).toBe('domain-deleted')
  })

  it('into a folder with a list closes a domain that was open to all', async () => {
    const service = await openTestService()
    await service.write(
      context => createDomain(context, path('/open/x'), { createParents: true, owner: 'ann' }),
      ANN,
    )
    await create(service, '/closed', { folder: true, acl: [item('ann', 'create')] })
    expect(await outcomeOfGet(service, '/open/x', BOB)).toBe('granted')
    expect(await move(service, '/open/x', '/closed/x')).toBe('granted')
    expect(await outcomeOfGet(service, '/closed/x', BOB)).toBe('permission-denied')
  })

  it.each([
    ['/a/none', '/a/new', 'domain-not-found'],
    ['/a/run', '/a/taken', 'domain-exists'],
    ['/a/run', '/a/run', 'domain-exists'],
    ['/a/run', '/none/new', 'folder-not-found'],
    ['/a/run', '/a/taken/new', 'parent-is-domain'],
    ['/a', '/a/deep', 'malformed-domain'],
    ['/a', '/a/folder/deep', 'malformed-domain'],
    ['/', '/a/top', 'malformed-domain'],
    ['/a/run', '/', 'domain-exists'],
  ])('%s to %s is %s, and changes nothing', async (from, to, code) => {
    const service = await openTestService()
    await create(service, '/a/run')
    await create(service, '/a/taken')
    await create(service, '/a/folder', { folder: true })
    const before = await names(service, '/')
    expect(await move(service, from, to)).toBe(code)
    expect(await names(service, '/')).toEqual(before)
  })

  it('needs the permission to delete there and to create here', async () => {
    const service = await openTestService()
    await create(service, '/lab', {
      folder: true,
      acl: [item('ann', 'create'), item('bob', 'create', 'read')],
    })
    await create(service, '/bobs', { folder: true, acl: [item('bob', 'create', 'delete')] }, BOB)
    await create(service, '/lab/x')
    await create(service, '/lab/f', { folder: true })
    for (const from of ['/lab/x', '/lab/f']) {
      expect(await move(service, from, '/lab/y', BOB)).toBe('permission-denied')
      expect(await move(service, from, '/bobs/y', ANN)).toBe('permission-denied')
    }
    expect(await move(service, '/lab/x', '/lab/y', ANN)).toBe('granted')
  })

  it('of too many is refused, and changes nothing', async () => {
    const service = await openTestService()
    await create(service, '/many', { folder: true })
    await service.write(async context => {
      for (let i = 0; i < 10_000; i++) {
        const base = { created: context.now, lastModified: context.now, readOnly: false, closed: true }
        await context.writer.putDomain({ path: path(`/many/d${10_000 + i}`), ...base })
      }
    })
    await create(service, '/other', { folder: true })
    expect(await move(service, '/many', '/other/many', ADMIN)).toBe('write-too-large')
    expect(await outcomeOfGet(service, '/many/d19999', ADMIN)).toBe('granted')
    expect(await outcomeOfGet(service, '/other/many', ADMIN)).toBe('domain-not-found')
  })
})
