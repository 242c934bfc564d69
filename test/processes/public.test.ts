// A service that is open to the world.

import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Method, type Options, sendTo } from '../wire/client.ts'
import { newWorkingDirectory, type RunningServer, runCommand, startServer } from '../wire/server.ts'

const HSDS = '/?domain=/open.h5'
const CLASSIC = { host: 'open.hdfgroup.org' }

let directory: string
let server: RunningServer

beforeAll(async () => {
  directory = await newWorkingDirectory()
  await runCommand(directory, ['user', 'add', 'admin', '--admin'], 'admin\n')
  server = await startServer(directory, ['--public'])
  await want(201, 'PUT', HSDS, undefined, { user: 'admin' })
  // The list of the domain lets everybody change it: the service does not.
  const acl = { create: true, read: true, update: true, delete: true, readACL: true, updateACL: true }
  await want(201, 'PUT', '/acls/default?domain=/open.h5', acl, { user: 'admin' })
})
afterAll(async () => {
  await server.end('SIGTERM')
  await rm(directory, { recursive: true, force: true })
})

async function want(status: number, method: Method, path: string, body?: unknown, options?: Options) {
  const reply = await sendTo(server.address, method, path, body, options)
  expect(reply.status, reply.story).toBe(status)
  return reply
}

test('is only read without a login, in both dialects', async () => {
  const reply = await want(401, 'POST', '/groups?domain=/open.h5', {})
  expect(reply.story).toContain('can only be read without a login')
  await want(401, 'POST', '/groups', {}, { headers: CLASSIC })
  await want(401, 'PUT', '/?domain=/other.h5')
  await want(401, 'DELETE', HSDS)
  await want(200, 'GET', HSDS)
  await want(200, 'GET', '/groups', undefined, { headers: CLASSIC })
  // A read with a body.
  await want(200, 'POST', HSDS, { h5paths: ['/'] })
  await want(201, 'POST', '/groups?domain=/open.h5', {}, { user: 'admin' })
})

test('lets caches keep what is open, and nothing that needed a right', async () => {
  const { root } = (await want(200, 'GET', HSDS)).json<{ root: string }>()
  for (const path of [HSDS, `/groups/${root}?domain=/open.h5`, '/domains', '/h5/open.h5']) {
    const open = await want(200, 'GET', path)
    expect(open.headers['cache-control'], path).toMatch(/^(public, )?no-cache$/)
    expect(open.headers.vary, path).not.toContain('User-Agent')
    const own = await want(200, 'GET', path, undefined, { user: 'admin' })
    expect(own.headers['cache-control'], path).toContain('private')
  }
  const missing = await want(404, 'GET', '/?domain=/none.h5')
  expect(missing.headers['cache-control']).toBe('no-cache')
  const inHeader = await want(200, 'GET', '/', undefined, { headers: { 'x-hdf-domain': '/open.h5' } })
  expect(inHeader.headers.vary).toContain('User-Agent')
})

test('lets search engines visit pages, and no data', async () => {
  const { text } = await want(200, 'GET', '/robots.txt')
  expect(text.split('\n')).toEqual([
    'User-agent: *',
    'Allow: /ui',
    'Allow: /docs',
    'Allow: /favicon.ico',
    'Disallow: /',
    '',
  ])
})
