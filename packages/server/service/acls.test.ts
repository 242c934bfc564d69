import type { AclItem, DomainPath, ObjectReference } from '@hyperslab/model/names'
import { describe, expect, it } from 'vitest'
import {
  ADMIN,
  ANN,
  BOB,
  item,
  openTestService,
  outcomeOf,
  path,
  RUN7,
  type TestService,
} from '../../../test/fixtures/service.ts'
import { ALL_PERMISSIONS, NO_PERMISSIONS } from './access/access.ts'
import { type AclChange, findAclOwner, getAclItem, listAcl, putAclItems } from './acls.ts'
import type { Caller, ServiceSettings } from './context.ts'
import { createGroup } from './creation/groups.ts'
import { createDomain } from './domains/domain-creation.ts'
import { getDomain, openDomain } from './domains/domains.ts'

async function start(settings = {}) {
  const service = await openTestService(settings)
  const { root } = await service.read(context => openDomain(context, RUN7))
  const { object } = await service.writeIn((context, domain) => createGroup(context, domain, {}), ADMIN)
  const rootGroup: ObjectReference = { kind: 'group', id: root.id }
  const group: ObjectReference = { kind: 'group', id: object.id }
  return { service, root: rootGroup, group }
}

const list = (service: TestService, object: ObjectReference, caller?: Caller) =>
  service.readIn((context, domain) => listAcl(context, { domain, object }), caller)

const get = (service: TestService, object: ObjectReference, name: string, caller?: Caller) =>
  service.readIn((context, domain) => getAclItem(context, { domain, object }, name), caller)

const put = (service: TestService, object: ObjectReference, changes: AclChange[], caller?: Caller) =>
  service.writeIn((context, domain) => putAclItems(context, { domain, object }, changes), caller)

const change = (userName: string, permissions: AclChange['permissions']): AclChange => ({
  userName,
  permissions,
})

/** An item as a request puts it on the domain. */
const placed: typeof item = (...given) => ({ ...item(...given), origin: RUN7 })

describe('setting items', () => {
  it('flags not given are false in a new item and stay in an old one', async () => {
    const { service, group } = await start()
    await put(service, group, [change('ann', { read: true, readACL: true })])
    await put(service, group, [change('default', { read: true, readACL: true, updateACL: true })])
    await put(service, group, [change('ann', { update: true, readACL: false })])
    expect(await list(service, group)).toEqual([
      placed('ann', 'read', 'update'),
      placed('default', 'read', 'readACL', 'updateACL'),
    ])
  })

  it('on one object makes no items elsewhere', async () => {
    const { service, root, group } = await start()
    await put(service, root, [change('ann', { read: true })])
    expect(await list(service, group)).toEqual([])
    await put(service, group, [change('bob', { read: true })])
    expect(await list(service, root)).toEqual([placed('ann', 'read')])
  })

  it('several at once are set in order, or none of them', async () => {
    const { service, group } = await start()
    const both = [
      change('bob', { read: true }),
      change('g:lab', { create: true }),
      change('bob', { update: true }),
    ]
    await put(service, group, both)
    const expected = [placed('bob', 'read', 'update'), placed('g:lab', 'create')]
    expect(await list(service, group)).toEqual(expected)
    const bad = [change('ann', { read: true }), change('carl', { read: true })]
    expect(await outcomeOf(put(service, group, bad))).toBe('acl-user-unknown')
    expect(await list(service, group)).toEqual(expected)
  })

  it('refuses new items of names that stand for no user, even if every name is known', async () => {
    const { service, group } = await start()
    for (const name of ['Default', 'anonymous', 'g:']) {
      const items = [change('ann', { read: true }), change(name, { read: true })]
      expect(await outcomeOf(put(service, group, items))).toBe('malformed-name')
    }
    expect(await list(service, group)).toEqual([])
    await service.write(({ writer }) => writer.setAcl(group.id, [item('anonymous', 'read')]))
    await put(service, group, [change('anonymous', NO_PERMISSIONS)])
    expect(await list(service, group)).toEqual([placed('anonymous')])
  })

  it('needs `updateACL`, in a read-only domain too', async () => {
    const { service, root, group } = await start()
    await put(service, root, [
      change('default', ALL_PERMISSIONS),
      change('ann', { ...ALL_PERMISSIONS, updateACL: false }),
      change('bob', { updateACL: true }),
    ])
    const { entry } = await service.read(context => openDomain(context, RUN7))
    await service.write(({ writer }) => writer.putDomain({ ...entry, readOnly: true }))
    const items = [change('g:lab', { read: true })]
    expect(await outcomeOf(put(service, group, items, ANN))).toBe('permission-denied')
    expect(await outcomeOf(put(service, group, items, BOB))).toBe('granted')
    expect(await list(service, group)).toEqual([placed('g:lab', 'read')])
  })

  it('takes effect for the next request', async () => {
    const { service, root, group } = await start()
    await put(service, root, [change('default', {})])
    expect(await outcomeOf(put(service, root, [change('default', { read: true })]))).toBe('not-authenticated')
    expect(await outcomeOf(list(service, group))).toBe('not-authenticated')
  })

  it('on the root group changes the domain', async () => {
    const { service, root, group } = await start()
    const modified = async () => (await service.read(context => getDomain(context, RUN7))).entry.lastModified
    const before = await modified()
    await put(service, group, [change('ann', { read: true })])
    expect(await modified()).toBe(before)
    await put(service, root, [change('ann', { read: true })])
    expect(await modified()).toBeGreaterThan(before)
  })

  it('the item of a user that is no longer known can be changed', async () => {
    const { service, group } = await start()
    await service.write(({ writer }) => writer.setAcl(group.id, [item('carl', 'read', 'update')]))
    await put(service, group, [change('carl', NO_PERMISSIONS)])
    expect(await list(service, group)).toEqual([placed('carl')])
  })
})

describe('the list of a folder', () => {
  const HOME = path('/home')
  const at = (service: TestService, folder: DomainPath, caller?: Caller) =>
    service.read(async context => listAcl(context, await findAclOwner(context, folder)), caller)
  const putAt = (service: TestService, folder: DomainPath, changes: AclChange[], caller?: Caller) =>
    service.write(async context => {
      await putAclItems(context, await findAclOwner(context, folder), changes, { names: 'any' })
    }, caller)

  async function withHome(): Promise<TestService> {
    const service = await openTestService()
    const input = { folder: true, owner: 'ann', createParents: false }
    await service.write(context => createDomain(context, HOME, input), ADMIN)
    return service
  }

  it('is read and changed with `readACL` and `updateACL` there, and handed down with its origins', async () => {
    const service = await withHome()
    expect((await at(service, HOME, ANN)).map(({ userName }) => userName)).toEqual(['ann', 'default'])
    expect(await outcomeOf(at(service, HOME, BOB))).toBe('permission-denied')
    expect(await outcomeOf(putAt(service, HOME, [change('bob', ALL_PERMISSIONS)], BOB))).toBe(
      'permission-denied',
    )
    await putAt(service, HOME, [change('bob', { read: true })], ANN)
    const ofBob = { ...item('bob', 'read'), origin: HOME }
    expect(await at(service, HOME, ANN)).toContainEqual(ofBob)
    const run = path('/home/run')
    await service.write(context => createDomain(context, run, { createParents: false }), ANN)
    expect(await at(service, run, ANN)).toEqual([{ userName: 'ann', ...ALL_PERMISSIONS }, ofBob])
    const { entry } = await service.read(context => getDomain(context, HOME), ANN)
    expect(entry.lastModified).toBeGreaterThan(entry.created)
  })

  it('shows a member with `read` only its own item and that of everybody', async () => {
    const service = await withHome()
    await putAt(service, HOME, [change('bob', { read: true }), change('carl', { readACL: true })], ANN)
    const get = (name: string, caller: Caller) =>
      service.read(
        async context => getAclItem(context, await findAclOwner(context, HOME), name, { items: 'stored' }),
        caller,
      )
    expect(await get('bob', BOB)).toMatchObject(item('bob', 'read'))
    expect(await get('default', BOB)).toMatchObject(item('default', 'read'))
    expect(await outcomeOf(get('ann', BOB))).toBe('permission-denied')
    // `readACL` shows every item, also to a user without `read`.
    const carl = { name: 'carl', groups: [], admin: false }
    expect(await get('carl', carl)).toMatchObject(item('carl', 'readACL'))
    expect(await get('ann', carl)).toMatchObject({ userName: 'ann' })
    expect(await outcomeOf(get('dora', carl))).toBe('acl-not-found')
  })

  it('of a folder that was made in passing is the one above, until it is changed', async () => {
    const service = await withHome()
    await service.write(context => createDomain(context, path('/home/new/run'), { createParents: true }), ANN)
    const folder = path('/home/new')
    expect(await at(service, folder, ANN)).toEqual(await at(service, HOME, ANN))
    await putAt(service, folder, [change('bob', { create: true })], ANN)
    expect((await at(service, folder, ANN)).map(({ userName }) => userName)).toEqual([
      'ann',
      'default',
      'bob',
    ])
    expect((await at(service, HOME, ANN)).map(({ userName }) => userName)).toEqual(['ann', 'default'])
  })

  it('where no folder has one, begins with what the settings give everybody', async () => {
    const first = async (settings: Partial<ServiceSettings>) => {
      const service = await openTestService(settings)
      await putAt(service, path('/test'), [change('ann', ALL_PERMISSIONS)], ADMIN)
      return (await at(service, path('/test'), ADMIN)).slice(0, -1)
    }
    const READ = { ...NO_PERMISSIONS, read: true }
    expect(await first({})).toEqual([{ userName: 'default', ...ALL_PERMISSIONS }])
    expect(await first({ defaultAcl: READ })).toEqual([{ userName: 'default', ...READ }])
    expect(await first({ defaultAcl: NO_PERMISSIONS })).toEqual([])
    // Another setting decides about `create`.
    expect(await first({ newDomains: 'authenticated' })).toEqual([
      { userName: 'default', ...ALL_PERMISSIONS, create: false },
    ])
  })

  it.each([
    ['/nowhere', 'domain-not-found'],
    ['/', 'domain-is-folder'],
  ])('%s has none: %s', async (name, code) => {
    expect(await outcomeOf(at(await openTestService(), path(name), ADMIN))).toBe(code)
  })
})

describe('getting the item of a user', () => {
  const cases: [string, AclItem[], AclItem[], AclItem][] = [
    ['ann', [item('ann', 'read')], [item('ann', 'update')], item('ann', 'read')],
    ['ann', [item('default', 'read')], [item('ann', 'update')], item('ann', 'update')],
    ['ann', [item('default', 'read')], [item('default', 'update')], item('default', 'read')],
    ['ann', [item('bob', 'read')], [item('default', 'update')], item('default', 'update')],
    ['ann', [item('bob', 'read')], [], { userName: 'default', ...ALL_PERMISSIONS }],
    ['bob', [item('g:lab', 'read')], [item('default', 'update')], item('default', 'read', 'update')],
    ['default', [item('default', 'read')], [item('default', 'update')], item('default', 'read')],
    ['default', [], [item('default', 'update')], item('default', 'update')],
    ['default', [], [], { userName: 'default', ...ALL_PERMISSIONS }],
    ['g:lab', [item('g:lab', 'read')], [], item('g:lab', 'read')],
    ['carl', [item('carl', 'read')], [], item('carl', 'read')],
  ]
  it.each(cases)(
    '%s, with %j on the object and %j on the root group: %j',
    async (name, onObject, onRoot, expected) => {
      const { service, root, group } = await start()
      await service.write(async ({ writer }) => {
        await writer.setAcl(group.id, onObject)
        await writer.setAcl(root.id, onRoot)
      })
      expect(await get(service, group, name, ADMIN)).toEqual(expected)
    },
  )

  it('where only stored items count, another one is not found, and `read` is enough for those that concern oneself', async () => {
    const { service, root } = await start()
    const acl = [item('default', 'read'), item('ann', 'read', 'update')]
    await service.write(({ writer }) => writer.setAcl(root.id, acl))
    const stored = (name: string, caller?: Caller) =>
      service.readIn(
        (context, domain) => getAclItem(context, { domain, object: root }, name, { items: 'stored' }),
        caller,
      )
    expect(await stored('ann', ANN)).toEqual(acl[1])
    expect(await stored('default', ANN)).toEqual(acl[0])
    expect(await stored('default')).toEqual(acl[0])
    expect(await outcomeOf(stored('ann', BOB))).toBe('permission-denied')
    expect(await outcomeOf(stored('bob', BOB))).toBe('acl-not-found')
    expect(await outcomeOf(stored('carl', ADMIN))).toBe('acl-not-found')
  })

  it('the item of an unknown user is not found', async () => {
    const { service, root } = await start()
    expect(await outcomeOf(get(service, root, 'carl'))).toBe('user-not-found')
    expect(await outcomeOf(get(service, root, 'g:office'))).toBe('user-not-found')
  })

  it('needs `readACL`, like the list', async () => {
    const { service, root, group } = await start()
    await put(service, root, [
      change('default', { ...ALL_PERMISSIONS, readACL: false }),
      change('bob', { readACL: true }),
    ])
    for (const object of [root, group]) {
      expect(await outcomeOf(get(service, object, 'ann'))).toBe('not-authenticated')
      expect(await outcomeOf(list(service, object))).toBe('not-authenticated')
      expect(await outcomeOf(get(service, object, 'ann', ANN))).toBe('permission-denied')
      expect(await outcomeOf(list(service, object, BOB))).toBe('granted')
    }
  })
})
