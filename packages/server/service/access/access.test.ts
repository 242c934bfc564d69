// The permission rules of specification 5, tested as tables and against a naive statement of the five rules of 5.4.

import { HyperslabError } from '@hyperslab/base/errors'
import {
  type Acl,
  type AclItem,
  idFromHex,
  ObjectIds,
  PERMISSIONS,
  type Permission,
  type Permissions,
  parseDomainPath,
} from '@hyperslab/model/names'
import { describe, expect, it } from 'vitest'
import { ANONYMOUS, type Caller, type Context, type OpenDomain } from '../context.ts'
import {
  ALL_PERMISSIONS,
  effectiveItem,
  NO_PERMISSIONS,
  permissionsOf,
  requireAdmin,
  requireFolderPermission,
  requirePermission,
  requireWritable,
} from './access.ts'

const ANN: Caller = { name: 'ann', groups: [], admin: false }
const BOB: Caller = { name: 'bob', groups: [], admin: false }
const ADMIN: Caller = { name: 'root', groups: [], admin: true }

function only(...granted: Permission[]): Permissions {
  return permissionsOf(permission => granted.includes(permission))
}

function item(userName: string, ...granted: Permission[]): AclItem {
  return { userName, ...only(...granted) }
}

function contextOf(caller: Caller, defaultAcl = ALL_PERMISSIONS): Context {
  return {
    get reader(): never {
      throw new Error('the rules of access read nothing')
    },
    caller,
    settings: { defaultAcl, newDomains: 'anyone', isKnownUser: () => true },
    signal: new AbortController().signal,
  }
}

function domainOf(rootAcl: Acl, options: { closed?: boolean; readOnly?: boolean } = {}): OpenDomain {
  const root = new ObjectIds(length => new Uint8Array(length)).newRoot()
  return {
    entry: {
      path: '/test/run7' as OpenDomain['entry']['path'],
      root,
      created: 0,
      lastModified: 0,
      readOnly: options.readOnly ?? false,
      closed: options.closed ?? false,
    },
    root: { kind: 'group', id: root, created: 0, acl: rootAcl },
  }
}

/** The code of the error, or 'granted'. */
function outcome(check: () => void): string {
  try {
    check()
    return 'granted'
  } catch (error) {
    if (error instanceof HyperslabError) return error.code
    throw error
  }
}

describe('the worked case (specification 5.3)', () => {
  const acl = [
    item('default', 'read'),
    item('ann', 'read', 'update'),
    { userName: 'bob', ...ALL_PERMISSIONS },
  ]
  const cases: [string, Permission, string, string, string][] = [
    ['GET /datasets/<id>', 'read', 'granted', 'granted', 'granted'],
    ['POST /datasets/<id>/value', 'read', 'granted', 'granted', 'granted'],
    ['PUT /datasets/<id>/shape', 'update', 'not-authenticated', 'granted', 'granted'],
    ['PUT /datasets/<id>/attributes/<name>', 'create', 'not-authenticated', 'permission-denied', 'granted'],
    ['DELETE /datasets/<id>', 'delete', 'not-authenticated', 'permission-denied', 'granted'],
  ]
  it.each(cases)('%s needs "%s"', (_request, permission, ...expected) => {
    const outcomes = [ANONYMOUS, ANN, BOB].map(caller =>
      outcome(() => requirePermission(contextOf(caller), permission, domainOf([]), { acl })),
    )
    expect(outcomes).toEqual(expected)
  })
})

describe('the order of resolution (specification 5.4)', () => {
  // Each item grants one permission that no other grants, so that the answer tells which items counted.
  const onObject = {
    own: item('ann', 'create'),
    default: item('default', 'update'),
    group: item('g:lab', 'delete'),
  }
  const onRoot = {
    own: item('ann', 'read'),
    default: item('default', 'readACL'),
    group: item('g:lab', 'updateACL'),
  }
  const fallback = only('create', 'delete')
  const strangers = [item('bob', ...PERMISSIONS), item('g:office', ...PERMISSIONS)]
  const callers: Record<string, Caller> = {
    anonymous: ANONYMOUS,
    'ann, in no group': ANN,
    'ann, in the group lab': { ...ANN, groups: ['theatre', 'lab'] },
  }

  /** Specification 5.4, clause by clause; groups of users add to what everybody may do (common 8). */
  function naive(caller: Caller, objectAcl: Acl, rootAcl: Acl): Permissions {
    const named = (acl: Acl, name: string | undefined) => acl.find(each => each.userName === name)
    const own = named(objectAcl, caller.name) ?? named(rootAcl, caller.name)
    if (own) return permissionsOf(permission => own[permission])
    const everybody = named(objectAcl, 'default') ?? named(rootAcl, 'default') ?? fallback
    const inGroups = (acl: Acl) =>
      acl.filter(each => caller.groups.includes(each.userName.replace(/^g:/, '')))
    const groups = inGroups(objectAcl).length > 0 ? inGroups(objectAcl) : inGroups(rootAcl)
    return permissionsOf(permission => everybody[permission] || groups.some(each => each[permission]))
  }

  function* subsets<T>(all: readonly T[]): Generator<T[]> {
    for (let bits = 0; bits < 1 << all.length; bits++) yield all.filter((_, index) => bits & (1 << index))
  }

  it.each(Object.entries(callers))('every combination of items, asked by %s', (_, caller) => {
    let combinations = 0
    for (const object of subsets(Object.values(onObject))) {
      for (const root of subsets(Object.values(onRoot))) {
        for (const others of subsets(strangers)) {
          // The order of the items in a list must not matter.
          const lists: [Acl, Acl] = [
            [...others, ...object],
            [...root.toReversed(), ...others],
          ]
          const {
            create,
            read,
            update,
            delete: del,
            readACL,
            updateACL,
          } = effectiveItem(caller, ...lists, fallback)
          expect({ create, read, update, delete: del, readACL, updateACL }).toEqual(naive(caller, ...lists))
          combinations++
        }
      }
    }
    expect(combinations).toBe(8 * 8 * 4)
  })

  it.each<[string, Acl, Acl, string]>([
    ['the own item on the object', [onObject.own, onObject.default], [onRoot.own], 'ann'],
    ['the own item on the root group', [onObject.default], [onRoot.own], 'ann'],
    ['the default item on the object', [onObject.group, onObject.default], [onRoot.group], 'default'],
    [
      'the default item on the root group, to which the group of the user adds',
      [onObject.group],
      [onRoot.default],
      'default',
    ],
    ['the default item on the root group', [], [onRoot.default], 'default'],
    ['the built-in default', [], [], 'default'],
  ])('the effective item is named after what matched: %s', (_, objectAcl, rootAcl, expected) => {
    expect(effectiveItem({ name: 'ann', groups: ['lab'] }, objectAcl, rootAcl, fallback).userName).toBe(
      expected,
    )
  })

  it.each(['default', 'g:lab'])('a caller with the name %s has no own item', name => {
    const objectAcl = [item('g:office', 'read')]
    const rootAcl = [item('default', 'update'), item('g:lab', ...PERMISSIONS)]
    const { userName, ...permissions } = effectiveItem(
      { name, groups: ['office'] },
      objectAcl,
      rootAcl,
      fallback,
    )
    expect(userName).toBe('default')
    expect(permissions).toEqual(only('read', 'update'))
  })

  it("an item of the caller's group never removes a permission that everybody has", () => {
    const bob = { ...BOB, groups: ['lab'] }
    const permissions = effectiveItem(bob, [item('g:lab', 'update')], [item('default', 'read')], fallback)
    expect(permissions).toMatchObject(only('read', 'update'))
  })
})

describe('denial', () => {
  it('an administrator passes whatever the lists say', () => {
    const domain = domainOf([{ userName: 'root', ...NO_PERMISSIONS }], { closed: true })
    for (const permission of PERMISSIONS)
      requirePermission(contextOf(ADMIN, NO_PERMISSIONS), permission, domain)
  })

  it('in a closed domain, a user without an item has no permission', () => {
    const domain = domainOf([item('ann', 'read')], { closed: true })
    expect(outcome(() => requirePermission(contextOf(ANN), 'read', domain))).toBe('granted')
    expect(outcome(() => requirePermission(contextOf(BOB), 'read', domain))).toBe('permission-denied')
    expect(outcome(() => requirePermission(contextOf(ANONYMOUS), 'read', domain))).toBe('not-authenticated')
  })

  it('in an open domain, the setting decides for a user without an item', () => {
    const domain = domainOf([item('ann', 'read')])
    expect(outcome(() => requirePermission(contextOf(BOB, only('read')), 'read', domain))).toBe('granted')
    expect(outcome(() => requirePermission(contextOf(BOB, only('read')), 'update', domain))).toBe(
      'permission-denied',
    )
  })

  it('the message names the permission, the user and the object', () => {
    const domain = domainOf([item('default')])
    const id = idFromHex('0123456789abcdef0123456789abcdef')
    expect(() =>
      requirePermission(contextOf(ANN), 'update', domain, { kind: 'dataset', id, acl: [] }),
    ).toThrow(
      'ann has no permission "update" on the dataset 0123456789abcdef0123456789abcdef of the domain /test/run7',
    )
    expect(() => requirePermission(contextOf(ANONYMOUS), 'read', domain)).toThrow(
      '"read" on the root group of the domain /test/run7 is not public: send credentials',
    )
  })

  it.each<[string, Acl | undefined, Permissions, string]>([
    ['its list, if it has one', [item('default', 'read')], NO_PERMISSIONS, 'granted'],
    ['its list, if it has one', [], ALL_PERMISSIONS, 'not-authenticated'],
    ['the setting, if no folder has a list', undefined, only('read'), 'granted'],
    ['the setting, if no folder has a list', undefined, NO_PERMISSIONS, 'not-authenticated'],
  ])('a folder is under %s', (_, acl, defaultAcl, expected) => {
    const context = contextOf(ANONYMOUS, defaultAcl)
    expect(outcome(() => requireFolderPermission(context, 'read', parseDomainPath('/home'), acl))).toBe(
      expected,
    )
  })

  it('only an administrator passes requireAdmin', () => {
    const outcomes = [ANONYMOUS, ANN, ADMIN].map(caller =>
      outcome(() => requireAdmin(contextOf(caller), 'create a domain at the top level')),
    )
    expect(outcomes).toEqual(['not-authenticated', 'permission-denied', 'granted'])
  })

  it('a read-only domain refuses writes, an other one does not', () => {
    expect(outcome(() => requireWritable(domainOf([], { readOnly: true })))).toBe('domain-read-only')
    expect(outcome(() => requireWritable(domainOf([])))).toBe('granted')
  })
})
