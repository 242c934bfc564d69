// Values of a dataset that a path names, in both dialects (common 32).

import { beforeAll, describe, expect, test } from 'vitest'
import { newDomain as newClassicDomain } from './classic/domain.ts'
import { USER2 } from './client.ts'
import { makeHome, newDomain as newHsdsDomain } from './hsds/domain.ts'

beforeAll(makeHome)

const NUMBERS = { type: 'H5T_STD_I32LE', shape: [6] }

describe.each([
  ['classic', newClassicDomain],
  ['hsds', newHsdsDomain],
] as const)('values by path in the %s dialect', (dialect, create) => {
  async function furnished() {
    const domain = await create()
    const id = await domain.dataset({ ...NUMBERS, link: { id: domain.root, name: 'a b' } })
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { value: [0, 1, 2, 3, 4, 5] })
    await domain.want(201, 'PUT', `/groups/${domain.root}/links/soft`, { h5path: '/a b' })
    return { ...domain, id }
  }

  test('are those of the request by id, in each form', async () => {
    const { send, id } = await furnished()
    const forms = ['', '&select=[1:6:2]', '&format=csv', '&format=npy', '&statistics=1']
    if (dialect === 'hsds') forms.push('&query=_%20>%203')
    for (const form of forms) {
      const byId = await send('GET', `/datasets/${id}/value?${form.slice(1)}`)
      for (const path of ['/a%20b', 'a%20b', '/soft']) {
        const byPath = await send('GET', `/value?h5path=${path}${form}`)
        expect(byPath.status, byPath.story).toBe(200)
        expect(byPath.bytes, byPath.story).toEqual(byId.bytes)
        expect(byPath.headers['content-type']).toBe(byId.headers['content-type'])
      }
    }
  })

  test('have an entity tag, which changes with the values and with the dataset at the path', async () => {
    const { send, want, dataset, root, id } = await furnished()
    const target = '/value?h5path=/soft&format=csv'
    const tagNow = async () => (await send('GET', target)).headers.etag ?? ''
    const first = await tagNow()
    expect((await send('HEAD', target)).headers.etag).toBe(first)
    const known = await send('GET', target, undefined, { headers: { 'if-none-match': first } })
    expect(known.status, known.story).toBe(304)
    await want(200, 'PUT', `/datasets/${id}/value`, { value: [9, 1, 2, 3, 4, 5] })
    const second = await tagNow()
    await want(200, 'DELETE', `/groups/${root}/links/soft`)
    await dataset({ ...NUMBERS, link: { id: root, name: 'soft' } })
    expect(new Set([first, second, await tagNow(), '']).size).toBe(4)
  })

  test.each([
    ['', 400, 'h5path'],
    ['?h5path=', 400, 'h5path'],
    ['?h5path=/none', 404, '/none'],
    ['?h5path=/a%20b/below', 404, '/a b/below'],
    ['?h5path=/', 404, 'only datasets have values'],
    ['?h5path=/soft&select=[7:9]', 400, '/soft'],
    ['?h5path=/soft&format=png&statistics=1', 406, '/soft'],
  ] as const)('/value%s is %i', async (query, status, words) => {
    const { send } = await furnished()
    const reply = await send('GET', `/value${query}`)
    expect(reply.status, reply.story).toBe(status)
    expect(reply.text).toContain(words)
  })

  test('come from another domain along an external link, with its hrefs', async () => {
    const { send, want, root } = await create()
    const other = await newHsdsDomain()
    await other.want(201, 'PUT', '/acls/default', { read: true })
    const id = await other.dataset({
      type: 'H5T_STD_I32LE',
      value: 42,
      link: { id: other.root, name: 'far' },
    })
    await want(201, 'PUT', `/groups/${root}/links/away`, { h5path: '/far', h5domain: other.path })
    const reply = await send('GET', '/value?h5path=/away')
    const { value, hrefs } = reply.json<{ value: number; hrefs: { rel: string; href: string }[] }>()
    expect(value, reply.story).toBe(42)
    const self = hrefs.find(({ rel }) => rel === 'self')?.href
    expect(self).toContain(other.path)
    if (dialect === 'hsds') expect(self).toContain(`/datasets/${id}/`)
  })

  test('need the permission to read', async () => {
    const { send, want } = await furnished()
    const none = {
      create: false,
      read: false,
      update: false,
      delete: false,
      readACL: false,
      updateACL: false,
    }
    await want(201, 'PUT', `/acls/${USER2}`, none)
    const reply = await send('GET', '/value?h5path=/soft', undefined, { user: USER2 })
    expect(reply.status, reply.story).toBe(403)
  })
})
