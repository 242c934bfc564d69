// Server-Timing: a caller that may see figures sees how long each phase of a request took, and, on request, its steps.

import { beforeAll, expect, test } from 'vitest'
import { ADMIN, send, USER1 } from './client.ts'
import { makeHome, newDomain } from './hsds/domain.ts'

const HEADERS = { 'X-Hyperslab-Trace': '1' }
/** Names with a duration, and perhaps a description (W3C Server Timing, 2). */
const ENTRY = /([a-z-]+);dur=\d+(?:\.\d{1,3})?(?:;desc="([^"]*)")?(?:, |$)/g

beforeAll(makeHome)

/** The entries: names with descriptions. */
function entriesOf(header: unknown): ReadonlyMap<string, string> {
  expect(String(header).replaceAll(ENTRY, '')).toBe('')
  return new Map([...String(header).matchAll(ENTRY)].map(([, name = '', about = '']) => [name, about]))
}

test('has the phases of a read and of a write, and the steps of a traced one', async () => {
  const domain = await newDomain()
  const attribute = `/groups/${domain.root}/attributes/x`
  const body = { type: 'H5T_STD_I32LE', value: 7 }
  const put = await domain.send('PUT', attribute, body, { user: ADMIN, headers: HEADERS })
  expect(put.status, put.story).toBe(201)
  const written = entriesOf(put.headers['server-timing'])
  expect([...written.keys()].slice(0, 5)).toEqual(['admission', 'find', 'run', 'commit', 'send'])
  expect(written.get('records-committed')).toMatch(/^\d+ keys, \d+ bytes, /)
  const read = await domain.send('GET', attribute, undefined, { user: ADMIN, headers: HEADERS })
  expect(entriesOf(read.headers['server-timing']).get('records-read')).toMatch(/\d+ keys?, \d+ bytes/)
  const plain = await domain.send('GET', attribute, undefined, { user: ADMIN })
  expect([...entriesOf(plain.headers['server-timing']).keys()]).not.toContain('records-read')
})

test('is not for callers that may see no figures', async () => {
  const domain = await newDomain()
  for (const user of [USER1, undefined]) {
    const reply = await send('GET', `/?domain=${domain.path}`, undefined, { user, headers: HEADERS })
    expect(reply.headers['server-timing'], reply.story).toBeUndefined()
  }
})
