// Names in any script, everywhere they can stand: in the Host header (as raw UTF-8), in paths, in bodies, and in what
// comes back, headers included.

import { expect, test } from 'vitest'
import { BASE_DOMAIN, send, uniqueName } from '../client.ts'
import { newDomain } from './domain.ts'

/** Header bytes that are the UTF-8 of this text. */
const inHeader = (text: string) => Buffer.from(text, 'utf8').toString('latin1')

test.each(['ü', '日本', '😀', 'ไทย'])('a domain named %s by raw UTF-8 in the Host header', async script => {
  const name = `${script}${uniqueName()}.test.${BASE_DOMAIN}`
  const domain = await newDomain(inHeader(name))
  const created = await domain.send('POST', '/groups', {})
  expect(created.status, created.story).toBe(201)
  const { id } = created.json<{ id: string }>()
  expect(created.headers.location).toBe(encodeURI(`http://${name}/groups/${id}`))
  const again = await send('GET', `/groups/${id}?host=${encodeURIComponent(name)}`)
  expect(again.status, again.story).toBe(200)
})

test.each(['ключ', '鍵/x'.replace('/', '∕'), '🔑', '\u{10ffff}', '__proto__', '10'])(
  'a link and an attribute named %s',
  async name => {
    const domain = await newDomain()
    const group = await domain.group()
    const title = encodeURIComponent(name)
    await domain.want(201, 'PUT', `/groups/${domain.root}/links/${title}`, { id: group })
    const link = await domain.want<{ link: { title: string } }>(
      200,
      'GET',
      `/groups/${domain.root}/links/${title}`,
    )
    expect(link.link.title).toBe(name)
    const attribute = { type: 'H5T_STD_I32LE', value: 1 }
    await domain.want(201, 'PUT', `/groups/${group}/attributes/${title}`, attribute)
    const listed = await domain.want<{ attributes: { name: string }[] }>(
      200,
      'GET',
      `/groups/${group}/attributes`,
    )
    expect(listed.attributes.map(item => item.name)).toEqual([name])
  },
)
