// C23: the real viewer (@h5web/app) in a real Chromium, on a page of another origin: what it shows of a domain that is
// made here, and that none of its requests is refused.

import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import http from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { makeHome, newDomain } from '../wire/hsds/domain.ts'
import { VIEWER } from '../wire/server.ts'
import { tellSkipped } from './clients.ts'

const PACKAGES = process.env.HYPERSLAB_H5WEB ?? ''
const CHROMIUM = process.env.HYPERSLAB_CHROMIUM ?? ''
const NEEDED = ['@h5web/app', 'react', 'react-dom', 'esbuild', 'playwright-core']

// The viewer as its documentation shows it, with the server, the domain and the account that the page's address names.
const PAGE = `
import { App, buildBasicAuthHeader, createBasicFetcher, HsdsProvider } from '@h5web/app'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import '@h5web/app/styles.css'

const { url, domain, user, password } = Object.fromEntries(new URLSearchParams(location.search))
const fetcher = createBasicFetcher({ headers: buildBasicAuthHeader(user, password) })
const app = createElement(App, { initialPath: '/' })
const provider = createElement(HsdsProvider, { url, filepath: domain, fetcher }, app)
createRoot(document.body.appendChild(document.createElement('div'))).render(provider)
`

// The parts of esbuild's and playwright-core's interfaces that are used here; neither is a dependency of the project.
interface Bundler {
  build(options: object): Promise<unknown>
}
interface Locator {
  click(): Promise<void>
  first(): Locator
  waitFor(): Promise<void>
  allInnerTexts(): Promise<string[]>
}
interface Page {
  on(event: 'pageerror', listener: (error: Error) => void): void
  on(event: 'response', listener: (response: Response) => void): void
  goto(url: string): Promise<unknown>
  getByRole(role: string, options?: object): Locator
  getByText(text: string | RegExp, options?: object): Locator
}
interface Response {
  url(): string
  status(): number
  request(): { method(): string }
}
interface Browser {
  newPage(): Promise<Page>
  close(): Promise<void>
}
interface Playwright {
  chromium: { launch(options: object): Promise<Browser> }
}

function missingViewer(): string | undefined {
  const absent = NEEDED.filter(name => !existsSync(join(PACKAGES, 'node_modules', name)))
  if (PACKAGES === '' || absent.length > 0) {
    return `HYPERSLAB_H5WEB is not a folder where npm has installed ${NEEDED.join(', ')}`
  }
  return existsSync(CHROMIUM) ? undefined : 'HYPERSLAB_CHROMIUM is not the program chromium'
}

const missing = missingViewer()
if (missing !== undefined) tellSkipped('the scenario with the viewer h5web in a browser', missing)

describe.skipIf(missing !== undefined)('h5web in a browser', { timeout: 120_000 }, () => {
  let built = ''
  let pages: http.Server
  let browser: Browser

  beforeAll(async () => {
    await makeHome()
    const load = createRequire(join(PACKAGES, 'package.json'))
    built = await mkdtemp(join(tmpdir(), 'hyperslab-h5web-'))
    const bundler: Bundler = load('esbuild')
    await bundler.build({
      stdin: { contents: PAGE, resolveDir: PACKAGES, sourcefile: 'page.js' },
      bundle: true,
      format: 'esm',
      outfile: join(built, 'page.js'),
      define: { 'process.env.NODE_ENV': '"production"' },
      logLevel: 'error',
    })
    pages = http.createServer((request, response) => void servePage(built, request, response))
    await new Promise<void>(resolve => pages.listen(0, '127.0.0.1', resolve))
    const { port } = pages.address() as AddressInfo // a server on a port has no other kind of address
    const playwright: Playwright = load('playwright-core')
    // The page is at an address that the server under test lets log in.
    const { host } = new URL(VIEWER)
    const args = ['--no-sandbox', `--host-resolver-rules=MAP ${host} 127.0.0.1:${port}`]
    browser = await playwright.chromium.launch({ executablePath: CHROMIUM, args })
  })

  afterAll(async () => {
    await browser?.close()
    pages?.close()
    await rm(built, { recursive: true, force: true })
  })

  test('it shows groups, values, attributes and links', async () => {
    const domain = await newDomain()
    const other = await newDomain()
    const double = { class: 'H5T_FLOAT', base: 'H5T_IEEE_F64LE' }
    const text = {
      class: 'H5T_STRING',
      charSet: 'H5T_CSET_UTF8',
      strPad: 'H5T_STR_NULLTERM',
      length: 'H5T_VARIABLE',
    }
    const group = await domain.group('g')
    const put = async (name: string, type: object, shape: readonly number[] | undefined, value: string) => {
      const id = await domain.dataset({ type, ...(shape && { shape }), link: { id: group, name } })
      await domain.want(200, 'PUT', `/datasets/${id}/value`, `{"value": ${value}}`)
      return id
    }
    await put('title', text, undefined, '"gr\u00fc\u00df dich"')
    await put('number', double, undefined, '42.5')
    await put(
      'records',
      {
        class: 'H5T_COMPOUND',
        fields: [
          { name: 'depth', type: double },
          { name: 'label', type: text },
        ],
      },
      [2],
      '[[1.5, "first"], [2.5, "second"]]',
    )
    const matrix = await put('matrix', double, [2, 3], '[[1, NaN, 2], [3, 4, 12345]]')
    await domain.want(201, 'PUT', `/datasets/${matrix}/attributes/unit`, { type: text, value: 'metre' })
    await domain.want(201, 'PUT', `/groups/${group}/links/soft`, { h5path: '/g/number' })
    await domain.want(201, 'PUT', `/groups/${group}/links/away`, { h5path: '/x', h5domain: other.path })

    const page = await browser.newPage()
    const refused: string[] = []
    const errors: string[] = []
    let answered = 0
    page.on('pageerror', error => errors.push(String(error)))
    page.on('response', response => {
      if (!response.url().startsWith(inject('address'))) return
      answered++
      if (response.status() >= 300) refused.push(`${response.status()} ${response.url()}`)
    })
    const settings = { url: inject('address'), domain: domain.path, user: 'test_user1', password: 'test' }
    await page.goto(`${VIEWER}/?${new URLSearchParams(settings)}`)

    const open = (name: string) => page.getByRole('treeitem', { name, exact: true }).first().click()
    const shows = (shown: string | RegExp) => page.getByText(shown).first().waitFor()
    await open('g')
    await page.getByRole('treeitem', { name: 'matrix', exact: true }).first().waitFor()
    const names = await page.getByRole('treeitem').allInnerTexts()
    expect(names.flatMap(name => name.split('\n')).map(name => name.trim())).toEqual(
      expect.arrayContaining(['g', 'title', 'number', 'records', 'matrix', 'soft', 'away']),
    )
    await open('title')
    await shows('grüß dich')
    await open('number')
    await shows('42.5')
    await open('records')
    await shows('second')
    await open('matrix')
    await page.getByRole('tab', { name: 'Matrix', exact: true }).click()
    await shows(/^(1\.235e\+4|12345)$/)
    await page.getByRole('tab', { name: 'Inspect', exact: true }).click()
    await shows('metre')
    await shows(/64-bit, little-endian|Float/)

    expect(errors).toEqual([])
    expect(refused).toEqual([])
    expect(answered).toBeGreaterThan(10)
  })
})

/** The page of the viewer and what was built for it. */
async function servePage(
  folder: string,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  const name = new URL(request.url ?? '/', 'http://page').pathname.slice(1)
  const types: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css' }
  const type = types[name.split('.').at(-1) ?? '']
  if (name === '') {
    const head = '<!doctype html><title>h5web</title><link rel="stylesheet" href="/page.css">'
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(`${head}<body style="height: 100vh"><script type="module" src="/page.js"></script></body>`)
  } else if (type === undefined || !existsSync(join(folder, name))) {
    response.writeHead(404).end()
  } else {
    response.writeHead(200, { 'content-type': type }).end(await readFile(join(folder, name)))
  }
}
