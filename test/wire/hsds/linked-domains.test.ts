// Domains with one root group: a second name, and moving by one (hsds-objects 8.3 and 8.4).

import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ADMIN, send, USER1, USER2 } from '../client.ts'
import { type Domain, expectRefusal, HOME, makeHome, newDomain, newPath, removeDomain } from './domain.ts'

beforeAll(makeHome)

const get = (path: string, user = USER1) => send('GET', `/?domain=${path}`, undefined, { user })
const create = (body: object, path = newPath(), user = USER1) => {
  onTestFinished(() => removeDomain(path))
  return send('PUT', `/?domain=${path}`, body, { user })
}
const remove = (path: string, query = '', body?: object) =>
  send('DELETE', `/?domain=${path}${query}`, body, { user: USER1 })

async function linkTo(domain: Domain): Promise<string> {
  const path = newPath()
  const reply = await create({ linked_domain: domain.path }, path)
  expect(reply.status, reply.story).toBe(201)
  expect(reply.json()).toMatchObject({ root: domain.root, owner: USER1 })
  return path
}

describe('hsds-objects 8.3: linked_domain', () => {
  test('two names show the same contents, and the same access control list', async () => {
    const domain = await newDomain()
    const path = await linkTo(domain)
    const group = await domain.group('g')
    const there = await send('GET', `/groups/${group}?domain=${path}`, undefined, { user: USER1 })
    expect(there.json()).toMatchObject({ id: group, root: domain.root, domain: path })
    const put = await send('PUT', `/acls/${USER2}?domain=${path}`, { read: true }, { user: USER1 })
    expect(put.status, put.story).toBe(201)
    expect((await get(domain.path, USER2)).status).toBe(200)
    expect((await get(path, 'admin')).json()).toMatchObject({ root: domain.root, class: 'domain' })
    const created = await send(
      'POST',
      `/groups?domain=${path}`,
      { link: { id: domain.root, name: 'h' } },
      { user: USER1 },
    )
    expect(created.status, created.story).toBe(201)
    expect((await domain.want(200, 'GET', `/groups/${domain.root}`)).linkCount).toBe(2)
  })

  test('every caller that is not listed stays out of the second name too', async () => {
    const path = await linkTo(await newDomain())
    expectRefusal(await get(path, USER2), 403)
  })

  test.each<[number, string, object]>([
    [400, 'a folder', { linked_domain: HOME }],
    [400, 'no path', { linked_domain: 'x' }],
    [400, 'no text', { linked_domain: 7 }],
    [400, 'null', { linked_domain: null }],
    [404, 'nothing', { linked_domain: `${HOME}/none` }],
  ])('%i: %s', async (status, _, body) => {
    const path = newPath()
    expectRefusal(await create(body, path), status)
    expectRefusal(await get(path), 404)
  })

  test('400 for a folder or a root_id beside it, and an unknown bucket is refused', async () => {
    const { path: linked_domain } = await newDomain()
    expectRefusal(await create({ linked_domain, folder: true }), 400)
    const root_id = 'g-01234567-89abcdef-fedc-ba9876-543210'
    expectRefusal(await create({ linked_domain, root_id }), 400)
    expectRefusal(await create({ linked_domain, linked_bucket: 'no such bucket' }), 400)
    expectRefusal(await create({ linked_domain, linked_bucket: 'unknown' }), 404)
    expectRefusal(await create({ linked_domain, linked_bucket: 1 }), 400)
  })

  test('409 where something is already, itself too; 410 for what was deleted', async () => {
    const domain = await newDomain()
    const other = await newDomain()
    expectRefusal(await create({ linked_domain: domain.path }, other.path), 409)
    expectRefusal(await create({ linked_domain: domain.path }, domain.path), 409)
    expect(await other.want(200, 'GET', '/')).toMatchObject({ root: other.root })
    await domain.want(200, 'DELETE', '/')
    expectRefusal(await create({ linked_domain: domain.path }), 410)
  })

  test('read and delete on the other domain are needed, and create where the name is to be', async () => {
    const domain = await newDomain()
    const folder = newPath()
    await send('PUT', `/?domain=${folder}`, { folder: true, owner: USER2 }, { user: ADMIN })
    const link = () => create({ linked_domain: domain.path }, `${folder}/x`, USER2)
    expectRefusal(await link(), 403)
    for (const rights of [{ read: true }, { delete: true }]) {
      await domain.want(201, 'PUT', `/acls/${USER2}`, rights)
      if (!('delete' in rights)) expectRefusal(await link(), 403)
    }
    const reply = await link()
    expect(reply.status, reply.story).toBe(201)
    expect(reply.json()).toMatchObject({ root: domain.root, owner: USER2 })
    expectRefusal(await create({ linked_domain: domain.path }, newPath(), USER2), 403)
    onTestFinished(() => removeDomain(folder))
  })
})

describe('hsds-objects 8.4: deleting one of several names', () => {
  test.each(['', '&keep_root=1'])('the contents stay for the others, and go with the last%s', async query => {
    const domain = await newDomain()
    const path = await linkTo(domain)
    const group = await domain.group('g')
    expect((await remove(domain.path, query)).status).toBe(200)
    await domain.refuse(410, 'GET', '/')
    await domain.refuse(410, 'GET', `/groups/${group}`)
    const there = () => send('GET', `/groups/${group}?domain=${path}`, undefined, { user: USER1 })
    expect((await there()).status).toBe(200)
    expect((await remove(path)).status).toBe(200)
    expectRefusal(await there(), 410)
    // Nothing is left of it: the root may be used anew.
    const again = await create({ root_id: domain.root })
    expect(again.status, again.story).toBe(201)
    expect(again.json()).toMatchObject({ root: domain.root })
  })

  test('root_id of another domain is taken, under any name', async () => {
    const domain = await newDomain()
    const path = await linkTo(domain)
    expectRefusal(await create({ root_id: domain.root }), 409)
    expect((await remove(domain.path)).status).toBe(200)
    expectRefusal(await create({ root_id: domain.root }), 409)
    expect((await get(path)).status).toBe(200)
  })

  test.each<[string, object | undefined]>([
    ['&keep_root=1', undefined],
    ['', { keep_root: 1 }],
    ['&keep_root=0', { keep_root: true }],
  ])(
    'keep_root of the only name is 409: the contents could not be found again (%s %j)',
    async (query, body) => {
      const domain = await newDomain()
      expectRefusal(await remove(domain.path, query, body), 409)
      expect(await domain.want(200, 'GET', '/')).toMatchObject({ root: domain.root })
    },
  )

  test('a body replaces the options of the query', async () => {
    for (const body of [{}, { keep_root: 0 }, { meta_only: false }]) {
      const domain = await newDomain()
      expect((await remove(domain.path, '&keep_root=1&meta_only=1', body)).status).toBe(200)
      await domain.refuse(410, 'GET', '/')
    }
  })

  test('meta_only deletes nothing, and needs delete', async () => {
    const domain = await newDomain()
    await domain.group('g')
    expect((await remove(domain.path, '&meta_only=1')).status).toBe(200)
    expect((await remove(domain.path, '', { meta_only: true, keep_root: 1 })).status).toBe(200)
    expect((await domain.want(200, 'GET', `/groups/${domain.root}`)).linkCount).toBe(1)
    await domain.refuse(403, 'DELETE', '/?meta_only=1', undefined, { user: USER2 })
    expectRefusal(await remove(newPath(), '&meta_only=1'), 404)
    expect((await remove(HOME, '&meta_only=1')).status).toBe(200)
    expect((await get(HOME)).status).toBe(200)
  })

  test('a domain moves: a second name, then the first one goes; and back', async () => {
    const domain = await newDomain()
    const group = await domain.group('g')
    let [from, to] = [domain.path, newPath()]
    for (let moves = 0; moves < 3; moves++) {
      expect((await create({ linked_domain: from }, to)).status).toBe(201)
      expect((await remove(from, '&keep_root=1')).status).toBe(200)
      expectRefusal(await get(from), 410)
      const there = await send('GET', `/groups/${group}?domain=${to}`, undefined, { user: USER1 })
      expect(there.status, there.story).toBe(200)
      ;[from, to] = [to, from]
    }
  })

  test('of two names that are deleted at once one is the last', async () => {
    for (let round = 0; round < 5; round++) {
      const domain = await newDomain()
      const paths = [domain.path, await linkTo(domain), await linkTo(domain)]
      const replies = await Promise.all(paths.map(path => remove(path)))
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
      const again = await create({ root_id: domain.root })
      expect(again.status, again.story).toBe(201)
    }
  })
})
