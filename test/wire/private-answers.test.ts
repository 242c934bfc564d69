// Shared caches keep no answer that may depend on the rights of its caller: those to passwords, tokens, sessions and
// shares say `private`, also 304 and errors; those to callers without credentials do not.

import { beforeAll, describe, expect, test } from 'vitest'
import { basic, type Reply, send, USER1 } from './client.ts'
import { makeHome, newDomain } from './hsds/domain.ts'

beforeAll(makeHome)

type Sender = (target: string, headers?: Record<string, string>) => Promise<Reply>

/** Each kind of credentials of the user, for the domain at the path. */
async function sendersOf(path: string): Promise<readonly (readonly [string, Sender])[]> {
  const owner = { user: USER1 }
  const end = '2999-01-01'
  const session = await send('POST', '/login', undefined, owner)
  const cookie = session.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
  const { token } = (await send('POST', '/tokens', { name: 'private', end }, owner)).json<{ token: string }>()
  const made = await send('POST', '/shares', { domain: path, end }, owner)
  const { address } = made.json<{ address: string }>()
  const prefix = new URL(address).pathname.replace(/\/$/, '')
  const withHeaders =
    (own: Record<string, string>, before = ''): Sender =>
    (target, headers = {}) =>
      send('GET', before + target, undefined, { headers: { ...own, ...headers }, undeclared: true })
  return [
    ['a password', withHeaders({ authorization: basic(USER1) })],
    ['a token', withHeaders({ authorization: `Bearer ${token}` })],
    ['a session', withHeaders({ cookie })],
    ['a share', withHeaders({}, prefix)],
  ]
}

describe('an answer', () => {
  test('to a caller with credentials says private, whatever it is', async () => {
    const domain = await newDomain()
    const dataset = await domain.dataset({ type: 'H5T_STD_I32LE', shape: [4] })
    const { path } = domain
    const targets = [
      `/?domain=${path}`,
      `/datasets/${dataset}/value?domain=${path}`,
      `/datasets/${dataset}/value?domain=${path}&format=npy`,
      `/h5${path}`,
      `/zarr/v3${path}/zarr.json`,
      `/zarr/refs${path}`,
      `/thumbnail?domain=${path}`,
      '/about',
      '/login',
    ]
    for (const [kind, get] of await sendersOf(path)) {
      for (const target of targets) {
        const reply = await get(target)
        expect(reply.status, `${kind}: ${reply.story}`).toBeLessThan(300)
        expect(reply.headers['cache-control'], `${kind} ${target}`).toMatch(/^private\b/)
        const { etag } = reply.headers
        if (etag === undefined) continue
        const again = await get(target, { 'if-none-match': etag })
        expect(again.status, `${kind}: ${again.story}`).toBe(304)
        expect(again.headers['cache-control'], `304 for ${kind} ${target}`).toMatch(/^private\b/)
      }
      for (const target of [
        `/?domain=${path}x`,
        `/datasets/x?domain=${path}`,
        '/nothing',
        '/acls?domain=/x',
      ]) {
        const reply = await get(target)
        expect(reply.status, reply.story).toBeGreaterThanOrEqual(400)
        expect(reply.headers['cache-control'], `${kind} ${target}`).toMatch(/^private\b/)
      }
    }
  })

  test('to wrong credentials says private, and that to none does not', async () => {
    const wrong = await send('GET', '/about', undefined, {
      headers: { authorization: basic(USER1, 'wrong') },
    })
    expect(wrong.status).toBe(401)
    expect(wrong.headers['cache-control']).toMatch(/^private\b/)
    const none = await send('GET', '/about')
    expect(none.headers['cache-control'] ?? '').not.toContain('private')
    // Answers that are the same for all callers may be kept for all.
    const page = await send('GET', '/health', undefined, { headers: { authorization: basic(USER1) } })
    expect(page.headers['cache-control'] ?? '').not.toContain('private')
  })
})
