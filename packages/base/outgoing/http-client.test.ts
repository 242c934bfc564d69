import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Clock, SYSTEM_CLOCK } from '../clock.ts'
import { HttpClient, type HttpClientOptions, type ReceiveAnswer } from './http-client.ts'
import { isBusy, RequestFailure, waitOf } from './request-failure.ts'

const OPTIONS: HttpClientOptions = { maxRequests: 2, timeout: 5000, firstPause: 1, maxAttempts: 4 }

let server: Server
let url: URL
let requests: IncomingMessage[]
let answer: (request: IncomingMessage, response: ServerResponse) => void
let clients: HttpClient[]

beforeEach(async () => {
  requests = []
  clients = []
  answer = (_request, response) => response.end('body')
  server = createServer((request, response) => {
    requests.push(request)
    answer(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/a`)
})

afterEach(async () => {
  for (const client of clients) client.close()
  await new Promise(resolve => server.close(resolve))
})

function open(options: Partial<HttpClientOptions> = {}): HttpClient {
  const client = new HttpClient({ ...OPTIONS, ...options })
  clients.push(client)
  return client
}

/** The body as text; a busy answer is a failure. */
const textOf: ReceiveAnswer<string> = ({ status, headers }) => {
  if (isBusy(status))
    throw new RequestFailure(String(status), `it answers ${status}`, { wait: waitOf(headers) })
  let text = ''
  return {
    take: piece => {
      text += Buffer.from(piece).toString()
    },
    end: () => text,
  }
}

/** The first `count` requests are answered by `fault`. */
function failing(count: number, fault: typeof answer): void {
  let left = count
  answer = (request, response) => (left-- > 0 ? fault(request, response) : response.end('body'))
}

describe('a request to another machine', () => {
  it.each<[string, typeof answer]>([
    ['the server is busy', (_request, response) => response.writeHead(503).end('busy')],
    ['the connection breaks', request => request.socket.destroy()],
    [
      'the answer is cut off',
      (_request, response) => {
        response.writeHead(200, { 'content-length': 9 })
        response.write('half', () => response.destroy())
      },
    ],
  ])('is sent again, signed anew, when %s', async (_name, fault) => {
    failing(2, fault)
    let signatures = 0
    const client = open({ sign: async (_url, headers) => ({ ...headers, authorization: `${++signatures}` }) })
    expect(await client.send({ url }, textOf)).toBe('body')
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(['1', '2', '3'])
  })

  it('fails with the last failure after the most attempts', async () => {
    failing(9, (_request, response) => response.writeHead(503).end())
    await expect(open().send({ url }, textOf)).rejects.toMatchObject({ code: '503', attempts: 4 })
    expect(requests).toHaveLength(4)
  })

  it('is not sent again after another error, nor after a failure that stays', async () => {
    const error = new Error('the reader of the body has found something')
    for (const thrown of [error, new RequestFailure('403', 'it answers 403', { maxAttempts: 1 })]) {
      const receive: ReceiveAnswer<never> = () => ({
        take: () => {
          throw thrown
        },
        end: () => expect.fail('the body was not received'),
      })
      await expect(open().send({ url }, receive)).rejects.toBe(thrown)
    }
    expect(requests).toHaveLength(2)
  })

  it('is not sent again when the server asks to wait beyond the deadline', async () => {
    failing(9, (_request, response) => response.writeHead(503, { 'retry-after': '60' }).end())
    await expect(open().send({ url }, textOf)).rejects.toMatchObject({ code: '503', attempts: 1 })
  })

  it('ends in a pause when its signal aborts', async () => {
    const leaving = new AbortController()
    const reason = new Error('the client has left')
    failing(9, (_request, response) => {
      response.writeHead(503, { 'retry-after': '60' }).end()
    })
    const sleep: Clock['sleep'] = (...args) => {
      const slept = SYSTEM_CLOCK.sleep(...args)
      leaving.abort(reason)
      return slept
    }
    const client = open({ deadline: 120_000, clock: { ...SYSTEM_CLOCK, sleep } })
    await expect(client.send({ url, signal: leaving.signal }, textOf)).rejects.toBe(reason)
    expect(requests).toHaveLength(1)
  })

  it('waits for a connection without a limit of time', async () => {
    // The limit of an attempt begins with its connection: for the second request, after the first answer.
    const events: string[] = []
    const after: Clock['after'] = (...args) => {
      events.push('limit')
      return SYSTEM_CLOCK.after(...args)
    }
    answer = (_request, response) => {
      events.push('answer')
      response.end('body')
    }
    const client = open({ maxRequests: 1, timeout: 60_000, clock: { ...SYSTEM_CLOCK, after } })
    await Promise.all([1, 2].map(() => client.send({ url }, textOf)))
    expect(events).toEqual(['limit', 'answer', 'limit', 'answer'])
  })

  it('fails when nothing arrives', async () => {
    const client = open({ timeout: 200, maxAttempts: 1 })
    answer = () => undefined
    await expect(client.send({ url }, textOf)).rejects.toMatchObject({
      code: 'timeout',
      message: 'nothing arrived for 0.2 seconds',
    })
  })

  it('fails when the bytes arrive one by one', async () => {
    const soon: Clock['after'] = (_, work) => SYSTEM_CLOCK.after(20, work)
    const client = open({ timeout: 60_000, maxAttempts: 1, clock: { ...SYSTEM_CLOCK, after: soon } })
    answer = (_request, response) => {
      const trickle = setInterval(() => response.write('.'), 5)
      response.on('close', () => clearInterval(trickle))
    }
    await expect(client.send({ url }, textOf)).rejects.toMatchObject({ message: 'the answer takes too long' })
  })

  it('is one of as many as are allowed at once, over connections that are used again', async () => {
    const client = open()
    const isHead: ReceiveAnswer<number> = ({ status }) => ({ end: () => status })
    await Promise.all(Array.from({ length: 20 }, () => client.send({ url }, textOf)))
    await client.send({ url }, isHead)
    await client.send({ url, method: 'PUT', body: Buffer.from('x') }, textOf)
    expect(new Set(requests.map(({ socket }) => socket.remotePort)).size).toBeLessThanOrEqual(2)
    expect(requests.at(-1)).toMatchObject({ method: 'PUT', headers: { 'content-length': '1' } })
  })

  it('fails when the client is closed, under way and afterwards', async () => {
    const client = open()
    answer = () => client.close()
    await expect(client.send({ url }, textOf)).rejects.toMatchObject({ code: 'ECONNRESET', attempts: 1 })
    await expect(client.send({ url }, textOf)).rejects.toMatchObject({ code: 'closed', attempts: 1 })
  })

  it('fails without an address of the network in the message', async () => {
    await new Promise(resolve => server.close(resolve))
    await expect(open().send({ url }, textOf)).rejects.toThrow(/^the connection failed \(ECONNREFUSED\)$/)
  })
})

it.each([
  [200, false],
  [404, false],
  [408, true],
  [429, true],
  [500, true],
  [501, false],
  [503, true],
  [507, false],
])('a server that answers %i is busy: %s', (status, expected) => {
  expect(isBusy(status)).toBe(expected)
})
