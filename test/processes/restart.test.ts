// A service that restarts on a socket which its parent keeps open: every request is answered, those in flight by the
// process that is ending, new ones by that or the next one.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { freePort } from '../servers/free-port.mjs'
import { COMMAND, commandEnvironment, newWorkingDirectory } from '../wire/server.ts'

const HOLDER = fileURLToPath(new URL('./socket-holder.mjs', import.meta.url))
const RESTARTS = 10
const REQUESTS = 1000
const CLIENTS = 4
const LENGTH = 100_000

let directory: string
let holder: ChildProcess
let printed: string
let port: number

beforeEach(async () => {
  directory = await newWorkingDirectory()
})
afterEach(async () => {
  const service = holder.exitCode === null ? serviceId() : undefined
  holder.kill('SIGKILL')
  // Its output is that of the service too, and closes when both have ended.
  const closed = once(holder, 'close')
  if (service !== undefined) process.kill(service, 'SIGTERM')
  await closed
  await rm(directory, { recursive: true, force: true })
})

async function start(starts: number, options: readonly string[] = []): Promise<void> {
  const command = [process.execPath, COMMAND, 'serve', 'data', ...options]
  printed = ''
  holder = spawn(process.execPath, [HOLDER, String(starts), ...command], {
    cwd: directory,
    env: commandEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [holder.stdout, holder.stderr])
    stream?.setEncoding('utf8').on('data', piece => {
      printed += piece
    })
  await prints(/^port \d+$/gm, 1)
  port = Number(/^port (\d+)$/m.exec(printed)?.[1])
}

/** Waits until the text has been printed that number of times. */
async function prints(pattern: RegExp, times: number): Promise<void> {
  await expect.poll(() => printed.match(pattern)?.length ?? 0, { message: printed }).toBe(times)
}

/** Undefined: there is none at this moment. */
function serviceId(): number | undefined {
  const children = readFileSync(`/proc/${holder.pid}/task/${holder.pid}/children`, 'utf8')
  return children.split(' ').filter(Boolean).map(Number)[0]
}

function signalService(): void {
  const id = serviceId()
  if (id === undefined) throw new Error(`there is no service:\n${printed}`)
  process.kill(id, 'SIGTERM')
}

async function statusOf(sent: ClientRequest): Promise<number | undefined> {
  const [response]: IncomingMessage[] = await once(sent, 'response')
  await text(response ?? [])
  return response?.statusCode
}

/**
 * Sends a GET; once more if a connection that had served before was closed instead, as clients do: the service may have
 * closed it before the request arrived.
 */
async function get(agent: Agent | false): Promise<number | undefined> {
  const sent = request({ port, host: '127.0.0.1', path: '/?domain=/in.h5', agent })
  sent.end()
  try {
    return await statusOf(sent)
  } catch (error) {
    if (!sent.reusedSocket) throw error
    return get(agent)
  }
}

/** An upload of which the service has the head; `finish` sends its body, and resolves with the status. */
async function beginUpload(path: string): Promise<{ readonly finish: () => Promise<number | undefined> }> {
  const headers = {
    'content-type': 'application/octet-stream',
    'content-length': LENGTH,
    expect: '100-continue',
  }
  const sent = request({ port, host: '127.0.0.1', method: 'PUT', path, headers, agent: false })
  sent.flushHeaders()
  await once(sent, 'continue')
  return {
    finish: () => {
      sent.end(Buffer.alloc(LENGTH, 7))
      return statusOf(sent)
    },
  }
}

async function createDataset(): Promise<string> {
  const address = `http://127.0.0.1:${port}`
  expect((await fetch(`${address}/?domain=/in.h5`, { method: 'PUT' })).status).toBe(201)
  const body = JSON.stringify({ type: 'H5T_STD_U8LE', shape: [LENGTH] })
  const made = await fetch(`${address}/datasets?domain=/in.h5`, { method: 'POST', body })
  const { id } = (await made.json()) as { id: string }
  return `/datasets/${id}/value?domain=/in.h5`
}

it.each([1, 2])(
  `${REQUESTS} requests during ${RESTARTS} restarts are answered by %i workers`,
  async workers => {
    await start(RESTARTS + 1, ['--workers', String(workers)])
    const values = await createDataset()
    const statuses: (number | undefined)[] = []
    let isOver = false
    const clients = Array.from({ length: CLIENTS }, async (_, i) => {
      const agent = i % 2 === 0 && new Agent({ keepAlive: true, maxSockets: 1 })
      while (!isOver || statuses.length < REQUESTS) statuses.push(await get(agent))
      if (agent) agent.destroy()
    })
    const restarting = (async () => {
      for (let restart = 1; restart <= RESTARTS; restart++) {
        await prints(/Hyperslab serves/g, restart)
        const upload = await beginUpload(values)
        signalService()
        await prints(/hyperslab: finishing/g, restart)
        expect(await upload.finish()).toBe(200)
        await prints(/^ended with 0$/gm, restart)
      }
      isOver = true
    })()
    await Promise.all([restarting, ...clients])
    expect(statuses.length).toBeGreaterThanOrEqual(REQUESTS)
    expect(statuses.filter(status => status !== 200)).toEqual([])
  },
  180_000,
)

it('the address is that of the socket, also for the rule on open networks', async () => {
  const other = await freePort()
  await start(1, ['--host', '0.0.0.0', '--port', String(other)])
  await prints(/Hyperslab serves .* at http:\/\/127\.0\.0\.1:/g, 1)
  expect(printed).toContain('on a socket that was handed over, so --host and --port have no effect')
  expect(printed).toContain(`host=0.0.0.0 and port=${other} cannot be followed`)
  expect(await get(false)).toBe(404)
})
