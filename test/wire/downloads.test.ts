// Domains as HDF5 files, in both dialects (common 13; docs/guide/exporting.md). What is in the files is compared with
// libhdf5 in test/h5py; here they are uploaded again.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { newDomain as newClassicDomain, withHost } from './classic/domain.ts'
import { BASE_DOMAIN, send, USER1, USER2 } from './client.ts'
import { expectRefusal, HOME, hostOf, makeHome, newDomain, newPath } from './hsds/domain.ts'

const FILE = 'application/x-hdf5'
const PADDED = fileURLToPath(new URL('./fixtures/padded-compound.h5', import.meta.url))
const SIGNATURE = Buffer.from('\x89HDF\r\n\x1a\n', 'latin1')

beforeAll(makeHome)

describe('a domain as a file', () => {
  test('has its length and a name, and is the same by Accept and by format, in both dialects', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({
      type: 'H5T_STD_I32LE',
      shape: [1000],
      link: { id: domain.root, name: 'é' },
    })
    await domain.want(200, 'PUT', `/datasets/${id}/value`, {
      value: Array.from({ length: 1000 }, (_, i) => i),
    })

    const accepted = await domain.send('GET', '/', undefined, {
      headers: { Accept: `text/html, ${FILE};q=0.9` },
    })
    const asked = await domain.send('GET', '/?format=hdf5')
    const options = withHost(hostOf(domain.path), { user: USER1 })
    const classic = await send('GET', '/?format=hdf5', undefined, options)

    expect(accepted.status, accepted.story).toBe(200)
    expect(accepted.headers['content-type']).toBe(FILE)
    expect(Number(accepted.headers['content-length'])).toBe(accepted.bytes.length)
    expect(accepted.bytes.subarray(0, 8)).toEqual(SIGNATURE)
    const name = domain.path.split('/').at(-1)
    expect(accepted.headers['content-disposition']).toContain(`attachment;filename="${name}"`)
    expect(asked.bytes.equals(accepted.bytes)).toBe(true)
    expect(classic.status, classic.story).toBe(200)
    expect(classic.bytes.equals(accepted.bytes)).toBe(true)
  })

  test('is JSON as before for other types, and with format=json', async () => {
    const domain = await newDomain()
    for (const Accept of ['*/*', 'application/json', 'application/octet-stream']) {
      await domain.want(200, 'GET', '/', undefined, { headers: { Accept } })
    }
    await domain.want(200, 'GET', '/?format=json', undefined, { headers: { Accept: FILE } })
    await domain.refuse(400, 'GET', '/?format=HDF')
  })

  test('has the gaps in the compounds of a file that was uploaded, of which the service shows nothing', async () => {
    const file = readFileSync(PADDED)
    const target = `/?domain=${newPath()}`
    const put = await send('PUT', target, file, { user: USER1, headers: { 'content-type': FILE } })
    expect(put.status, put.story).toBe(201)
    const get = async (path: string, headers = {}) => {
      const reply = await send('GET', `${path}${target.slice(1)}`, undefined, { user: USER1, headers })
      expect(reply.status, reply.story).toBe(200)
      return reply
    }
    const [id] = (await get('/datasets')).json<{ datasets: string[] }>().datasets
    expect((await get(`/datasets/${id}`)).json()).toMatchObject({
      type: {
        class: 'H5T_COMPOUND',
        fields: [
          { name: 'a', type: { class: 'H5T_INTEGER', base: 'H5T_STD_I8LE' } },
          { name: 'b', type: { class: 'H5T_FLOAT', base: 'H5T_IEEE_F64LE' } },
        ],
      },
    })
    const { type } = (await get(`/datasets/${id}`)).json<{ type: object }>()
    expect(Object.keys(type)).toEqual(['class', 'fields'])
    const value = await get(`/datasets/${id}/value`, { Accept: 'application/octet-stream' })
    expect(value.bytes).toHaveLength(3 * 9)

    const downloaded = await send('GET', `${target}&format=hdf5`, undefined, { user: USER1 })
    // Class, size, and two members with their offsets and types.
    const begin = file.indexOf(Buffer.from('1602000018000000', 'hex'))
    const datatype = file.subarray(begin, begin + 120)
    expect(begin).toBeGreaterThan(0)
    expect(downloaded.bytes.includes(datatype)).toBe(true)
  })

  test('needs a domain, and no object of it', async () => {
    const domain = await newDomain()
    await domain.refuse(400, 'GET', '/?format=hdf5&h5path=/')
    const asUser = { user: USER1 }
    expectRefusal(await send('GET', `/?domain=${HOME}&format=hdf5`, undefined, asUser), 400)
    expectRefusal(await send('GET', '/?domain=/&format=hdf5', undefined, asUser), 400)
    expectRefusal(await send('GET', `/?domain=${newPath()}&format=hdf5`, undefined, asUser), 404)
    const top = await send('GET', '/?format=hdf5', undefined, withHost(BASE_DOMAIN))
    expect(top.status, top.story).toBe(404)
  })

  test('is for callers that may read all of the domain', async () => {
    const domain = await newDomain()
    await domain.refuse(403, 'GET', '/?format=hdf5', undefined, { user: undefined })
    await domain.refuse(403, 'GET', '/?format=hdf5', undefined, { user: USER2 })
  })

  test('with an object that the caller may not read, it is refused, whatever is left out', async () => {
    const domain = await newClassicDomain()
    const group = await domain.group('closed')
    const acl = { read: false, create: false, update: false, delete: false, readACL: false, updateACL: false }
    const put = await domain.send('PUT', `/groups/${group}/acls/${USER1}`, acl, { user: USER1 })
    expect(put.status, put.story).toBe(201)
    for (const target of ['/?format=hdf5', '/?format=hdf5&skip_unreadable=1']) {
      const refused = await domain.send('GET', target, undefined, { user: USER1 })
      expect(refused.status, refused.story).toBe(403)
      expect(refused.json().message).toContain(group)
      expect((await domain.send('GET', target, undefined, { user: USER2 })).status).toBe(200)
    }
  })

  test.skipIf(!inject('imported'))('names what is left out', async () => {
    const reply = await send('GET', '/?format=hdf5', undefined, withHost(`imported.test.${BASE_DOMAIN}`))
    expect(reply.status, reply.story).toBe(200)
    expect(reply.headers['x-left-out']).toBe('/udlink')
  })
})
