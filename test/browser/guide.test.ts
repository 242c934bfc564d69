// The guide in a browser, through a proxy that serves the service below a path: the search leads to a section, by the
// keys alone, and on a phone a button opens the list of pages.

import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { hasNoBrowser, openPage } from './browser.ts'

const PREFIX = '/data'

describe.skipIf(hasNoBrowser)('the guide', () => {
  let proxy: Server
  let guide: string

  beforeAll(async () => {
    proxy = createServer(({ method, url = '', headers }, response) => {
      const isBelow = url.startsWith(`${PREFIX}/`)
      if (!isBelow) return response.writeHead(404).end()
      const sent = request(inject('address'), { method, headers, path: url.slice(PREFIX.length) }, answer => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      })
      return sent.end()
    })
    await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
    const { port } = proxy.address() as AddressInfo // a server on a port has no other kind of address
    guide = `http://127.0.0.1:${port}${PREFIX}/docs/guide`
  })

  afterAll(() => {
    proxy.closeAllConnections()
    proxy.close()
  })

  test('is searched by the keys', async () => {
    const page = await openPage()
    await page.goto(guide)
    await page.keyboard.press('/')
    await page.keyboard.type('wrong password delay')
    const results = page.getByRole('search').getByRole('link')
    await results.filter({ hasText: 'Wrong passwords' }).first().waitFor()
    await page.keyboard.press('ArrowDown')
    expect(await results.first().evaluate(link => link === document.activeElement)).toBe(true)
    await page.keyboard.press('Escape')
    await results.first().waitFor({ state: 'hidden' })
    await page.getByRole('searchbox').fill('Wrong passwords Logins')
    await results.filter({ hasText: 'Wrong passwords' }).first().click()
    await page.waitForURL('**/docs/guide/logins#wrong-passwords')
    await page.getByRole('heading', { name: 'Wrong passwords' }).waitFor()
    await page.getByRole('searchbox').fill('qqqqqqq')
    await page.getByText('Nothing has qqqqqqq').waitFor()
  })

  test('has its list of pages behind a button on a phone', async () => {
    const page = await openPage({ viewport: { width: 360, height: 740 } })
    await page.goto(`${guide}/logins`)
    const contents = page.getByRole('navigation', { name: 'Contents' })
    await contents.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Contents' }).click()
    await contents.getByRole('link', { name: 'Sessions', exact: true }).click()
    await contents.waitFor({ state: 'hidden' })
    await page.waitForURL('**/docs/guide/logins#sessions')
    await page.getByRole('button', { name: 'Contents' }).click()
    await contents.getByRole('link', { name: 'Limits and memories' }).click()
    await page.waitForURL('**/docs/limits')
    await page.getByRole('heading', { name: 'Limits and memories' }).waitFor()
  })
})
