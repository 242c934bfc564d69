// Features that only an imported file can have, in the classic dialect: user-defined links (specification 2.2, 4.2 rule
// 4; classic 6.5 to 6.8), and read-only domains (classic 3.11). Left out when the server under test is another one,
// which has not imported the file.

import { describe, expect, inject, test } from 'vitest'
import { BASE_DOMAIN, type Fields, send, USER1 } from '../client.ts'
import { type Domain, domainAt, hrefTable, withHost } from './domain.ts'

/** A domain that the setup has imported; it belongs to all tests, so no test changes it. */
async function imported(label: string): Promise<Domain> {
  const host = `${label}.test.${BASE_DOMAIN}`
  const reply = await send('GET', '/', undefined, withHost(host))
  expect(reply.status, reply.story).toBe(200)
  return domainAt(host, reply.json<{ root: string }>().root)
}

async function idOf(domain: Domain, title: string): Promise<string> {
  const path = `/groups/${domain.root}/links/${title}`
  return (await domain.want<{ link: { id: string } }>(200, 'GET', path)).link.id
}

describe.skipIf(!inject('imported'))('user-defined links', () => {
  test('classic 6.6c: specification 4.2 rule 4: only title and class; hrefs self, root, home, owner and no target', async () => {
    const domain = await imported('imported')
    const body = await domain.want(200, 'GET', `/groups/${domain.root}/links/udlink`)
    expect(body.link).toEqual({ title: 'udlink', class: 'H5L_TYPE_USER_DEFINED' })
    const owner = `${domain.base}/groups/${domain.root}`
    expect(hrefTable(body)).toEqual({
      self: `${owner}/links/udlink`,
      root: owner,
      home: `${domain.base}/`,
      owner,
    })
  })

  test('classic 6.5h: in a listing title, class and href', async () => {
    const domain = await imported('imported')
    const { links } = await domain.want<{ links: Fields[] }>(200, 'GET', `/groups/${domain.root}/links`)
    const href = `${domain.base}/groups/${domain.root}/links/udlink`
    expect(links.find(link => link.title === 'udlink')).toEqual({
      title: 'udlink',
      class: 'H5L_TYPE_USER_DEFINED',
      href,
    })
  })

  test('classic 6.7 and 6.8: its name is taken, and it cannot be deleted', async () => {
    const domain = await imported('imported')
    const path = `/groups/${domain.root}/links/udlink`
    await domain.refuse(409, 'PUT', path, { h5path: '/x' })
    await domain.refuse(403, 'DELETE', path)
    await domain.want(200, 'GET', path)
  })
})

describe.skipIf(!inject('imported'))('classic 3.11: a read-only domain', () => {
  test('classic 3.11a, 7.9d: serves all reads', async () => {
    const domain = await imported('imported_read_only')
    const dataset = await idOf(domain, 'dataset')
    for (const path of ['/', '/groups', '/datasets', '/datatypes', '/acls', `/groups/${domain.root}/links`]) {
      await domain.want(200, 'GET', path)
    }
    expect((await domain.want(200, 'GET', `/groups/${domain.root}/attributes/attribute`)).value).toBe(42)
    expect(await domain.value(dataset)).toEqual([1, 2, 3])
    const points = await domain.want(200, 'POST', `/datasets/${dataset}/value`, { points: [2] })
    expect(points.value).toEqual([3])
    const again = await imported('imported_read_only')
    expect([again.root, await idOf(again, 'dataset')]).toEqual([domain.root, dataset])
  })

  test('classic 3.11b, 5.3d: refuses every write with 403, also of known users', async () => {
    const domain = await imported('imported_read_only')
    const dataset = await idOf(domain, 'dataset')
    const group = await idOf(domain, 'group')
    for (const user of [undefined, USER1]) {
      for (const [method, path, body] of [
        ['DELETE', '/'],
        ['POST', '/groups', {}],
        ['POST', '/groups', { link: { id: group, name: 'n' } }],
        ['DELETE', `/groups/${group}`],
        ['PUT', `/groups/${group}/links/n`, { h5path: '/x' }],
        ['DELETE', `/groups/${domain.root}/links/group`],
        ['POST', '/datasets', { type: 'H5T_STD_I8LE' }],
        ['DELETE', `/datasets/${dataset}`],
        ['PUT', `/datasets/${dataset}/shape`, { shape: [4] }],
        ['PUT', `/datasets/${dataset}/value`, { value: [4, 5, 6] }],
        ['POST', '/datatypes', { type: 'H5T_STD_I8LE' }],
        ['PUT', `/groups/${group}/attributes/n`, { type: 'H5T_STD_I8LE', value: 1 }],
        ['DELETE', `/groups/${domain.root}/attributes/attribute`],
      ] as const) {
        await domain.refuse(403, method, path, body, { user })
      }
    }
    expect(await domain.value(dataset)).toEqual([1, 2, 3])
  })

  test('keeps its access control lists writable', async () => {
    const domain = await imported('imported_read_only')
    const group = await idOf(domain, 'group')
    await domain.want(201, 'PUT', `/groups/${group}/acls/${USER1}`, { read: true })
  })
})
