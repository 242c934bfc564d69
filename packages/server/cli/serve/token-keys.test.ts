import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, exportPKCS8, exportSPKI, generateKeyPair, type JWK, jwtVerify, SignJWT } from 'jose'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTokenKeys, type TokenKeys } from './token-keys.ts'

type Pair = Awaited<ReturnType<typeof generateKeyPair>>
let first: Pair
let second: Pair
let folder: string
let reports: unknown[]
let server: Server | undefined

beforeAll(async () => {
  first = await generateKeyPair('RS256', { extractable: true })
  second = await generateKeyPair('ES256', { extractable: true })
})

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hyperslab-keys-'))
  reports = []
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
  server?.closeAllConnections()
  server?.close()
  server = undefined
})

const report = (error: unknown) => reports.push(error)

function file(text: string): string {
  const path = join(folder, 'keys')
  writeFileSync(path, text)
  return path
}

async function jwk({ publicKey }: Pair, kid: string): Promise<JWK> {
  return { ...(await exportJWK(publicKey)), kid }
}

const tokenOf = (pair: Pair, kid: string, alg = pair === first ? 'RS256' : 'ES256') =>
  new SignJWT({ sub: 'ann' }).setProtectedHeader({ alg, kid }).sign(pair.privateKey)

/** 'good', or the code of the error. */
async function outcome(keys: TokenKeys, token: string): Promise<string> {
  try {
    await jwtVerify(token, keys.keyOf)
    return 'good'
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'other'
  }
}

/** A provider; the address of a path of it. */
async function provide(answer: RequestListener): Promise<(path: string) => string> {
  const listening = createServer(answer)
  server = listening
  await new Promise<void>(resolve => listening.listen(0, '127.0.0.1', resolve))
  const { port } = listening.address() as AddressInfo
  return path => `http://127.0.0.1:${port}${path}`
}

describe('keys in a file', () => {
  it('may be a JWKS, a JWK or a PEM, and are read again when it changes', async () => {
    const path = file(JSON.stringify({ keys: [await jwk(first, 'one'), await jwk(second, 'two')] }))
    const keys = openTokenKeys(path, report)
    expect(await outcome(keys, await tokenOf(first, 'one'))).toBe('good')
    expect(await outcome(keys, await tokenOf(second, 'two'))).toBe('good')
    expect(await outcome(keys, await tokenOf(second, 'three'))).toBe('ERR_JWKS_NO_MATCHING_KEY')
    file(JSON.stringify(await jwk(second, 'three')))
    expect(await outcome(keys, await tokenOf(second, 'three'))).toBe('good')
    expect(await outcome(keys, await tokenOf(first, 'one'))).toBe('ERR_JWKS_NO_MATCHING_KEY')
    file(await exportSPKI(first.publicKey))
    expect(await outcome(keys, await tokenOf(first, 'any'))).toBe('good')
    expect(await outcome(keys, await tokenOf(second, 'any'))).not.toBe('good')
    const good = await exportSPKI(first.publicKey)
    file('{')
    for (let asked = 0; asked < 2; asked++) {
      expect(await outcome(keys, await tokenOf(first, 'any'))).toBe('token-keys-unavailable')
      expect(reports).toHaveLength(1)
    }
    file(good)
    expect(await outcome(keys, await tokenOf(first, 'any'))).toBe('good')
    expect(keys.issuer()).toBeUndefined()
  })

  it.each([
    ['', 'one public key'],
    ['text', 'one public key'],
    ['{', 'JSON'],
    ['{"a": 1}', 'contains no keys'],
    ['-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n', 'contains no keys'],
  ])('are refused at the start: %j', (text, why) => {
    expect(() => openTokenKeys(file(text), report)).toThrow(why)
  })

  it('are not a private key, nor nothing', async () => {
    expect(() => openTokenKeys(join(folder, 'none'), report)).toThrow('there is no file')
    const text = await exportPKCS8(first.privateKey)
    expect(() => openTokenKeys(file(text), report)).toThrow('private')
  })
})

describe('keys at an address', () => {
  it('are those of a JWKS, fetched once for many', async () => {
    let asked = 0
    const keySet = { keys: [await jwk(first, 'one')] }
    const at = await provide((_, response) => {
      asked++
      response.end(JSON.stringify(keySet))
    })
    const keys = openTokenKeys(at('/jwks'), report)
    const token = await tokenOf(first, 'one')
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => outcome(keys, token)))
    expect(new Set(outcomes)).toEqual(new Set(['good']))
    expect(asked).toBe(1)
    // Unknown keys are asked for, but not each time.
    for (let i = 0; i < 5; i++) {
      expect(await outcome(keys, await tokenOf(second, `x${i}`))).toBe('ERR_JWKS_NO_MATCHING_KEY')
    }
    expect(asked).toBeLessThanOrEqual(2)
  })

  it('may come from a discovery document, with the issuer', async () => {
    const keySet = { keys: [await jwk(first, 'one')] }
    const at = await provide((request, response) => {
      const found = { issuer: 'https://id.example.org', jwks_uri: at('/keys') }
      response.end(JSON.stringify(request.url === '/keys' ? keySet : found))
    })
    const keys = openTokenKeys(at('/.well-known/openid-configuration'), report)
    expect(keys.issuer()).toBeUndefined()
    expect(await outcome(keys, await tokenOf(first, 'one'))).toBe('good')
    expect(keys.issuer()).toBe('https://id.example.org')
  })

  it.each<[string, RequestListener]>([
    ['answers 500', (_, response) => response.writeHead(500).end()],
    ['answers no JSON', (_, response) => response.end('<html>')],
    ['answers something else', (_, response) => response.end('{"a": 1}')],
    ['answers a list', (_, response) => response.end('[]')],
    ['breaks off', (_, response) => response.destroy()],
  ])('are unavailable when the provider %s, which is then left alone', async (_, answer) => {
    let asked = 0
    const at = await provide((request, response) => {
      asked++
      answer(request, response)
    })
    const keys = openTokenKeys(at('/jwks'), report)
    for (let i = 0; i < 3; i++) {
      expect(await outcome(keys, await tokenOf(first, 'one'))).toBe('token-keys-unavailable')
    }
    expect(asked).toBe(1)
  })

  it('are unavailable when the server is away', async () => {
    const keys = openTokenKeys('http://127.0.0.1:9/jwks', report)
    expect(await outcome(keys, await tokenOf(first, 'one'))).toBe('token-keys-unavailable')
    expect(reports).toHaveLength(1)
  })

  it('are unavailable, and not waited for without end, when the provider says nothing', async () => {
    let asked = 0
    const at = await provide(() => {
      asked++
    })
    const keys = openTokenKeys(at('/jwks'), report, 300)
    expect(await outcome(keys, await tokenOf(first, 'one'))).toBe('token-keys-unavailable')
    expect(await outcome(keys, await tokenOf(first, 'one'))).toBe('token-keys-unavailable')
    expect(asked).toBe(1)
  })
})
