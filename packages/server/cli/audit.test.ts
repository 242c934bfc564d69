import { expect, it } from 'vitest'
import { type AuditOptions, found } from './audit.ts'

const ENTRIES = [
  { audit: 1, time: '2026-11-01T00:00:00.000Z', user: 'ann', login: 'password', domain: '/lab/x.h5' },
  { audit: 1, time: '2026-11-02T00:00:00.000Z', user: 'bob', login: 'session', domain: '/lab/y.h5' },
  { audit: 1, time: '2026-11-03T00:00:00.000Z', sharedBy: 'ann', login: 'share', domain: '/laboratory/x.h5' },
  { audit: 1, time: '2026-11-04T00:00:00.000Z', outcome: 'refused', tried: 'bob', domain: '/lab' },
]
const TEXT = [
  '{"level":30,"msg":"a line of the log"}',
  '{"audit":1,"ti',
  ...ENTRIES.map(e => JSON.stringify(e)),
]

/** Pieces of a few bytes, which divide characters too. */
async function* pieces(text: string, length = 7): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let i = 0; i < bytes.length; i += length) yield bytes.subarray(i, i + length)
}

async function search(options: AuditOptions, text = TEXT.join('\n')): Promise<string[]> {
  const lines: string[] = []
  for await (const line of found(pieces(text), options)) lines.push(line)
  return lines
}

it.each([
  [{}, [0, 1, 2, 3]],
  [{ domain: '/lab' }, [0, 1, 3]],
  [{ domain: '/lab/' }, [0, 1]],
  [{ domain: '/lab/x.h5' }, [0]],
  [{ user: 'ann' }, [0, 2]],
  [{ user: 'bob', domain: '/lab' }, [1, 3]],
  [{ since: '2026-11-02' }, [1, 2, 3]],
  [{ since: '2026-11-02T00:00:00.001Z' }, [2, 3]],
] as const)('%o finds the lines %o, and none of a log', async (options, indexes) => {
  const lines = await search({ ...options, json: true })
  expect(lines.map(line => JSON.parse(line))).toEqual(indexes.map(index => ENTRIES[index]))
})

it('prints lines for people', async () => {
  const entry = { ...ENTRIES[0], outcome: 'done', operation: 'put-link', what: { title: 'ä' } }
  expect(await search({}, JSON.stringify(entry))).toEqual([
    '2026-11-01T00:00:00.000Z  ann (password)  put-link  /lab/x.h5  {"title":"ä"}\n',
  ])
  const refused = { ...ENTRIES[3], operation: 'get-domain', status: 401, code: 'wrong-credentials' }
  expect(await search({}, JSON.stringify(refused))).toEqual([
    '2026-11-04T00:00:00.000Z  bob (refused)  get-domain  /lab  refused wrong-credentials\n',
  ])
})
