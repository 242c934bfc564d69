// Tokens and sessions of several services on one store: what one ends, the others refuse. Their secrets are in no log,
// no answer but the first, and not in the store or a copy of it.

import { makeCopy } from '@hyperslab/store/engines'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ServedHere, serveHere, setUsers, sharedMemory, storedText } from '../fixtures/served.ts'
import { basic, type Options, sendTo } from '../wire/client.ts'

let open: ReturnType<typeof sharedMemory>
let servers: ServedHere[]

beforeEach(async () => {
  open = sharedMemory()
  const settings = { logLevel: 'trace' }
  const first = await serveHere(settings, { engine: open(), users: { ann: { password: 'secret of ann' } } })
  servers = [first, await serveHere(settings, { engine: open() })]
})

afterEach(async () => {
  expect(await servers[0].findings()).toEqual([])
  for (const server of servers) await server.end()
})

const logged = () => servers.map(server => server.log()).join('')

/** The statuses of a request, of each server. */
async function statuses(headers: Options['headers'] & object): Promise<number[]> {
  const replies = servers.map(({ address }) => sendTo(address, 'GET', '/about', undefined, { headers }))
  return [...new Set((await Promise.all(replies)).map(({ status }) => status))]
}

test('a session that one server ends is ended in all, and so are all with a new password or without the account', async () => {
  const [one] = servers
  const logIn = async (password: string) => {
    const headers = { authorization: basic('ann', password) }
    const reply = await sendTo(one.address, 'POST', '/login', undefined, { headers })
    expect(reply.status, reply.story).toBe(201)
    const port = new URL(one.address).port
    const secret = /=([\w-]+);/.exec(reply.headers['set-cookie']?.[0] ?? '')?.[1] ?? ''
    // The name of the cookie has the port of its server.
    const cookie = servers.map(({ address }) => `hyperslab-${new URL(address).port}=${secret}`).join('; ')
    expect(cookie).toContain(`hyperslab-${port}=`)
    return { cookie, 'x-requested-with': 'test' }
  }
  const [first, second] = [await logIn('secret of ann'), await logIn('secret of ann')]
  expect(await statuses(first)).toEqual([200])
  await sendTo(one.address, 'DELETE', '/login', undefined, { headers: first })
  expect(await statuses(first)).toEqual([401])
  expect(await statuses(second)).toEqual([200])
  await setUsers(open(), { ann: { password: 'another secret' } })
  expect(await statuses(second)).toEqual([401])
  const third = await logIn('another secret')
  await setUsers(open(), { ann: undefined })
  expect(await statuses(third)).toEqual([401])
})

test('secrets are in no log, not in the store and not in a copy of it', async () => {
  const [{ address }] = servers
  const authorization = basic('ann', 'secret of ann')
  const login = await sendTo(address, 'POST', '/login', undefined, { headers: { authorization } })
  const session = /=([\w-]+);/.exec(login.headers['set-cookie']?.[0] ?? '')?.[1] ?? ''
  const cookie = `hyperslab-${new URL(address).port}=${session}`
  const body = { name: 'beam', end: '2999-01-01', writes: true }
  const made = await sendTo(address, 'POST', '/tokens', body, {
    headers: { cookie, 'x-requested-with': 'test' },
  })
  const { token } = made.json<{ token: string }>()
  const wrong = `hyperslab_${'w'.repeat(43)}`
  const replies = [login]
  for (const sent of [
    `Bearer ${token}`,
    `Bearer ${wrong}`,
    basic('ann', wrong),
    basic(wrong, 'x'),
    basic('ann', 'guess'),
  ])
    replies.push(await sendTo(address, 'GET', '/about', undefined, { headers: { authorization: sent } }))
  replies.push(await sendTo(address, 'GET', '/about', undefined, { headers: { cookie: `${cookie}x` } }))
  replies.push(await sendTo(address, 'GET', '/sessions', undefined, { headers: { cookie } }))
  expect(replies.map(({ status }) => status)).toEqual([201, 200, 401, 401, 401, 401, 401, 200])
  const openCopy = sharedMemory()
  await makeCopy(open(), openCopy(), {})
  await expect.poll(logged).toContain('a login failed')
  const stored = (await storedText(open())) + (await storedText(openCopy()))
  for (const secret of [session, token.slice(10), wrong.slice(10), 'guess', 'secret of ann']) {
    expect(logged()).not.toContain(secret)
    expect(stored).not.toContain(secret)
    for (const { text } of replies) expect(text).not.toContain(secret)
  }
  expect(stored).toContain('beam')
})
