// Shares of a service whose administrator allows some origins to put its page into frames.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ServedHere, serveHere } from '../fixtures/served.ts'
import { basic, type Method, sendTo } from '../wire/client.ts'

const [FIRST, SECOND] = ['https://portal.example', 'https://notes.example']
const DOMAIN = '/home/ann/run.h5'

let server: ServedHere

beforeAll(async () => {
  server = await serveHere(
    { frameAncestors: `${FIRST},${SECOND}` },
    { users: { ann: { password: 'ann-secret', admin: true } } },
  )
  for (const path of ['/home', '/home/ann']) await send('PUT', `/?domain=${path}`, { folder: true })
  expect((await send('PUT', `/?domain=${DOMAIN}`)).status).toBe(201)
})

afterAll(() => server.end())

function send(method: Method, target: string, body?: unknown) {
  const headers = { authorization: basic('ann', 'ann-secret') }
  return sendTo(server.address, method, target, body, { headers, undeclared: true })
}

const newShare = (members: object) =>
  send('POST', '/shares', { domain: DOMAIN, end: '2999-01-01', ...members })

test('the maker of a share chooses among the origins that the administrator allows in frames', async () => {
  const policyOf = async (members: object) => {
    const share = await newShare(members)
    expect(share.status, share.story).toBe(201)
    const { pathname } = new URL(share.json<{ address: string }>().address)
    const target = pathname.replace(/\/$/, '/ui')
    const { headers } = await sendTo(server.address, 'GET', target, undefined, { undeclared: true })
    return String(headers['content-security-policy']).split('frame-ancestors ')[1]
  }
  expect(await policyOf({})).toBe(`${FIRST} ${SECOND}`)
  expect(await policyOf({ frame_ancestors: [SECOND] })).toBe(SECOND)
  expect(await policyOf({ frame_ancestors: [] })).toBe("'none'")
  const refused = await newShare({ frame_ancestors: ['https://evil.example'] })
  expect(refused.status, refused.story).toBe(400)
  expect(refused.json<{ message: string }>().message).toContain(FIRST)
  const { shares } = (await send('GET', '/shares')).json<{ shares: object[] }>()
  expect(shares[1]).toMatchObject({ frame_ancestors: [SECOND] })
})
