// The permission matrix: every route of classic 2, for every kind of caller. A route needs one flag in
// the list of one object; without it a caller is refused, 401 when anonymous and 403 when known (13.2), whatever
// else it may do.

import { describe, expect, test } from 'vitest'
import { type Domain, expectRefusal, newDomain } from './classic/domain.ts'
import { ADMIN, type Method, type Options, type Reply, USER1, USER2 } from './client.ts'

const FLAGS = ['create', 'read', 'update', 'delete', 'readACL', 'updateACL'] as const
type Flag = (typeof FLAGS)[number]
type ObjectName = 'root' | 'group' | 'dataset' | 'datatype'
const COLLECTIONS = { root: 'groups', group: 'groups', dataset: 'datasets', datatype: 'datatypes' } as const

interface Route {
  /** The row of classic 2. */
  readonly row: number
  readonly method: Method
  /** ROOT, GROUP, DATASET and DATATYPE represent the ids of the domain's objects. */
  readonly path: string
  readonly body?: object
  readonly success: 200 | 201
  /** The flag, and the object whose list must grant it; absent: open to everybody. */
  readonly needs?: readonly [Flag, ObjectName]
}

const I8 = 'H5T_STD_I8LE'

const ROUTES: readonly Route[] = [
  { row: 1, method: 'GET', path: '/info', success: 200 },
  { row: 2, method: 'GET', path: '/', success: 200, needs: ['read', 'root'] },
  { row: 4, method: 'DELETE', path: '/', success: 200, needs: ['delete', 'root'] },
  { row: 5, method: 'GET', path: '/groups', success: 200, needs: ['read', 'root'] },
  { row: 6, method: 'POST', path: '/groups', success: 201, needs: ['create', 'root'] },
  { row: 7, method: 'GET', path: '/groups/GROUP', success: 200, needs: ['read', 'group'] },
  { row: 8, method: 'DELETE', path: '/groups/GROUP', success: 200, needs: ['delete', 'group'] },
  { row: 9, method: 'GET', path: '/groups/GROUP/links', success: 200, needs: ['read', 'group'] },
  { row: 10, method: 'GET', path: '/groups/GROUP/links/l', success: 200, needs: ['read', 'group'] },
  {
    row: 11,
    method: 'PUT',
    path: '/groups/GROUP/links/n',
    body: { h5path: '/' },
    success: 201,
    needs: ['create', 'group'],
  },
  { row: 12, method: 'DELETE', path: '/groups/GROUP/links/l', success: 200, needs: ['delete', 'group'] },
  { row: 13, method: 'GET', path: '/datasets', success: 200, needs: ['read', 'root'] },
  { row: 14, method: 'POST', path: '/datasets', body: { type: I8 }, success: 201, needs: ['create', 'root'] },
  { row: 15, method: 'GET', path: '/datasets/DATASET', success: 200, needs: ['read', 'dataset'] },
  { row: 16, method: 'DELETE', path: '/datasets/DATASET', success: 200, needs: ['delete', 'dataset'] },
  { row: 17, method: 'GET', path: '/datasets/DATASET/shape', success: 200, needs: ['read', 'dataset'] },
  {
    row: 18,
    method: 'PUT',
    path: '/datasets/DATASET/shape',
    body: { shape: [3] },
    success: 200,
    needs: ['update', 'dataset'],
  },
  { row: 19, method: 'GET', path: '/datasets/DATASET/type', success: 200, needs: ['read', 'dataset'] },
  { row: 20, method: 'GET', path: '/datasets/DATASET/value', success: 200, needs: ['read', 'dataset'] },
  {
    row: 21,
    method: 'POST',
    path: '/datasets/DATASET/value',
    body: { points: [0] },
    success: 200,
    needs: ['read', 'dataset'],
  },
  {
    row: 22,
    method: 'PUT',
    path: '/datasets/DATASET/value',
    body: { value: [1, 2] },
    success: 200,
    needs: ['update', 'dataset'],
  },
  { row: 23, method: 'GET', path: '/datatypes', success: 200, needs: ['read', 'root'] },
  {
    row: 24,
    method: 'POST',
    path: '/datatypes',
    body: { type: I8 },
    success: 201,
    needs: ['create', 'root'],
  },
  { row: 25, method: 'GET', path: '/datatypes/DATATYPE', success: 200, needs: ['read', 'datatype'] },
  { row: 26, method: 'DELETE', path: '/datatypes/DATATYPE', success: 200, needs: ['delete', 'datatype'] },
  ...perObject(27, object => ({ method: 'GET', path: `${object}/attributes`, success: 200, flag: 'read' })),
  ...perObject(30, object => ({ method: 'GET', path: `${object}/attributes/a`, success: 200, flag: 'read' })),
  ...perObject(33, object => ({
    method: 'PUT',
    path: `${object}/attributes/n`,
    body: { type: I8, value: 1 },
    success: 201,
    flag: 'create',
  })),
  ...perObject(36, object => ({
    method: 'DELETE',
    path: `${object}/attributes/a`,
    success: 200,
    flag: 'delete',
  })),
  { row: 39, method: 'GET', path: '/acls', success: 200, needs: ['readACL', 'root'] },
  { row: 40, method: 'GET', path: '/acls/default', success: 200, needs: ['readACL', 'root'] },
  {
    row: 41,
    method: 'PUT',
    path: `/acls/${USER2}`,
    body: { create: true },
    success: 201,
    needs: ['updateACL', 'root'],
  },
  ...perObject(42, object => ({ method: 'GET', path: `${object}/acls`, success: 200, flag: 'readACL' })),
  ...perObject(45, object => ({
    method: 'GET',
    path: `${object}/acls/default`,
    success: 200,
    flag: 'readACL',
  })),
  ...perObject(48, object => ({
    method: 'PUT',
    path: `${object}/acls/${USER2}`,
    body: { create: true },
    success: 201,
    flag: 'updateACL',
  })),
  ...perObject(51, object => ({
    method: 'PUT',
    path: `${object}/acls`,
    body: { acls: [{ userName: USER2, create: true }] },
    success: 200,
    flag: 'updateACL',
  })),
  {
    row: 54,
    method: 'PUT',
    path: '/acls',
    body: { acls: [{ userName: USER2, create: true }] },
    success: 200,
    needs: ['updateACL', 'root'],
  },
  { row: 55, method: 'DELETE', path: '/acls/default', success: 200, needs: ['updateACL', 'root'] },
  ...perObject(56, object => ({
    method: 'DELETE',
    path: `${object}/acls/default`,
    success: 200,
    flag: 'updateACL',
  })),
]

/** Three rows: the same route on a group, a dataset and a datatype. */
function perObject(
  firstRow: number,
  route: (object: string) => Omit<Route, 'row' | 'needs'> & { readonly flag: Flag },
): Route[] {
  const objects = ['group', 'dataset', 'datatype'] as const
  return objects.map((object, i) => {
    const { flag, ...rest } = route(`/${COLLECTIONS[object]}/${object.toUpperCase()}`)
    return { ...rest, row: firstRow + i, needs: [flag, object] }
  })
}

interface Place {
  readonly domain: Domain
  readonly ids: Readonly<Record<ObjectName, string>>
}

/** A domain with one object of each kind, each with an attribute `a`, and a link `l` in the group. */
async function furnished(): Promise<Place> {
  const domain = await newDomain()
  const ids = {
    root: domain.root,
    group: await domain.group('group'),
    dataset: await domain.dataset({ type: I8, shape: [2], maxdims: [0] }),
    datatype: await domain.datatype({ type: I8 }),
  }
  await domain.want(201, 'PUT', `/groups/${ids.group}/links/l`, { h5path: '/x' })
  for (const object of ['group', 'dataset', 'datatype'] as const) {
    const path = `/${COLLECTIONS[object]}/${ids[object]}/attributes/a`
    await domain.want(201, 'PUT', path, { type: I8, value: 1 })
  }
  return { domain, ids }
}

function sendRoute({ domain, ids }: Place, route: Route, caller: Options): Promise<Reply> {
  const path = route.path.replace(
    /ROOT|GROUP|DATASET|DATATYPE/,
    name => ids[name.toLowerCase() as ObjectName],
  )
  return domain.send(route.method, path, route.body, caller)
}

/** Says what test_user1 may do with an object; everybody else may do nothing with it. */
async function permit({ domain, ids }: Place, object: ObjectName, granted: readonly Flag[]): Promise<void> {
  const path = `/${COLLECTIONS[object]}/${ids[object]}/acls`
  const item = (flags: readonly Flag[]) => Object.fromEntries(FLAGS.map(flag => [flag, flags.includes(flag)]))
  await domain.want(201, 'PUT', `${path}/${USER1}`, item(granted), { user: ADMIN })
  await domain.want(201, 'PUT', `${path}/default`, item([]), { user: ADMIN })
}

test('the table has every route of classic 2, once; PUT / has no list (row 3)', () => {
  const rows = ROUTES.map(route => route.row).sort((a, b) => a - b)
  expect(rows).toEqual(Array.from({ length: 58 }, (_, i) => i + 1).filter(row => row !== 3))
})

describe.each(ROUTES)('row $row: $method $path', route => {
  const { needs } = route
  if (needs === undefined) {
    test('needs no permission', async () => {
      const reply = await sendRoute(await furnished(), route, {})
      expect(reply.status, reply.story).toBe(route.success)
    })
    return
  }
  const [flag, object] = needs

  test(`needs ${flag} on the ${object}: anonymous 401, a known user 403, with all other flags 403, with it alone ${route.success}`, async () => {
    const place = await furnished()
    await permit(
      place,
      object,
      FLAGS.filter(other => other !== flag),
    )
    expectRefusal(await sendRoute(place, route, {}), 401)
    expectRefusal(await sendRoute(place, route, { user: USER2 }), 403)
    expectRefusal(await sendRoute(place, route, { user: USER1 }), 403)
    await permit(place, object, [flag])
    expectRefusal(await sendRoute(place, route, {}), 401)
    const reply = await sendRoute(place, route, { user: USER1 })
    expect(reply.status, reply.story).toBe(route.success)
  })
})

describe.each([
  ['POST /groups', '/groups', {}],
  ['POST /datasets', '/datasets', { type: I8 }],
  ['POST /datatypes', '/datatypes', { type: I8 }],
])('%s with a link', (_title, path, body) => {
  test('needs create on the root group and on the group that gets the link', async () => {
    const place = await furnished()
    const { domain, ids } = place
    const linked = { ...body, link: { id: ids.group, name: 'n' } }
    const user1 = { user: USER1 }
    await permit(place, 'root', ['create', 'read'])
    await permit(
      place,
      'group',
      FLAGS.filter(flag => flag !== 'create'),
    )
    await domain.refuse(403, 'POST', path, linked, user1)
    await permit(
      place,
      'root',
      FLAGS.filter(flag => flag !== 'create'),
    )
    await permit(place, 'group', ['create'])
    await domain.refuse(403, 'POST', path, linked, user1)
    await domain.refuse(401, 'POST', path, linked)
    await permit(place, 'root', ['create'])
    await domain.want(201, 'POST', path, linked, user1)
  })
})
