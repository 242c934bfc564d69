// Files of pages: how a folder becomes a table, and what a server answers with it. test/wire/pages.test.ts asks the
// real ones.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { listening, openMemoryStore, serverOf } from '../../../../test/fixtures/server.ts'
import type { Server } from '../server.ts'
import { readAssets } from './assets.ts'

const folders: string[] = []
const servers: Server[] = []

function folderOf(files: Readonly<Record<string, string | Uint8Array>>): URL {
  const folder = mkdtempSync(join(tmpdir(), 'hyperslab-assets-'))
  folders.push(folder)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return pathToFileURL(`${folder}/`)
}

async function addressOf(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const server = serverOf(openMemoryStore(), { pages: { docs: readAssets(folderOf(files)), ui: new Map() } })
  servers.push(server)
  return listening(server)
}

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

describe('readAssets', () => {
  it('reads the files of a folder: index.html is its page, other pages have no extension', () => {
    const assets = readAssets(
      folderOf({ 'index.html': '<p>', 'about.html': '<b>', 'a.0123456789abcdef.css': 'p {}' }),
    )
    const seen = [...assets].map(([path, { contentType, isFixed }]) => [path, contentType, isFixed])
    expect(seen.sort()).toEqual([
      ['', 'text/html; charset=utf-8', false],
      ['a.0123456789abcdef.css', 'text/css; charset=utf-8', true],
      ['about', 'text/html; charset=utf-8', false],
    ])
    const tags = [...assets.values()].map(({ entityTag }) => entityTag)
    expect(new Set(tags).size).toBe(3)
  })

  it('keeps the compressed bytes of a file beside its own', () => {
    const assets = readAssets(folderOf({ 'a.css': 'p {}', 'a.css.gz': 'packed' }))
    expect([...assets.keys()]).toEqual(['a.css'])
    expect(Buffer.from(assets.get('a.css')?.gzip ?? []).toString()).toBe('packed')
  })

  it('rejects a file whose content type is not known', () => {
    expect(() => readAssets(folderOf({ 'page.exe': '' }))).toThrow('page.exe')
  })
})

describe('a server with assets', () => {
  const files = { 'index.html': '<p>', 'a.0123456789abcdef.js': 'f()', 'empty.txt': '' }

  it.each([
    ['/docs', '<p>', 'no-cache'],
    ['/docs/a.0123456789abcdef.js', 'f()', 'public, max-age=31536000, immutable'],
    ['/docs/empty.txt', '', 'no-cache'],
  ])('answers GET and HEAD of %s, and 304 to a caller that has it', async (path, text, caching) => {
    const url = (await addressOf(files)) + path
    const answer = await fetch(url)
    expect([answer.status, await answer.text()]).toEqual([200, text])
    expect(answer.headers.get('cache-control')).toBe(caching)
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'")
    const etag = answer.headers.get('etag') ?? ''
    const head = await fetch(url, { method: 'HEAD' })
    expect([head.status, head.headers.get('etag')]).toEqual([200, etag])
    expect(head.headers.get('content-length')).toBe(String(text.length))
    const known = await fetch(url, { headers: { 'If-None-Match': etag } })
    expect([known.status, known.headers.get('cache-control')]).toEqual([304, caching])
  })

  it.each([
    ['gzip, deflate, br', true],
    ['*', true],
    ['gzip;q=0', false],
    ['br', false],
  ])('answers Accept-Encoding: %s with compressed bytes or not', async (accepted, isCompressed) => {
    const text = 'f()'.repeat(100)
    const url = `${await addressOf({ 'a.js': text, 'a.js.gz': gzipSync(text) })}/docs/a.js`
    const headers = { 'accept-encoding': accepted }
    const answer = await fetch(url, { headers })
    expect(answer.headers.get('content-encoding')).toBe(isCompressed ? 'gzip' : null)
    expect(answer.headers.get('vary')).toContain('Accept-Encoding')
    expect(await answer.text()).toBe(text)
    const etag = answer.headers.get('etag') ?? ''
    expect((await fetch(url, { headers: { ...headers, 'if-none-match': etag } })).status).toBe(304)
  })

  it('lets pages of the listed origins show /ui in a frame, and those of no origin without a list', async () => {
    const assets = readAssets(folderOf({ 'index.html': '<p>', 'embed.html': '<b>' }))
    const framing = async (frameAncestors?: readonly string[]) => {
      const pages = { docs: assets, ui: assets, ...(frameAncestors && { frameAncestors }) }
      const server = serverOf(openMemoryStore(), { pages })
      servers.push(server)
      const address = await listening(server)
      const seen = async (path: string, headers = {}) => {
        const answer = await fetch(address + path, { headers })
        const policy = answer.headers.get('content-security-policy') ?? ''
        return [/frame-ancestors [^;]*/.exec(policy)?.[0], answer.headers.get('x-frame-options')]
      }
      const [page, embed, docs] = [await seen('/ui'), await seen('/ui/embed?path=/a'), await seen('/docs')]
      expect(await seen('/', { accept: 'text/html' })).toEqual(page)
      expect(embed).toEqual(page)
      expect(docs).toEqual(["frame-ancestors 'none'", 'DENY'])
      return page
    }
    expect(await framing()).toEqual(["frame-ancestors 'none'", 'DENY'])
    expect(await framing([])).toEqual(["frame-ancestors 'none'", 'DENY'])
    expect(await framing(['https://a.org', 'http://localhost:3000'])).toEqual([
      'frame-ancestors https://a.org http://localhost:3000',
      null,
    ])
  })

  it.each(['/docs/index.html', '/docs/b.js', '/docs/a/b', '/docs/..%2f..%2fpackage.json'])(
    'has nothing at %s',
    async path => {
      const answer = await fetch((await addressOf(files)) + path)
      expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'file-not-found' }])
    },
  )

  it('leads from the path with a slash to the page', async () => {
    const answer = await fetch(`${await addressOf(files)}/docs/`, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([308, '../docs'])
  })
})
