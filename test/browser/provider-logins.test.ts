// Logging in at real identity providers, in Chromium: two providers, one server, and people that know the page only.

import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type IdentityProvider, startIdentityProvider } from '../servers/identity-provider.ts'
import { startTcpProxy, type TcpProxy } from '../servers/tcp-proxy.ts'
import { basic, sendTo } from '../wire/client.ts'
import { newWorkingDirectory, type RunningServer, runCommand, startServer } from '../wire/server.ts'
import { hasNoBrowser, openPage } from './browser.ts'
import { account, logOut } from './ui.ts'

let directory: string
let lab: IdentityProvider
let uni: IdentityProvider
let server: RunningServer | undefined
/** Has the public address, which the service and the providers know before the service starts. */
let line: TcpProxy
let address: string

beforeAll(async () => {
  if (hasNoBrowser) return
  directory = await newWorkingDirectory()
  await runCommand(directory, ['user', 'add', 'root', '--admin'], 'root-secret\n')
  ;[lab, uni] = await Promise.all([startIdentityProvider(), startIdentityProvider()])
  line = await startTcpProxy(() => server && Number(new URL(server.address).port))
  address = `http://127.0.0.1:${line.port}`
  for (const provider of [lab, uni]) provider.setService(address)
  const claims = (name: string, groups: string[]) => ({ preferred_username: 'ann', name, groups })
  lab.people.set('ann', { subject: '1', claims: claims('Ann of the lab', ['physics']) })
  uni.people.set('ann', { subject: '1', claims: claims('Ann of the university', ['physics']) })
  const { id: client_id, secret: client_secret } = lab.client
  const providers = [
    { name: 'lab', title: 'The lab', issuer: lab.issuer, client_id, client_secret },
    { name: 'uni', title: 'The university', issuer: uni.issuer, client_id, client_secret },
  ]
  const file = join(directory, 'providers.json')
  await writeFile(file, JSON.stringify(providers))
  const options = ['--public-url', address, '--login-providers', file, '--default-acl', 'none']
  server = await startServer(directory, options)
  const headers = { authorization: basic('root', 'root-secret') }
  const asRoot = (path: string, body?: object) => sendTo(address, 'PUT', path, body, { headers })
  await asRoot('/?domain=/data', { folder: true, owner: 'root' })
  await asRoot('/?domain=/data/run1.h5', {})
  for (const domain of ['/data', '/data/run1.h5'])
    await asRoot(`/acls/g:physics@lab?domain=${domain}`, { read: true })
})

afterAll(async () => {
  if (hasNoBrowser) return
  await line?.close()
  await server?.end('SIGTERM')
  await Promise.all([lab.close(), uni.close()])
  await rm(directory, { recursive: true, force: true })
})

/** Enters a name on the page of the provider. */
async function enter(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Enter' }).click()
}

async function logInWith(page: Page, provider: string): Promise<void> {
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.getByRole('button', { name: `Log in with ${provider}` }).click()
}

describe.skipIf(hasNoBrowser)('a person with an account elsewhere', () => {
  test('logs in there, is back at the same place in each tab, and logs out here, and then there', async () => {
    const page = await openPage()
    let callback = ''
    page.on('request', request => {
      if (request.url().includes('/callback?')) callback = request.url()
    })
    await page.goto(`${address}/ui?folder=/data`)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByRole('button', { name: 'Log in with The university' }).waitFor()
    await page.getByRole('button', { name: 'Log in with The lab' }).click()
    await enter(page, 'ann')
    await page.getByText('Ann of the lab').waitFor()
    expect(page.url()).toBe(`${address}/ui?folder=/data`)
    // A right of the group.
    await page.getByRole('link', { name: 'run1.h5' }).first().waitFor()
    await page.reload()
    await page.getByText('Ann of the lab').waitFor()
    const other = await page.context().newPage()
    await other.goto(`${address}/ui?folder=/data`)
    await other.getByText('Ann of the lab').waitFor()
    const cookies = (await page.context().cookies()).filter(({ name }) => name.startsWith('hyperslab'))
    expect(cookies).toMatchObject([{ httpOnly: true, sameSite: 'Lax', path: '/' }])
    expect(await page.evaluate(() => document.cookie)).toBe('')
    // The provider did not learn which data the person looks at.
    for (const { referer } of lab.requests) expect(referer ?? '').not.toContain('/data')
    // Its answer is used once, which ends no login.
    await page.goto(callback)
    await page.getByRole('heading', { name: 'You are not logged in' }).waitFor()
    await page.goto(`${address}/ui`)
    await account(page, 'ann@lab').waitFor()
    await logOut(page, 'ann@lab')
    const dialog = page.getByRole('dialog').filter({ hasText: 'You are logged out here' })
    await dialog.getByRole('button', { name: 'Stay logged in there' }).click()
    // The provider still knows the person.
    await logInWith(page, 'The lab')
    await account(page, 'ann@lab').waitFor()
    await logOut(page, 'ann@lab')
    await dialog.getByRole('button', { name: 'Log out there, too' }).click()
    await page.getByRole('button', { name: 'Yes, log me out' }).click()
    await page.waitForURL(`${address}/ui`)
    await logInWith(page, 'The lab')
    await page.getByRole('button', { name: 'Enter' }).waitFor()
  })
})
