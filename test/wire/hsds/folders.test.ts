// Listing folders (contract 20, 8.5), without patterns and queries, which are refused rather than ignored.

import { beforeAll, expect, test } from 'vitest'
import { send } from '../client.ts'
import { HOME, makeHome, newDomain, newPath } from './domain.ts'

interface Listing {
  readonly domains: readonly { readonly name: string; readonly class: string; readonly root?: string }[]
}

beforeAll(makeHome)

async function list(query: string): Promise<Listing['domains']> {
  const reply = await send('GET', `/domains?${query}`)
  expect(reply.status, reply.story).toBe(200)
  return reply.json<Listing>().domains
}

test('a folder lists its children by name, with or without a slash behind it', async () => {
  const domain = await newDomain()
  for (const folder of [HOME, `${HOME}/`]) {
    const listed = await list(`domain=${folder}`)
    expect(listed).toContainEqual(
      expect.objectContaining({ name: domain.path, class: 'domain', root: domain.root }),
    )
    const names = listed.map(({ name }) => name)
    expect(names).toEqual([...names].sort())
  }
})

test('pages go on behind the marker', async () => {
  const prefix = newPath().replace('.h5', '')
  const paths = ['a', 'b', 'c'].map(letter => `${prefix}-${letter}.h5`)
  for (const path of paths) await newDomain(path)
  const page = await list(`domain=${HOME}&Limit=2&Marker=${encodeURIComponent(paths[0] ?? '')}`)
  expect(page.map(({ name }) => name)).toEqual(paths.slice(1))
})

test('the top level lists without a domain; a domain has no children; an unknown folder is 404', async () => {
  expect((await list('')).map(({ name }) => name)).toContain('/home')
  const domain = await newDomain()
  expect(await list(`domain=${domain.path}`)).toEqual([])
  expect((await send('GET', '/domains?domain=/no-such-folder')).status).toBe(404)
})

test.each(['pattern=x*', 'query=a>1', 'verbose=1'])('%s is refused, not ignored', async option => {
  expect((await send('GET', `/domains?domain=${HOME}&${option}`)).status).toBe(501)
})
