// Another path for domains and folders (hsds-objects 8.3: moved_from). The rules of permissions are tested in
// packages/server/service/domains.

import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ADMIN, type Reply, send, USER1, USER2, uniqueName } from '../client.ts'
import { expectRefusal, HOME, makeHome, newDomain, newPath, removeDomain } from './domain.ts'

beforeAll(makeHome)

const get = (path: string, query = '') =>
  send('GET', `/?domain=${encodeURIComponent(path)}${query}`, undefined, { user: USER1 })

function put(path: string, body: object, user = USER1): Promise<Reply> {
  onTestFinished(() => removeDomain(path))
  return send('PUT', `/?domain=${encodeURIComponent(path)}`, body, { user })
}

async function newFolder(): Promise<string> {
  const path = `${HOME}/${uniqueName()}`
  expect((await put(path, { folder: true })).status).toBe(201)
  return path
}

describe('hsds-objects 8.3: moved_from', () => {
  test('a domain has another path, and is the same', async () => {
    const domain = await newDomain()
    const group = await domain.group('g')
    const to = `${await newFolder()}/測定 &.h5`
    const moved = await put(to, { moved_from: domain.path })
    expect(moved.status, moved.story).toBe(201)
    expect(moved.json()).toMatchObject({ root: domain.root, owner: USER1, class: 'domain' })
    expect((await get(to, '&h5path=/g')).json()).toMatchObject({ id: group })
    expectRefusal(await get(domain.path), 410)
  })

  test('a folder moves with all that is in it', async () => {
    const [from, above] = [await newFolder(), await newFolder()]
    await put(`${from}/below`, { folder: true })
    const inner = await newDomain(`${from}/below/x.h5`)
    const to = `${above}/moved`
    for (const path of [`${to}/below/x.h5`, `${to}/below`]) onTestFinished(() => removeDomain(path))
    const moved = await put(to, { moved_from: from })
    expect(moved.status, moved.story).toBe(201)
    expect(moved.json()).toMatchObject({ class: 'folder', owner: USER1 })
    expect((await get(`${to}/below/x.h5`)).json()).toMatchObject({ root: inner.root })
    const listed = await send('GET', `/domains?domain=${above}/`, undefined, { user: USER1 })
    expect(listed.json().domains).toMatchObject([{ name: to, class: 'folder' }])
    for (const path of [from, `${from}/below`, inner.path]) expectRefusal(await get(path), 410)
  })

  test('what cannot move stays', async () => {
    const domain = await newDomain()
    const taken = await newDomain()
    const to = newPath()
    expectRefusal(await put(taken.path, { moved_from: domain.path }), 409)
    expectRefusal(await put(`${HOME}/none/x.h5`, { moved_from: domain.path }), 404)
    expectRefusal(await put(to, { moved_from: newPath() }), 404)
    expectRefusal(await put(`${HOME}/x`, { moved_from: HOME }), 400)
    expectRefusal(await put(to, { moved_from: domain.path }, USER2), 403)
    expectRefusal(await put(`/${uniqueName()}`, { moved_from: domain.path }), 403)
    expectRefusal(await put(to, { moved_from: '/' }), 403)
    for (const moved_from of ['', 'x', 7, null]) expectRefusal(await put(to, { moved_from }), 400)
    for (const other of [{ folder: true }, { owner: USER2 }, { linked_domain: taken.path }])
      expectRefusal(await put(to, { moved_from: domain.path, ...other }), 400)
    expect((await get(domain.path)).json()).toMatchObject({ root: domain.root })
    expectRefusal(await get(to), 404)
  })

  test('a top-level folder is moved by administrators', async () => {
    const [from, to] = [`/${uniqueName()}`, `/${uniqueName()}`]
    expect((await put(from, { folder: true, owner: USER1 }, ADMIN)).status).toBe(201)
    expectRefusal(await put(to, { moved_from: from }), 403)
    expectRefusal(await put(`${HOME}/${uniqueName()}`, { moved_from: from }), 403)
    const moved = await put(to, { moved_from: from }, ADMIN)
    expect(moved.status, moved.story).toBe(201)
    expect(moved.json()).toMatchObject({ owner: USER1 })
  })
})
