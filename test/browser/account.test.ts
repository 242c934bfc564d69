// The account in the page: the password, sessions and tokens of a user, and the users of a service.

import { rm } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basic, Hyperslab } from '../../packages/client/index.ts'
import { newWorkingDirectory, type RunningServer, runCommand, startServer } from '../wire/server.ts'
import { hasNoBrowser, openPage } from './browser.ts'
import { account, button, logIn } from './ui.ts'

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

  /** Whether the service accepts the header. */
  async function isAccepted(authorization: string): Promise<boolean> {
    const client = new Hyperslab(server.address, { authorization })
    return client.request('GET /login', {}).then(
      () => true,
      () => false,
    )
  }

  test('makes a token, shows it once, and revokes it', async () => {
    const page = await open('ann', 'ann-secret', 'Tokens')
    await page.getByText('You have no tokens yet.').waitFor()
    await page.getByLabel('Name of the program').fill('plots')
    await page.getByLabel('Only for this folder').fill('/home/ann')
    await page.getByRole('button', { name: 'Make the token' }).click()
    const secret = (await page.locator('.secret code').textContent()) ?? ''
    expect(secret).toMatch(/^hyperslab_/)
    await page.getByText('reads only').waitFor()
    expect(await isAccepted(`Bearer ${secret}`)).toBe(true)
    await page.reload()
    await page.getByText('plots').waitFor()
    expect(await page.getByText(secret).count()).toBe(0)
    await page.getByRole('button', { name: 'Revoke plots' }).click()
    await button(page, 'Revoke').click()
    await page.getByText('You have no tokens yet.').waitFor()
    expect(await isAccepted(`Bearer ${secret}`)).toBe(false)
  })

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

  test('changes the password, and says what was wrong', async () => {
    const page = await open('ann', 'ann-secret', 'Password')
    const change = async (password: string, next: string, again = next) => {
      await page.getByLabel('Present password').fill(password)
      await page.getByLabel('New password', { exact: true }).fill(next)
      await page.getByLabel('New password again').fill(again)
      await page.getByRole('button', { name: 'Change the password' }).click()
    }
    await change('ann-secret', 'new', 'other')
    await page.getByText('The two new passwords differ.').waitFor()
    await change('wrong', 'new')
    await page.getByRole('alert').filter({ hasText: 'is not the password' }).waitFor()
    await change('ann-secret', 'ann-new')
    await page.getByText('Your password is changed.').waitFor()
    expect(await isAccepted(basic('ann', 'ann-new'))).toBe(true)
    expect(await isAccepted(basic('ann', 'ann-secret'))).toBe(false)
    await page.reload()
    await account(page, 'ann').waitFor()
  })

  test('lists, creates and disables users for administrators only', async () => {
    const page = await open('root', 'root-secret', 'Users')
    await page.getByText('ann', { exact: true }).waitFor()
    await page.getByLabel('Name', { exact: true }).fill('bob')
    await page.getByLabel('First password').fill('bob-secret')
    await page.getByRole('button', { name: 'Create the user' }).click()
    await page.getByRole('button', { name: 'Disable bob' }).waitFor()
    expect(await isAccepted(basic('bob', 'bob-secret'))).toBe(true)
    await page.getByRole('button', { name: 'Disable bob' }).click()
    await button(page, 'Disable').click()
    await page.getByText('disabled', { exact: true }).waitFor()
    expect(await isAccepted(basic('bob', 'bob-secret'))).toBe(false)
    await page.goto(`${server.address}/ui?account=password`)
    await page.getByRole('link', { name: 'Users' }).waitFor()
  })
})
