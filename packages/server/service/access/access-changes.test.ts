import type { DomainPath } from '@hyperslab/model/names'
import { describe, expect, it } from 'vitest'
import {
  ADMIN,
  ANN,
  BOB,
  item,
  openTestService,
  path,
  type TestService,
} from '../../../../test/fixtures/service.ts'
import type { Caller } from '../context.ts'
import { createDomain } from '../domains/domain-creation.ts'
import { deleteDomain, openDomain, requireEntry } from '../domains/domains.ts'
import { type AccessChange, type AccessPage, changeAccess } from './access-changes.ts'

const LAB = path('/lab')
const FORCED = { items: [], removed: [], below: true, force: true } as const
const READING = [{ userName: 'eve', permissions: { read: true } }]

async function start() {
  const service = await openTestService()
  const make = (at: string, owner?: string, more: object = {}) =>
    service.write(
      context =>
        createDomain(context, path(at), {
          createParents: true,
          belowDomains: true,
          ...(owner && { owner }),
          ...more,
        }),
      ADMIN,
    )
  await make('/lab', 'ann', { folder: true })
  return { service, make }
}

function change(
  service: TestService,
  given: Partial<AccessChange>,
  caller: Caller = ADMIN,
  page: AccessPage = {},
) {
  return service.write(context => changeAccess(context, LAB, { ...FORCED, ...given }, page), caller)
}

function entryAt(service: TestService, at: string) {
  return service.read(context => requireEntry(context, path(at)), ADMIN)
}

/** The names of the list of a domain. */
async function namesAt(service: TestService, at: string): Promise<string[]> {
  const { root } = await service.read(context => openDomain(context, path(at)), ADMIN)
  return root.acl.map(({ userName }) => userName).sort()
}

const pathsOf = (changed: readonly { readonly path: DomainPath }[]) => changed.map(one => one.path)

describe('a change of everything below', () => {
  it('goes in the order of paths, each folder before its contents, also below a domain', async () => {
    const { service, make } = await start()
    for (const at of ['/lab/b/x', '/lab/b', '/lab/a', '/lab/b/x/y', '/lab/c']) {
      if (at !== '/lab/b') await make(at, 'ann')
    }
    const { changed } = await change(service, { items: READING })
    // The folder /lab/b was made in passing and has no list: that of /lab holds.
    expect(pathsOf(changed)).toEqual(['/lab', '/lab/a', '/lab/b/x', '/lab/b/x/y', '/lab/c'])
    expect((await entryAt(service, '/lab/b')).acl).toBeUndefined()
  })

  it('goes on after a path that was deleted meanwhile', async () => {
    const { service, make } = await start()
    for (const at of ['/lab/a', '/lab/b/x', '/lab/b/y', '/lab/c']) await make(at, 'ann')
    const first = await change(service, { items: READING }, ADMIN, { limit: 4 })
    expect(first).toMatchObject({ next: '/lab/b/x' })
    await service.write(context => deleteDomain(context, path('/lab/b/x')), ADMIN)
    const rest = await change(service, { items: READING }, ADMIN, { after: first.next })
    expect(pathsOf(rest.changed)).toEqual(['/lab/b/y', '/lab/c'])
    expect(rest.next).toBeUndefined()
  })

  it('changes one list once where contents have several names with several owners', async () => {
    const { service, make } = await start()
    await make('/lab/one', 'ann')
    await make('/lab/two', 'bob', { linked: path('/lab/one') })
    await change(service, { owner: 'carl' })
    expect(await namesAt(service, '/lab/one')).toEqual(['carl'])
    expect((await entryAt(service, '/lab/two')).owner).toBe('carl')
  })

  it('may take the right from its caller: it is checked before', async () => {
    const { service, make } = await start()
    const eve = { name: 'eve', groups: [], admin: false }
    await change(service, { items: [{ userName: 'eve', permissions: { read: true, updateACL: true } }] })
    for (const at of ['/lab/a', '/lab/b/x']) await make(at, 'ann')
    expect((await change(service, { removed: ['eve'] }, eve)).changed).toHaveLength(3)
    expect(await namesAt(service, '/lab/b/x')).toEqual(['ann'])
    await expect(change(service, { removed: ['eve'] }, eve)).rejects.toMatchObject({
      code: 'permission-denied',
    })
  })

  it('does not look into a folder that the caller may not read, whatever is asked for', async () => {
    const { service, make } = await start()
    await make('/lab/closed', 'carl', { folder: true, acl: [item('carl', 'read')] })
    await make('/lab/closed/x', 'ann')
    const asked = change(service, { ownedBy: 'ann', items: READING }, ANN)
    await expect(asked).rejects.toMatchObject({ code: 'permission-denied' })
    await expect(change(service, { ownedBy: 'ann', items: READING }, BOB)).rejects.toThrow('bob')
    expect((await entryAt(service, '/lab')).acl?.some(({ userName }) => userName === 'eve')).toBe(false)
  })
})

describe('an owner', () => {
  it('of a domain that had none gets an item, and others keep what they could', async () => {
    const { service } = await start()
    const { closed } = await entryAt(service, '/test/run7')
    const to = { ...FORCED, below: false, owner: 'ann' }
    const { changed } = await service.write(
      context => changeAccess(context, path('/test/run7'), to, {}),
      ADMIN,
    )
    expect(changed).toMatchObject([{ formerOwner: undefined, items: [{ userName: 'ann' }] }])
    expect(await entryAt(service, '/test/run7')).toMatchObject({ owner: 'ann', closed })
    expect(await namesAt(service, '/test/run7')).toEqual(['ann'])
  })
})
