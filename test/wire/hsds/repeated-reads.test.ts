// A server may remember what it has answered: each answer is that of the state at its request all the same, for its
// caller and in the form that it asks for.

import { beforeAll, expect, test } from 'vitest'
import { USER2 } from '../client.ts'
import { makeHome, newDomain } from './domain.ts'

beforeAll(makeHome)

test('an answer that was given before changes with what it tells', async () => {
  const domain = await newDomain()
  const group = await domain.group('group')
  const ask = (path: string) => domain.want<Record<string, unknown>>(200, 'GET', path)
  const paths = ['/', `/groups/${group}`, `/groups/${domain.root}/links/group`]
  for (const path of paths) expect(await ask(path)).toEqual(await ask(path))

  expect(await ask(`/groups/${group}`)).toMatchObject({ attributeCount: 0, linkCount: 0 })
  const attribute = `/groups/${group}/attributes/a`
  await domain.want(201, 'PUT', attribute, { type: 'H5T_STD_I32LE', value: 1 })
  expect(await ask(`/groups/${group}`)).toMatchObject({ attributeCount: 1, linkCount: 0 })
  expect(await ask(attribute)).toMatchObject({ value: 1 })
  expect(await ask(attribute)).toMatchObject({ value: 1 })
  await domain.want(201, 'PUT', `${attribute}?replace=1`, { type: 'H5T_STD_I32LE', value: 2 })
  expect(await ask(attribute)).toMatchObject({ value: 2 })
  await domain.want(200, 'DELETE', attribute)
  await domain.refuse(410, 'GET', attribute)

  await domain.want(200, 'DELETE', `/groups/${domain.root}/links/group`)
  await domain.refuse(410, 'GET', `/groups/${domain.root}/links/group`)
  await domain.want(200, 'DELETE', `/groups/${group}`)
  await domain.refuse(410, 'GET', `/groups/${group}`)
})

test('a caller that may not read is refused what another one got', async () => {
  const domain = await newDomain()
  const group = await domain.group('group')
  const path = `/groups/${group}`
  const acl = (read: boolean) =>
    domain.want(201, 'PUT', `/acls/${USER2}`, { read, create: false, update: false })
  await acl(true)
  await domain.want(200, 'GET', path)
  await domain.want(200, 'GET', path, undefined, { user: USER2 })
  await acl(false)
  await domain.refuse(403, 'GET', path, undefined, { user: USER2 })
  await domain.want(200, 'GET', path)
  await acl(true)
  await domain.want(200, 'GET', path, undefined, { user: USER2 })
})

/** With the header X-Hdf-domain it gets bare words in descriptions (common 5). */
const SUITE_OF_HSDS = { 'user-agent': 'python-requests/2.32.3' }

test('headers that change an answer are seen', async () => {
  const domain = await newDomain()
  await domain.want(201, 'PUT', `/groups/${domain.root}/attributes/nan`, {
    type: 'H5T_IEEE_F64LE',
    value: 'NaN',
  })
  const path = `/groups/${domain.root}/attributes/nan`
  const read = async (headers: Record<string, string>) =>
    (await domain.send('GET', path, undefined, { headers: { 'x-hdf-domain': domain.path, ...headers } })).text
  for (let i = 0; i < 2; i++) {
    expect(await read(SUITE_OF_HSDS)).toContain('"value":NaN')
    expect(await read({ accept: '*/*' })).toContain('"value":"NaN"')
    expect(await read({ ...SUITE_OF_HSDS, accept: 'application/json' })).toContain('"value":"NaN"')
  }
  const { headers } = await domain.send('GET', path)
  const again = await domain.send('GET', path, undefined, {
    headers: { 'if-none-match': String(headers.etag) },
  })
  expect(again.status).toBe(304)
})
