// Bodies of JSON whose values take far more memory than their text, many at once, in a process with a small heap: they
// are rejected, and the process goes on.

import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { basic, type Method, sendTo, USER1 } from '../wire/client.ts'
import { newWorkingDirectory, type RunningServer, runCommand, startServer } from '../wire/server.ts'

const HEAP = '--max-old-space-size=160'
const DOMAIN = '/memory.h5'
const AT_ONCE = 12
const LENGTH = 4_000_000

let directory: string
let server: RunningServer
let root: string
let dataset: string

beforeAll(async () => {
  directory = await newWorkingDirectory()
  await runCommand(directory, ['user', 'add', USER1, '--admin'], 'test\n')
  const { NODE_OPTIONS } = process.env
  process.env.NODE_OPTIONS = HEAP
  server = await startServer(directory)
  if (NODE_OPTIONS === undefined) delete process.env.NODE_OPTIONS
  else process.env.NODE_OPTIONS = NODE_OPTIONS
  root = (await send('PUT', '/')).json<{ root: string }>().root
  const body = { type: 'H5T_STD_I32LE', shape: [1_000_000] }
  dataset = (await send('POST', '/datasets', body)).json<{ id: string }>().id
})
afterAll(async () => {
  await server.end('SIGTERM')
  await rm(directory, { recursive: true, force: true })
})

function send(method: Method, path: string, body?: unknown) {
  const headers = { 'x-hdf-domain': DOMAIN, authorization: basic(USER1) }
  return sendTo(server.address, method, path, body, { headers, alone: true })
}

function repeated(text: string): string {
  return text.repeat(Math.floor(LENGTH / text.length))
}

const names = Array.from({ length: LENGTH / 12 }, (_, index) => `"${index}":1,`).join('')
const links = Array.from({ length: LENGTH / 30 }, (_, index) => `"n${index}":{"h5path":"/x"},`).join('')

test.each<[string, Method, () => string, string]>([
  ['objects', 'POST', () => '/groups', `[${repeated('{"a":1},')}{}]`],
  ['empty objects', 'POST', () => '/groups', `[${repeated('{},')}{}]`],
  ['arrays', 'POST', () => '/', `{"h5paths":[${repeated('[1],')}1]}`],
  ['deep arrays', 'POST', () => '/datatypes', `[${repeated(`${'['.repeat(60)}1${']'.repeat(60)},`)}1]`],
  ['names', 'POST', () => '/datasets', `{${names}"type":1}`],
  ['links', 'PUT', () => `/groups/${root}/links`, `{"links":{${links}"z":{"h5path":"/x"}}}`],
  ['other members of values', 'PUT', () => `/datasets/${dataset}/value`, `{"select":[${repeated('{},')}1]}`],
  ['points', 'POST', () => `/datasets/${dataset}/value`, `{"points":[${repeated('1,')}1]}`],
  ['an element', 'PUT', () => `/datasets/${dataset}/value`, `{"value":[{"a":[${repeated('{},')}1]}]}`],
])('%s', async (_, method, path, body) => {
  const sent = Array.from({ length: AT_ONCE }, () => send(method, path(), body))
  const statuses = new Set((await Promise.all(sent)).map(({ status }) => status))
  expect(
    [...statuses].every(status => status === 413 || status === 503),
    `${[...statuses]}`,
  ).toBe(true)
  expect((await send('GET', '/about')).status).toBe(200)
})
