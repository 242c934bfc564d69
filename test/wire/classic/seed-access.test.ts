// The specification line by line, part 3: access control lists and permissions (sections 2.3 and 5).

import { describe, expect, test } from 'vitest'
import { ADMIN, type Options, USER1, USER2 } from '../client.ts'
import { type Domain, expectRefusal, newDomain } from './domain.ts'

const FLAGS = ['create', 'read', 'update', 'delete', 'readACL', 'updateACL'] as const
const ALL = Object.fromEntries(FLAGS.map(flag => [flag, true]))
const NONE = Object.fromEntries(FLAGS.map(flag => [flag, false]))

const ANONYMOUS: Options = {}
const USER_A: Options = { user: USER1 }
const USER_B: Options = { user: USER2 }

async function putAcl(domain: Domain, object: string, user: string, item: object): Promise<void> {
  await domain.want(201, 'PUT', `${object}/acls/${user}`, item, { user: ADMIN })
}

describe('specification 2.3, items', () => {
  test('classic 10b: an item has a user name and the six flags, under exactly seven keys', async () => {
    const domain = await newDomain()
    await putAcl(domain, '', USER1, { read: true, updateACL: true })
    const { acl } = await domain.want<{ acl: object }>(200, 'GET', `/acls/${USER1}`)
    expect(acl).toEqual({ ...NONE, userName: USER1, read: true, updateACL: true })
  })

  test.each([
    ['group', (domain: Domain) => domain.group('o').then(id => `/groups/${id}`)],
    ['dataset', (domain: Domain) => domain.dataset({ type: 'H5T_STD_I8LE' }).then(id => `/datasets/${id}`)],
    [
      'committed type',
      (domain: Domain) => domain.datatype({ type: 'H5T_STD_I8LE' }).then(id => `/datatypes/${id}`),
    ],
  ])('a list belongs to a %s, and its attributes use it', async (_kind, make) => {
    const domain = await newDomain()
    const object = await make(domain)
    await domain.want(201, 'PUT', `${object}/attributes/a`, { type: 'H5T_STD_I8LE', value: 1 })
    await putAcl(domain, object, 'default', NONE)
    await domain.refuse(401, 'GET', object)
    await domain.refuse(401, 'GET', `${object}/attributes`)
    await domain.refuse(401, 'GET', `${object}/attributes/a`)
    await domain.want(200, 'GET', '/groups')
  })

  test('classic 6.5g: operations on links use the list of the group that they belong to', async () => {
    const domain = await newDomain()
    const group = await domain.group('g')
    const inner = await domain.group('inner', group)
    await putAcl(domain, `/groups/${group}`, 'default', NONE)
    await domain.refuse(401, 'GET', `/groups/${group}/links`)
    await domain.refuse(401, 'GET', `/groups/${group}/links/inner`)
    await domain.refuse(401, 'DELETE', `/groups/${group}/links/inner`)
    await domain.want(200, 'GET', `/groups/${inner}`)
  })

  test('operations on dataspaces, types and values use the list of the dataset', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: 'H5T_STD_I8LE', shape: [2], maxdims: [0] })
    await putAcl(domain, `/datasets/${id}`, 'default', NONE)
    for (const part of ['shape', 'type', 'value']) {
      await domain.refuse(401, 'GET', `/datasets/${id}/${part}`)
    }
    await domain.refuse(401, 'PUT', `/datasets/${id}/shape`, { shape: [3] })
    await domain.refuse(401, 'PUT', `/datasets/${id}/value`, { value: [3, 4] })
    await domain.refuse(401, 'POST', `/datasets/${id}/value`, { points: [0] })
  })
})

describe('specification 5, the caller', () => {
  test('rules 2 and 3: without Authorization the caller is the user default', async () => {
    const domain = await newDomain()
    await putAcl(domain, '', 'default', { ...NONE, read: true })
    await domain.want(200, 'GET', '/')
    await domain.refuse(401, 'POST', '/groups')
  })

  test('rule 3: default is every user that is not listed', async () => {
    const domain = await newDomain()
    await putAcl(domain, '', USER1, ALL)
    await putAcl(domain, '', 'default', { ...NONE, read: true })
    await domain.want(200, 'GET', '/', undefined, USER_B)
    await domain.refuse(403, 'POST', '/groups', undefined, USER_B)
    await domain.want(201, 'POST', '/groups', undefined, USER_A)
  })

  test('classic 13.2d: 401 when the caller has not identified itself, 403 when it has', async () => {
    const domain = await newDomain()
    await putAcl(domain, '', 'default', NONE)
    await domain.refuse(401, 'GET', '/')
    await domain.refuse(403, 'GET', '/', undefined, USER_A)
  })
})

/** specification 5.1: what each flag grants, as requests on a dataset `D` of a domain. */
const GRANTS: [string, (id: string) => Parameters<Domain['send']>][] = [
  ['read', id => ['GET', `/datasets/${id}`]],
  ['create', id => ['PUT', `/datasets/${id}/attributes/a`, { type: 'H5T_STD_I8LE', value: 1 }]],
  ['update', id => ['PUT', `/datasets/${id}/value`, { value: [1, 2] }]],
  ['delete', id => ['DELETE', `/datasets/${id}`]],
  ['readACL', id => ['GET', `/datasets/${id}/acls`]],
  ['updateACL', id => ['PUT', `/datasets/${id}/acls/${USER2}`, { read: true }]],
]

describe('specification 5.1, flags', () => {
  test.each(GRANTS)('%s grants its operations and nothing else does', async (flag, request) => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: 'H5T_STD_I8LE', shape: [2] })
    const [method, target, body] = request(id)
    await putAcl(domain, `/datasets/${id}`, USER1, { ...ALL, [flag]: false })
    await domain.refuse(403, method, target, body, USER_A)
    await putAcl(domain, `/datasets/${id}`, USER1, { ...NONE, [flag]: true })
    const reply = await domain.send(method, target, body, USER_A)
    expect([200, 201], reply.story).toContain(reply.status)
  })
})

describe('specification 5.3, the worked case', () => {
  const rows: [string, number, number, number, (id: string) => Parameters<Domain['send']>][] = [
    ['GET /datasets/<id>', 200, 200, 200, id => ['GET', `/datasets/${id}`]],
    [
      'classic 7.9c: POST /datasets/<id>/value',
      200,
      200,
      200,
      id => ['POST', `/datasets/${id}/value`, { points: [0, 1] }],
    ],
    ['PUT /datasets/<id>/shape', 401, 200, 200, id => ['PUT', `/datasets/${id}/shape`, { shape: [20] }]],
    [
      'PUT /datasets/<id>/attributes/<name>',
      401,
      403,
      201,
      id => ['PUT', `/datasets/${id}/attributes/a`, { type: 'H5T_STD_I32LE', value: 5 }],
    ],
    ['DELETE /datasets/<id>', 401, 403, 200, id => ['DELETE', `/datasets/${id}`]],
  ]
  test.each(rows)('%s: unauthenticated %i, user A %i, user B %i', async (_title, nobody, a, b, request) => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: 'H5T_STD_I32LE', shape: [10], maxdims: [0] })
    await putAcl(domain, `/datasets/${id}`, USER2, ALL)
    await putAcl(domain, `/datasets/${id}`, USER1, { ...NONE, read: true, update: true })
    await putAcl(domain, `/datasets/${id}`, 'default', { ...NONE, read: true })
    for (const [caller, status] of [
      [ANONYMOUS, nobody],
      [USER_A, a],
      [USER_B, b],
    ] as const) {
      const [method, target, body] = request(id)
      const reply = await domain.send(method, target, body, caller)
      expect(reply.status, reply.story).toBe(status)
      if (status >= 400) expectRefusal(reply, status)
    }
  })
})

/**
 * specification 5.4: which list entries exist (user on object, user on root, default on object, default on root) in
 * every combination, and which of them decides for a known user and for an anonymous caller. `-` is the built-in
 * default.
 */
const ENTRIES = ['user on object', 'user on root', 'default on object', 'default on root'] as const
const COMBINATIONS = Array.from({ length: 16 }, (_, bits) => ENTRIES.filter((_, i) => bits & (1 << i)))

describe('specification 5.4, the first rule that matches decides', () => {
  const rows = COMBINATIONS.map(
    present =>
      [
        present.join(', ') || 'no entry',
        present[0] ?? 'default_acl',
        present.find(entry => entry.startsWith('default')) ?? 'default_acl',
        present,
      ] as const,
  )
  test.each(rows)(
    'classic 13.2a: %s: for a user %s, for anybody else %s',
    async (_title, forUser, forAnybody, present) => {
      const domain = await newDomain()
      const id = await domain.group('o')
      const entries: Readonly<Record<(typeof ENTRIES)[number], [string, string]>> = {
        'user on object': [`/groups/${id}`, USER1],
        'user on root': ['', USER1],
        'default on object': [`/groups/${id}`, 'default'],
        'default on root': ['', 'default'],
      }
      for (const granting of [true, false]) {
        for (const [caller, winner, denial] of [
          [USER_A, forUser, 403],
          [ANONYMOUS, forAnybody, 401],
        ] as const) {
          // The entry that should win says one thing, all others the opposite.
          for (const entry of present) {
            await putAcl(domain, ...entries[entry], { ...ALL, read: (entry === winner) === granting })
          }
          const reply = await domain.send('GET', `/groups/${id}`, undefined, caller)
          const allowed = winner === 'default_acl' || granting
          expect(reply.status, `${winner} decides; ${reply.story}`).toBe(allowed ? 200 : denial)
        }
      }
    },
  )

  test('classic 6.3e: a list on the root group applies to every resource in the domain', async () => {
    const domain = await newDomain()
    const group = await domain.group('g')
    const dataset = await domain.dataset({ type: 'H5T_STD_I8LE' })
    const datatype = await domain.datatype({ type: 'H5T_STD_I8LE' })
    await putAcl(domain, '', 'default', NONE)
    for (const object of [`/groups/${group}`, `/datasets/${dataset}`, `/datatypes/${datatype}`]) {
      await domain.refuse(401, 'GET', object)
      await domain.refuse(403, 'GET', object, undefined, USER_A)
    }
  })
})
