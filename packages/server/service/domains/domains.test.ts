import { type Acl, isRoot, ROOT_FOLDER } from '@hyperslab/model/names'
import { describe, expect, it } from 'vitest'
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
import { ALL_PERMISSIONS, NO_PERMISSIONS, READ_ONLY_PERMISSIONS } from '../access/access.ts'
import { accessWithin } from '../access/folder-access.ts'
import type { Caller, ServiceSettings } from '../context.ts'
import { createGroup } from '../creation/groups.ts'
import { getObject } from '../objects/objects.ts'
import { createDomain, type NewDomain } from './domain-creation.ts'
import { deleteDomain, getDomain, openDomain, resolveDomain } from './domains.ts'
import { listFolder } from './folder-listing.ts'

function create(service: TestService, name: string, input: Partial<NewDomain> = {}, caller?: Caller) {
  return service.write(
    context => createDomain(context, path(name), { createParents: true, ...input }),
    caller,
  )
}

function open(service: TestService, name: string, caller?: Caller) {
  return service.read(context => openDomain(context, path(name)), caller)
}

async function names(service: TestService, folder: string, page = {}, caller?: Caller) {
  const entries = await service.read(context => listFolder(context, path(folder), page), caller)
  return entries.map(({ entry }) => entry.path)
}

/** A folder as the hsds dialect makes it. */
function ownFolder(owner: string): Partial<NewDomain> {
  return { folder: true, owner, createParents: false }
}

describe('creating a domain', () => {
  it('makes an empty root group and the folders on the way', async () => {
    const service = await openTestService()
    const { entry, acl } = await create(service, '/a/b/c')
    expect(entry).toMatchObject({ path: '/a/b/c', readOnly: false, closed: false })
    expect(entry.root !== undefined && isRoot(entry.root)).toBe(true)
    expect(acl).toEqual([])
    expect(await names(service, '/a')).toEqual(['/a/b'])
    expect(await names(service, '/a/b')).toEqual(['/a/b/c'])
    const { root } = await open(service, '/a/b/c')
    expect(root).toMatchObject({ kind: 'group', id: entry.root, acl: [] })
    const { status } = await service.read(context => getDomain(context, path('/a/b/c')))
    expect(status).toMatchObject({ linkCount: 0, attributeCount: 0 })
  })

  it.each<[string, string, Partial<NewDomain>, string]>([
    ['one that exists', '/test/run7', {}, 'domain-exists'],
    ['one where a folder is', '/test', {}, 'domain-exists'],
    ['the top level', '/', {}, 'domain-exists'],
    ['one below a domain', '/test/run7/x', {}, 'parent-is-domain'],
    ['one far below a domain', '/test/run7/x/y/z', {}, 'parent-is-domain'],
    ['one below a missing folder', '/no/x', { createParents: false }, 'folder-not-found'],
  ])('refuses %s', async (_, name, input, code) => {
    const service = await openTestService()
    expect(await outcomeOf(create(service, name, input))).toBe(code)
    expect(await names(service, '/')).toEqual(['/test'])
    expect(await names(service, '/test')).toEqual(['/test/run7'])
  })

  it.each<[ServiceSettings['newDomains'], string, string, string]>([
    ['anyone', 'granted', 'granted', 'granted'],
    ['authenticated', 'not-authenticated', 'granted', 'granted'],
    ['nobody', 'permission-denied', 'permission-denied', 'granted'],
  ])('where no folder has a list, the setting lets %s create', async (newDomains, ...expected) => {
    const outcomes: string[] = []
    for (const caller of [ANONYMOUS, ANN, ADMIN]) {
      const service = await openTestService({ newDomains })
      outcomes.push(await outcomeOf(create(service, '/test/new', {}, caller)))
    }
    expect(outcomes).toEqual(expected)
  })

  it('where a folder has a list, `create` on the nearest one decides, whatever the setting says', async () => {
    const service = await openTestService({ newDomains: 'nobody' })
    await create(
      service,
      '/home',
      { folder: true, acl: [item('default', 'read'), item('ann', 'create')] },
      ADMIN,
    )
    const outcomes: string[] = []
    for (const caller of [ANONYMOUS, BOB, ANN]) {
      outcomes.push(await outcomeOf(create(service, '/home/new/run', {}, caller)))
    }
    expect(outcomes).toEqual(['not-authenticated', 'permission-denied', 'granted'])
    // The folder /home/new was made in passing: it is as closed as /home.
    expect(await outcomeOf(create(service, '/home/new/other', {}, BOB))).toBe('permission-denied')
  })

  it('does not show what is in a folder to a caller without `create` on it', async () => {
    const service = await openTestService()
    await create(service, '/home', { folder: true, acl: [] }, ADMIN)
    await create(service, '/home/secret', {}, ADMIN)
    for (const name of ['/home/secret', '/home/nothing', '/home/secret/x']) {
      expect(await outcomeOf(create(service, name, {}, BOB))).toBe('permission-denied')
    }
  })

  it('in a missing folder is `folder-not-found` for callers that may read the folder above', async () => {
    const service = await openTestService()
    const acl = [item('ann', 'read', 'create'), item('bob', 'read'), item('carl', 'create')]
    await create(service, '/home', { folder: true, acl }, ADMIN)
    await create(service, '/home/run', { acl }, ADMIN)
    const CARL = { name: 'carl', groups: [], admin: false }
    const outcomes: string[][] = []
    for (const caller of [ANN, BOB, CARL, { ...BOB, name: 'dora' }]) {
      const of = (name: string) => outcomeOf(create(service, name, { createParents: false }, caller))
      outcomes.push([await of('/home/runn/x'), await of('/home/run/x'), await of('/home/of-all')])
    }
    expect(outcomes).toEqual([
      ['folder-not-found', 'parent-is-domain', 'granted'],
      ['folder-not-found', 'parent-is-domain', 'permission-denied'],
      ['folder-not-found', 'parent-is-domain', 'domain-exists'],
      ['permission-denied', 'permission-denied', 'permission-denied'],
    ])
  })

  it('for another user needs an administrator', async () => {
    const service = await openTestService()
    const outcomes: string[] = []
    for (const caller of [ANONYMOUS, BOB, ANN, ADMIN]) {
      const name = `/test/of-${caller.name ?? 'nobody'}`
      outcomes.push(await outcomeOf(create(service, name, { owner: 'ann' }, caller)))
    }
    expect(outcomes).toEqual(['not-authenticated', 'permission-denied', 'granted', 'granted'])
  })

  it('again after its deletion gives a new root group', async () => {
    const service = await openTestService()
    const { root } = await open(service, '/test/run7')
    await service.write(context => deleteDomain(context, RUN7))
    expect(await outcomeOf(open(service, '/test/run7'))).toBe('domain-deleted')
    await create(service, '/test/run7')
    expect((await open(service, '/test/run7')).root.id).not.toBe(root.id)
  })
})

describe('the first list of an owned domain or folder (hsds-objects 4)', () => {
  const ANN_ALL: Acl[number] = { userName: 'ann', ...ALL_PERMISSIONS }
  const DEFAULT_READ: Acl[number] = { userName: 'default', ...READ_ONLY_PERMISSIONS }

  it('a folder: its owner everything, everybody read', async () => {
    const service = await openTestService()
    const { entry, acl } = await create(service, '/home', ownFolder('ann'), ADMIN)
    expect(acl).toEqual([ANN_ALL, DEFAULT_READ])
    expect(entry).toMatchObject({ owner: 'ann', acl })
    expect(entry.root).toBeUndefined()
  })

  it('a domain: its owner, and what the folder hands down', async () => {
    const service = await openTestService()
    const handedDown = [item('bob', 'read', 'create'), item('g:lab', 'read')]
    const kept = [item('ann', 'read'), item('admin', 'read'), item('default', 'read', 'update'), item('carl')]
    await create(service, '/home', { folder: true, owner: 'admin', acl: [...handedDown, ...kept] }, ADMIN)
    const { entry, acl } = await create(service, '/home/run', { owner: 'ann', closed: true }, ADMIN)
    expect(acl).toEqual([ANN_ALL, ...handedDown])
    expect(entry).toMatchObject({ owner: 'ann', closed: true })
    expect((await open(service, '/home/run')).root.acl).toEqual(acl)
  })

  // The rights of everybody by the setting, or by the item of `default` on the folder above.
  it.each<[string, string, Acl[number] | undefined, boolean]>([
    ['at the top level, where the setting lets everybody read', 'top', item('', 'read'), true],
    ['at the top level, where the setting does not', 'top', item('', 'create', 'update'), false],
    ['in a folder that everybody may read', 'sub', item('default', 'read', 'create'), true],
    ['in a folder that everybody may not read', 'sub', item('default', 'create'), false],
    ['in a folder with a list that does not name everybody', 'sub', undefined, false],
  ])(
    'everybody may read a folder, and with the setting a domain, %s',
    async (_, level, everybody, isOpen) => {
      for (const defaultPublic of [false, true]) {
        const defaultAcl = level === 'top' && everybody ? everybody : ALL_PERMISSIONS
        const service = await openTestService({ defaultAcl, defaultPublic })
        if (level === 'sub') {
          const acl = [item('g:lab', 'read'), ...(everybody ? [everybody] : [])]
          await create(service, '/sub', { folder: true, owner: 'ann', acl }, ADMIN)
        }
        const handedDown = level === 'sub' ? [item('g:lab', 'read')] : []
        const folder = await create(service, `/${level === 'sub' ? 'sub/' : ''}new`, ownFolder('ann'), ADMIN)
        const domain = await create(
          service,
          `/${level === 'sub' ? 'sub/' : ''}run`,
          { owner: 'ann', closed: true },
          ADMIN,
        )
        const list = (opens: boolean) => [ANN_ALL, ...(opens ? [DEFAULT_READ] : []), ...handedDown]
        expect(folder.acl).toEqual(list(isOpen))
        expect(domain.acl).toEqual(list(isOpen && defaultPublic))
        const see = outcomeOf(service.read(context => getDomain(context, folder.entry.path), ANONYMOUS))
        expect(await see).toBe(isOpen ? 'granted' : 'not-authenticated')
      }
    },
  )

  it('a domain that is not closed has no item of `default`: it would hide the setting', async () => {
    const service = await openTestService({ defaultPublic: true })
    const { acl } = await create(service, '/run', { owner: 'ann' }, ANN)
    expect(acl).toEqual([ANN_ALL])
  })

  it('a closed domain denies users without an item', async () => {
    const service = await openTestService()
    await create(service, '/home', ownFolder('ann'), ADMIN)
    await create(service, '/home/run', { owner: 'ann', closed: true }, ANN)
    const outcomes: string[] = []
    for (const caller of [ANONYMOUS, BOB, ANN, ADMIN]) {
      outcomes.push(await outcomeOf(service.read(context => getDomain(context, path('/home/run')), caller)))
    }
    expect(outcomes).toEqual(['not-authenticated', 'permission-denied', 'granted', 'granted'])
  })
})

describe('what is made in a folder that is under a list', () => {
  const HANDED_DOWN = item('g:lab', 'read')

  /** ann's folder: bob's group may read what is in it, everybody may list it. */
  async function withFolder(...more: Acl[number][]): Promise<TestService> {
    const service = await openTestService()
    const acl = [item('ann', 'read', 'create'), HANDED_DOWN, item('default', 'read'), ...more]
    await create(service, '/home', { folder: true, owner: 'ann', acl }, ADMIN)
    return service
  }

  it('is its maker’s and closed to others, however it is made and however deep', async () => {
    const service = await withFolder()
    for (const name of ['/home/run', '/home/new/deep/run']) {
      const { entry, acl } = await create(service, name, {}, ANN)
      expect(entry).toMatchObject({ owner: 'ann', closed: true })
      expect(acl).toEqual([{ userName: 'ann', ...ALL_PERMISSIONS }, HANDED_DOWN])
      const outcomes: string[] = []
      for (const caller of [ANONYMOUS, { name: 'carl', groups: [], admin: false }, BOB, ANN]) {
        outcomes.push(await outcomeOf(service.read(context => getDomain(context, path(name)), caller)))
      }
      expect(outcomes).toEqual(['not-authenticated', 'permission-denied', 'granted', 'granted'])
    }
  })

  it('a folder is its maker’s too, and one made in passing is under the list above', async () => {
    const service = await withFolder()
    const { entry } = await create(service, '/home/sub', { folder: true }, ANN)
    expect(entry.acl).toEqual([
      { userName: 'ann', ...ALL_PERMISSIONS },
      { userName: 'default', ...READ_ONLY_PERMISSIONS },
      HANDED_DOWN,
    ])
    await create(service, '/home/new/run', {}, ANN)
    expect(await outcomeOf(create(service, '/home/new/other', {}, BOB))).toBe('permission-denied')
    expect(await names(service, '/home/new', {}, BOB)).toEqual(['/home/new/run'])
  })

  it('without an owner, gets what the folder gives everybody', async () => {
    const service = await openTestService()
    const everybody = item('default', 'read', 'create')
    await create(service, '/drop', { folder: true, acl: [everybody, HANDED_DOWN] }, ADMIN)
    const { entry, acl } = await create(service, '/drop/run', {}, ANONYMOUS)
    expect(entry.owner).toBeUndefined()
    expect(entry.closed).toBe(true)
    expect(acl).toEqual([everybody, HANDED_DOWN])
  })

  it('where no folder has a list, everything is as the settings say', async () => {
    const service = await withFolder()
    const { entry, acl } = await create(service, '/elsewhere/run', {}, ANN)
    expect(entry.owner).toBeUndefined()
    expect(entry.closed).toBe(false)
    expect(acl).toEqual([])
  })

  it('and everybody may read it with the setting, whether it is imported or created', async () => {
    const service = await openTestService({ defaultPublic: true })
    const acl = [item('ann', 'read', 'create'), item('default', 'read')]
    await create(service, '/home', { folder: true, owner: 'ann', acl }, ADMIN)
    const expected = [
      { userName: 'ann', ...ALL_PERMISSIONS },
      { userName: 'default', ...READ_ONLY_PERMISSIONS },
    ]
    expect((await create(service, '/home/run', {}, ANN)).acl).toEqual(expected)
    const imported = await service.read(context =>
      accessWithin(context.reader, path('/home'), context.settings),
    )
    expect(imported.acl).toEqual(expected)
  })

  it('belongs to the owner of the folder where there is no caller', async () => {
    const service = await withFolder(item('admin', 'read'))
    const within = (name: string) =>
      service.read(context => accessWithin(context.reader, path(name), context.settings))
    const access = { owner: 'ann', acl: [{ userName: 'ann', ...ALL_PERMISSIONS }, HANDED_DOWN], closed: true }
    expect(await within('/home')).toEqual(access)
    expect(await within('/home/not/there/yet')).toEqual(access)
    expect(await within('/test')).toEqual({ acl: [], closed: false })
    expect(await within('/')).toEqual({ acl: [], closed: false })
  })
})

describe('finding a domain', () => {
  it.each([
    ['/test/run8', 'domain-not-found'],
    ['/test', 'domain-is-folder'],
    ['/', 'domain-is-folder'],
    ['/test/run7', 'granted'],
  ])('%s is %s', async (name, code) => {
    expect(await outcomeOf(open(await openTestService(), name))).toBe(code)
  })

  it.each([
    ['/files/plain', '/files/plain', 'a domain of that name'],
    ['/files/tall', '/files/tall.h5', 'the file, when nothing has the name'],
    ['/files/both', '/files/both', 'the name itself, when both are domains'],
    ['/files/sub', '/files/sub.h5', 'the file, when the name is a folder'],
    ['/files/none', '/files/none', 'the name itself, when neither is there'],
    ['/files/dir', '/files/dir', 'the name itself, when only a folder has the extension'],
    ['/', '/', 'the top level'],
  ])('the name %s means %s: %s', async (name, expected) => {
    const service = await openTestService()
    for (const each of ['plain', 'tall.h5', 'both', 'both.h5', 'sub/x', 'sub.h5', 'dir.h5/x']) {
      await create(service, `/files/${each}`)
    }
    const otherPaths = () => [path(`${name}.h5`)]
    expect(await service.read(context => resolveDomain(context, path(name), otherPaths))).toBe(expected)
    expect(await service.read(context => resolveDomain(context, path(name)))).toBe(path(name))
  })

  it('a folder is read under its list, or under the setting', async () => {
    const service = await openTestService({ defaultAcl: NO_PERMISSIONS })
    await create(service, '/home', { folder: true, acl: [item('g:lab', 'read')] }, ADMIN)
    const get = (name: string, caller: Caller) =>
      outcomeOf(service.read(context => getDomain(context, path(name)), caller))
    expect(await get('/home', BOB)).toBe('granted')
    expect(await get('/home', ANN)).toBe('permission-denied')
    expect(await get('/test', ANN)).toBe('permission-denied')
    expect(await get('/test', ADMIN)).toBe('granted')
  })
})

describe('deleting', () => {
  const remove = (service: TestService, name: string, caller?: Caller) =>
    outcomeOf(service.write(context => deleteDomain(context, path(name)), caller))

  it('a domain ends all its objects', async () => {
    const service = await openTestService()
    const { object } = await service.writeIn((context, domain) => createGroup(context, domain, {}))
    expect(await remove(service, '/test/run7')).toBe('granted')
    expect(await service.read(context => context.reader.object(object.id))).toBeUndefined()
    expect(await remove(service, '/test/run7')).toBe('domain-deleted')
    await create(service, '/test/run7')
    expect(
      await outcomeOf(service.readIn((context, domain) => getObject(context, domain, 'group', object.id))),
    ).toBe('object-not-found')
  })

  it('a folder must be empty', async () => {
    const service = await openTestService()
    expect(await remove(service, '/test')).toBe('folder-not-empty')
    await remove(service, '/test/run7')
    expect(await remove(service, '/test')).toBe('granted')
    expect(await names(service, '/')).toEqual([])
  })

  it.each([
    ['/', 'folder-protected'],
    ['/test/none', 'domain-not-found'],
  ])('%s is %s', async (name, code) => {
    expect(await remove(await openTestService(), name)).toBe(code)
  })

  it('without a domain says that none was named', async () => {
    const service = await openTestService()
    const remove = service.write(context => deleteDomain(context, ROOT_FOLDER))
    await expect(remove).rejects.toThrow('the request names no domain')
    await expect(create(service, '/')).rejects.toThrow('the request names no domain')
  })

  it('takes away names of a read-only domain, but for the last', async () => {
    const service = await openTestService()
    const { entry } = await open(service, '/test/run7')
    await service.write(({ writer }) => writer.putDomain({ ...entry, readOnly: true }))
    expect(await remove(service, '/test/run7')).toBe('domain-read-only')
    await create(service, '/test/again', { linked: RUN7 })
    expect(await remove(service, '/test/run7')).toBe('granted')
    expect((await open(service, '/test/again')).root.id).toBe(entry.root)
    expect(await remove(service, '/test/again')).toBe('domain-read-only')
    expect(await names(service, '/test')).toEqual(['/test/again'])
  })

  it('needs `delete` on the root group of a domain, on the list of a folder', async () => {
    const service = await openTestService()
    const acl = [item('default', 'read', 'create', 'update'), item('ann', 'delete')]
    await create(service, '/home', { folder: true, acl }, ADMIN)
    await create(service, '/home/run', { acl }, ADMIN)
    for (const name of ['/home/run', '/home']) {
      expect(await remove(service, name, ANONYMOUS)).toBe('not-authenticated')
      expect(await remove(service, name, BOB)).toBe('permission-denied')
      expect(await remove(service, name, ANN)).toBe('granted')
    }
  })
})

describe('listing a folder', () => {
  it('gives its direct children by name, as UTF-8 bytes, a page at a time', async () => {
    const service = await openTestService()
    // U+FF5E sorts before U+1F600 as UTF-8, after it as UTF-16.
    for (const name of ['\u{1f600}', 'b', 'a/deep', 'B', '\uff5e', '10', '9'])
      await create(service, `/f/${name}`)
    const expected = ['10', '9', 'B', 'a', 'b', '\uff5e', '\u{1f600}'].map(name => `/f/${name}`)
    expect(await names(service, '/f')).toEqual(expected)
    expect(await names(service, '/f', { limit: 2 })).toEqual(expected.slice(0, 2))
    expect(await names(service, '/f', { limit: 2, marker: '9' })).toEqual(expected.slice(2, 4))
    expect(await names(service, '/f', { marker: '\u{1f600}' })).toEqual([])
  })

  it('a domain has no children, a missing folder is an error, the top level is open', async () => {
    const service = await openTestService({ defaultAcl: NO_PERMISSIONS })
    expect(await names(service, '/test/run7', {}, ADMIN)).toEqual([])
    expect(await outcomeOf(names(service, '/none', {}, ADMIN))).toBe('domain-not-found')
    expect(await names(service, ROOT_FOLDER)).toEqual(['/test'])
  })

  it('needs `read` on the folder', async () => {
    const service = await openTestService()
    await create(service, '/home', { folder: true, acl: [item('ann', 'read')] }, ADMIN)
    expect(await outcomeOf(names(service, '/home', {}, BOB))).toBe('permission-denied')
    expect(await names(service, '/home', {}, ANN)).toEqual([])
  })
})
