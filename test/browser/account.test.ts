// Logins in the page: what they show and keep, the tabs that they are in, and the use and the end of their sessions.

import { rm } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { startTcpProxy } from '../servers/tcp-proxy.ts'
import { send, USER1, USER2 } from '../wire/client.ts'
import { newPath, removeDomain } from '../wire/hsds/domain.ts'
import { newWorkingDirectory, type RunningServer, runCommand, startServer } from '../wire/server.ts'
import { hasNoBrowser, openPage } from './browser.ts'
import {
  account,
  addressOf,
  button,
  clientOfUser,
  holdUp,
  logIn,
  logOut,
  newFolder,
  openFolder,
  PASSWORD,
} from './ui.ts'

describe.skipIf(hasNoBrowser)('a login in the page', () => {
  test('says why it fails, stays over a reload and in each tab until it is ended, and hides its secrets', async () => {
    const domain = (await clientOfUser()).domain(newPath())
    await domain.create()
    onTestFinished(() => removeDomain(domain.path))
    const page = await openPage()
    await page.goto(addressOf({ domain: domain.path }))
    await page.getByText(/is not public/).waitFor()
    await logIn(page, USER1, 'wrong')
    const reason = page.getByRole('dialog').getByRole('alert')
    await reason.filter({ hasText: /password/ }).waitFor()
    await page.getByLabel('Password').fill(PASSWORD)
    await button(page, 'Log in').click()
    await page.getByRole('treeitem').first().waitFor()
    await page.reload()
    await account(page).waitFor()
    const other = await page.context().newPage()
    await other.goto(addressOf({ domain: domain.path }))
    await account(other).waitFor()
    const [cookie] = await page.context().cookies()
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })
    const kept = () => page.evaluate(() => [{ ...localStorage }, { ...sessionStorage }, document.cookie])
    // Neither the password nor the cookie: only the file that was opened, under the name of the user.
    const lists = {
      [`hyperslab-places / ${USER1}`]: JSON.stringify({ recent: [domain.path], favourites: [] }),
    }
    await expect.poll(kept).toEqual([lists, {}, ''])
    await logOut(other)
    await other.getByText(/is not public/).waitFor()
    expect(await page.context().cookies()).toEqual([])
    // The first tab knows it without a reload, and that of a login too.
    await page.getByText(/is not public/).waitFor()
    await logIn(other)
    await account(page).waitFor()
    await logOut(page)
    await page.getByText(/is not public/).waitFor()
    await logIn(page, USER2)
    const refusal = page.getByText(/permission|not allowed|may not/)
    await refusal.first().waitFor()
  })

  test('is asked for once the page knows that it is needed, and by nothing else before', async () => {
    const domain = (await clientOfUser()).domain(newPath())
    await domain.create()
    onTestFinished(() => removeDomain(domain.path))
    const page = await openPage()
    const { release, released } = holdUp()
    // The objects come by POST.
    await page.route(
      ({ pathname }) => pathname === '/',
      async route => {
        if (route.request().method() === 'GET') await released
        await route.continue()
      },
    )
    await page.goto(addressOf({ domain: domain.path }))
    await page.locator('.tree-row.lost').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    release()
    await page.getByText(/is not public/).waitFor()
  })

  test('is used by no page of another origin on the same host', async () => {
    const page = await openFolder(await newFolder())
    const line = await startTcpProxy(() => Number(new URL(inject('address')).port))
    onTestFinished(() => line.close())
    const evil = await page.context().newPage()
    // The same host at another port: browsers send the cookie there, too.
    await evil.goto(`http://127.0.0.1:${line.port}/health`)
    const outcomes = await evil.evaluate(async address => {
      const outcome = (path: string, init: RequestInit) =>
        fetch(address + path, { credentials: 'include', ...init }).then(
          response => String(response.status),
          () => 'refused',
        )
      const form = document.createElement('form')
      form.action = `${address}/tokens`
      form.method = 'POST'
      form.target = 'frame'
      document.body.append(form)
      form.submit()
      return Promise.all([
        outcome('/login', {}),
        outcome('/tokens', { method: 'POST', body: '{"name":"evil","end":"2999-01-01"}' }),
        outcome('/tokens', { method: 'POST', headers: { 'x-requested-with': 'x' }, body: '{}' }),
        outcome('/login', { method: 'DELETE' }),
      ])
    }, inject('address'))
    expect(outcomes).toEqual(['refused', 'refused', 'refused', 'refused'])
    const tokens = await send('GET', '/tokens', undefined, { user: USER1 })
    expect(tokens.json<{ tokens: { name: string }[] }>().tokens.map(({ name }) => name)).not.toContain('evil')
    await page.reload()
    await account(page).waitFor()
  })
})

describe.skipIf(hasNoBrowser)('the account in the page', () => {
  let directory: string
  let server: RunningServer

  beforeAll(async () => {
    directory = await newWorkingDirectory()
    await runCommand(directory, ['user', 'add', 'root', '--admin'], 'root-secret\n')
    await runCommand(directory, ['user', 'add', 'ann'], 'ann-secret\n')
    server = await startServer(directory)
  })

  afterAll(async () => {
    await server?.end('SIGTERM')
    await rm(directory, { recursive: true, force: true })
  })

  async function open(name: string, password: string, part: string): Promise<Page> {
    const page = await openPage()
    await page.goto(`${server.address}/ui`)
    await logIn(page, name, password)
    await account(page, name).click()
    await page.getByRole('menuitem', { name: part }).click()
    await page.getByRole('heading', { name: part, level: 1 }).waitFor()
    return page
  }

  test('lists sessions, and ends others but not this one', async () => {
    const other = await open('ann', 'ann-secret', 'Sessions')
    const page = await open('ann', 'ann-secret', 'Sessions')
    await page.getByText('this session').waitFor()
    await page
      .getByText(/on Linux/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'End all other sessions' }).click()
    await expect.poll(() => page.locator('.list li').count()).toBe(1)
    await other.getByRole('link', { name: 'Tokens' }).click()
    await other.getByText('Your login has ended').waitFor()
  })
})
