// `GET /requests`, `DELETE /requests/<id>` and `hyperslab top` where two workers answer: each worker lists and ends the
// requests of both.

import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { basic, type Fields, type Method, sendTo } from '../wire/client.ts'
import { RawConnection, request } from '../wire/raw-connection.ts'
import { newWorkingDirectory, type RunningServer, runCommand, startServer } from '../wire/server.ts'

const DOMAIN = '/big.h5'
/** Far more than the buffers of a connection. */
const ELEMENTS = 2 ** 28
const ID = 'slow-stream'

let directory: string
let server: RunningServer
let log = ''

beforeAll(async () => {
  directory = await newWorkingDirectory()
  await runCommand(directory, ['user', 'add', 'admin', '--admin'], 'admin\n')
  server = await startServer(directory, ['--workers', '2', '--log-level', 'info'])
  server.process.stderr?.on('data', piece => {
    log += piece
  })
})
afterAll(async () => {
  await server.end('SIGTERM')
  await rm(directory, { recursive: true, force: true })
})

async function want(status: number, method: Method, path: string, body?: unknown) {
  const options = { user: 'admin', headers: { connection: 'close' } }
  const reply = await sendTo(server.address, method, path, body, options)
  expect(reply.status, reply.story).toBe(status)
  return reply
}

interface List {
  readonly requests: readonly Fields[]
  readonly silent: number
}

/** The stream in the list of both workers: on a slow machine one may be late. */
async function listed(): Promise<Fields | undefined> {
  const { requests, silent } = (await want(200, 'GET', '/requests')).json<List>()
  return silent > 0 ? listed() : requests.find(({ id }) => id === ID)
}

/** The workers that have answered such requests. */
function answering(operation: string): number {
  const lines = log
    .split('\n')
    .slice(0, -1)
    .filter(line => line.includes(`"operation":"${operation}"`))
  return new Set(lines.map(line => JSON.parse(line).pid)).size
}

test('either worker lists a stream, whichever sends it, and ends it', async () => {
  await want(201, 'PUT', `/?domain=${DOMAIN}`)
  const shape = { type: 'H5T_STD_I8LE', shape: [ELEMENTS] }
  const { id } = (await want(201, 'POST', `/datasets?domain=${DOMAIN}`, shape)).json<{ id: string }>()
  const connection = new RawConnection(server.address)
  const headers = {
    'X-Request-Id': ID,
    Authorization: basic('admin'),
    Accept: 'application/octet-stream',
  }
  // Nothing of the answer is read.
  connection.send(request('GET', `/datasets/${id}/value?domain=${DOMAIN}`, headers))
  await expect.poll(listed).toMatchObject({ state: 'streaming', operation: 'get-value', domain: DOMAIN })
  // The kernel chooses the worker, and prefers one that is idle.
  while (answering('list-requests') < 2) {
    const all = await Promise.all(Array.from({ length: 8 }, listed))
    for (const found of all) expect(found).toMatchObject({ user: 'admin', state: 'streaming' })
  }
  const top = ['top', '--endpoint', server.address, '--user', 'admin', '--once']
  for (const more of [[], ['--json']]) {
    expect(await runCommand(directory, [...top, ...more], 'admin\n')).toContain(ID)
  }
  const ended = await sendTo(server.address, 'DELETE', `/requests/${ID}`, undefined, { user: 'admin' })
  // A worker that is late ends it, too, and is not counted.
  expect([200, 404], ended.story).toContain(ended.status)
  // The rest of the answer never comes.
  const bytes = (await connection.answer())?.body.length
  expect(bytes).toBeUndefined()
  expect(await listed()).toBeUndefined()
  // Any worker looks in both.
  while (answering('end-request') < 2) {
    await Promise.all(Array.from({ length: 8 }, () => want(404, 'DELETE', `/requests/${ID}`)))
  }
})

test('a worker that does not answer is counted', async () => {
  const { pid } = server.process
  const workers = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number)
  expect(workers).toHaveLength(2)
  const [stopped = 0] = workers
  process.kill(stopped, 'SIGSTOP')
  try {
    expect((await want(200, 'GET', '/requests')).json<List>().silent).toBeGreaterThanOrEqual(1)
  } finally {
    process.kill(stopped, 'SIGCONT')
  }
  await expect.poll(listed).toBeUndefined()
})

test('the command says in a line why there is no list', async () => {
  const refused = runCommand(directory, ['top', '--endpoint', server.address, '--once'])
  await expect(refused).rejects.toThrow(/ended with 1:\nhyperslab: .* 401 .*: give --user NAME\n$/)
  const nowhere = runCommand(directory, ['top', '--endpoint', 'nowhere', '--once'])
  await expect(nowhere).rejects.toThrow(/ended with 2:/)
})
