import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readSettings } from '../settings/config.ts'
import type { Settings } from '../settings/table.ts'
import { type Ask, checkPort, checkProxies, checkPublicUrl } from './addresses.ts'
import { lineOf, ok, withinTime } from './finding.ts'
import { checkNode, checkOpenFiles, checkPermissions, checkRoom } from './machine.ts'
import { tryMount } from './mounts.ts'
import { checkAccess, checkStore } from './storage.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hyperslab-doctor-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const settings = (options: Record<string, string> = {}): Settings =>
  readSettings({ data: join(folder, 'data'), ...options }, {})

describe('the machine', () => {
  it.each([
    ['v20.19.0', 'ok'],
    ['v23.1.0', 'note'],
    ['v24.0.0', 'ok'],
  ])('Node %s is %s', (version, state) => {
    expect(checkNode(version).state).toBe(state)
  })

  it.each([
    [{ bavail: 1 << 20, bsize: 1 << 20, files: 10, ffree: 5 }, 'ok'],
    [{ bavail: 1 << 20, bsize: 1 << 20, files: 0, ffree: 0 }, 'ok'],
    [{ bavail: 1 << 20, bsize: 1 << 20, files: 10, ffree: 0 }, 'wrong'],
    [{ bavail: 1 << 10, bsize: 1 << 20, files: 0, ffree: 0 }, 'note'],
    [{ bavail: 3, bsize: 1 << 20, files: 0, ffree: 0 }, 'wrong'],
  ])('a disk with %j is %s', (room, state) => {
    expect(checkRoom({ dataFolder: folder }, room).state).toBe(state)
  })

  it.each([
    [256, 'note', /at most 256, so 128 connections: raise it/],
    [65_536, 'ok', /at most 65536/],
    [Number.POSITIVE_INFINITY, 'ok', /no limit/],
  ])('%d open files are %s', (limit, state, text) => {
    expect(checkOpenFiles({ maxConnections: 0 }, limit)).toMatchObject({
      state,
      text: expect.stringMatching(text),
    })
  })

  it('a data folder may be new, and may not hold files of others', () => {
    expect(checkPermissions(settings())).toMatchObject([
      { state: 'ok', text: expect.stringContaining('is new') },
    ])
    writeFileSync(join(folder, 'notes.txt'), '')
    expect(checkPermissions({ ...settings(), dataFolder: folder })).toMatchObject([
      { state: 'wrong', text: expect.stringContaining('it contains notes.txt') },
    ])
  })
})

describe('addresses', () => {
  const answers =
    (status: number, isHyperslab = true): Ask =>
    async () => ({ status, isHyperslab })
  const fails =
    (code: string): Ask =>
    async () => {
      throw Object.assign(new Error(`failed with ${code}`), { code })
    }

  it.each<[url: string, get: Ask, state: string, text: string]>([
    ['https://data.example.org', answers(200), 'ok', 'its certificate is good'],
    ['http://data.example.org', answers(200), 'note', 'use https'],
    ['http://localhost:8080', answers(200), 'ok', 'answers'],
    ['https://data.example.org', answers(502, false), 'note', 'start the service'],
    ['https://data.example.org', answers(404, false), 'wrong', 'hand all paths on'],
    ['https://data.example.org', fails('CERT_HAS_EXPIRED'), 'wrong', 'renew the certificate'],
    ['https://data.example.org', fails('DEPTH_ZERO_SELF_SIGNED_CERT'), 'wrong', 'NODE_EXTRA_CA_CERTS'],
    ['https://data.example.org', fails('ENOTFOUND'), 'wrong', 'correct the name'],
    ['https://data.example.org', fails('ECONNREFUSED'), 'wrong', 'start the proxy'],
  ])('public_url %s', async (publicUrl, get, state, text) => {
    const finding = await checkPublicUrl(settings({ publicUrl }), get)
    expect(finding).toMatchObject({ state, text: expect.stringContaining(text) })
  })

  it('the port is free, or an address of another machine cannot be had', async () => {
    expect(await checkPort(settings({ port: '0' }))).toMatchObject({ state: 'ok' })
    const other = settings({ host: '192.0.2.1' })
    expect(await checkPort(other, fails('ECONNREFUSED'))).toMatchObject({
      state: 'wrong',
      text: '192.0.2.1 is not an address of this machine',
    })
    expect(await checkPort(other, answers(200))).toMatchObject({ state: 'ok' })
  })

  it.each(['127.0.0.1', '[::1]'])('a service on all networks is found at %s', async host => {
    const taken = createServer()
    taken.listen(0, '::')
    await once(taken, 'listening')
    const { port = 0 } = taken.address() as AddressInfo
    const get: Ask = async address => {
      if (address !== `http://${host}:${port}/health`) throw new Error('refused')
      return { status: 200, isHyperslab: true }
    }
    const finding = await checkPort(settings({ host: '::', port: String(port) }), get)
    expect(finding).toMatchObject({ state: 'ok', text: `a service of Hyperslab answers at [::]:${port}` })
    taken.close()
  })

  it.each([
    [{}, {}, ['ok']],
    [{ keepAliveTimeout: '5' }, {}, ['note']],
    [{}, { https_proxy: 'http://proxy:3128' }, ['ok']],
    [{ mount: 'https://files.example.org/a' }, { https_proxy: 'http://proxy:3128' }, ['note']],
  ])('proxies with %j and %j', (options, environment, states) => {
    const findings = checkProxies(settings(options as Record<string, string>), environment)
    expect(findings.map(({ state }) => state)).toEqual(states)
  })
})

describe('access', () => {
  it.each([
    [{}, 'note', 'until there is an account'],
    [{ host: '0.0.0.0' }, 'wrong', '--default-acl read'],
    [{ host: '0.0.0.0', openToNetwork: 'true' }, 'note', '--default-acl read or none'],
    [{ defaultAcl: 'read', newDomains: 'authenticated' }, 'ok', 'only users change data'],
  ])('with %j', (options, state, text) => {
    const finding = checkAccess(settings(options as Record<string, string>), undefined)
    expect(finding).toMatchObject({ state, text: expect.stringContaining(text) })
  })

  it('a store that is not there yet is right, and nothing is made', async () => {
    const { findings, accounts } = await checkStore(settings())
    expect([findings.map(({ state }) => state), accounts]).toEqual([['ok'], undefined])
  })
})

it('a mounted folder that is not there, or is a file, is refused', async () => {
  await expect(tryMount(join(folder, 'none'), false)).rejects.toThrow('ENOENT')
  writeFileSync(join(folder, 'x.h5'), '')
  await expect(tryMount(join(folder, 'x.h5'), false)).rejects.toThrow('mount its folder')
})

it('a line begins with its state; work that does not end is given up', async () => {
  expect(lineOf(ok('disk', 'free'))).toBe('ok     disk: free')
  await expect(withinTime(0.01, () => new Promise(() => {}))).rejects.toThrow('no answer within')
})
