import { once } from 'node:events'
import { createServer, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import type { ByteStream, Request } from '../message/message.ts'
import { sendReply } from './reply.ts'

/** The streams for which memory was taken while a request was answered with a stream, and the body of the answer. */
async function takenFor(
  method: string,
  stream: Omit<ByteStream, 'pieces' | 'contentType'>,
  headers: Record<string, string> = {},
): Promise<{ readonly lengths: (number | undefined)[]; readonly body: string }> {
  const lengths: (number | undefined)[] = []
  async function* pieces() {
    yield Buffer.from('0123')
    yield Buffer.from('456789')
  }
  const server = createServer((_, response) => {
    const request = { method: 'GET', headers } as unknown as Request
    const memory = { take: ({ length }: ByteStream) => void lengths.push(length), release() {} }
    const reply = { status: 200, stream: { contentType: 'text/plain', ...stream, pieces: pieces() } }
    void sendReply({ response, head: [], request }, reply, 'bare', memory)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const sent = sendRequest({ port, host: '127.0.0.1', method }).end()
  const [answer] = await once(sent, 'response')
  let body = ''
  for await (const piece of answer) body += piece
  server.close()
  return { lengths, body }
}

it('takes memory for a stream once, as much as is sent of it', async () => {
  const whole = '0123456789'
  const known = { length: 10, entityTag: '"a"' }
  expect(await takenFor('GET', {})).toEqual({ lengths: [undefined], body: whole })
  expect(await takenFor('GET', known)).toEqual({ lengths: [10], body: whole })
  expect(await takenFor('GET', known, { range: 'bytes=3-5' })).toEqual({ lengths: [3], body: '345' })
  expect(await takenFor('HEAD', known)).toEqual({ lengths: [], body: '' })
  expect(await takenFor('GET', known, { 'if-none-match': '"a"' })).toEqual({ lengths: [], body: '' })
})

it('counts the making of a stream as work, but not the time in which its client takes it', async () => {
  const events: string[] = []
  async function* pieces() {
    for (const piece of ['0123', '456789']) {
      events.push(piece)
      yield Buffer.from(piece)
    }
  }
  const server = createServer(async (_, response) => {
    const request = { method: 'GET', headers: {} } as unknown as Request
    const memory = {
      take: () => void events.push('memory'),
      release: () => void events.push('send'),
      work: (isBegun: boolean) => void events.push(isBegun ? 'work' : 'rest'),
    }
    const reply = { status: 200, stream: { contentType: 'text/plain', length: 10, pieces: pieces() } }
    await sendReply({ response, head: [], request }, reply, 'bare', memory)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const [answer] = await once(sendRequest({ port, host: '127.0.0.1' }).end(), 'response')
  for await (const _ of answer);
  server.close()
  const piece = (text: string) => ['work', text, 'rest', 'send']
  expect(events).toEqual(['memory', ...piece('0123'), ...piece('456789'), 'work', 'rest'])
})
