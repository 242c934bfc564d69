// The account in the page: the password, sessions and tokens of a user, and the users of a service.

import { rm } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newWorkingDirectory, type RunningServer, runCommand, startServer } from '../wire/server.ts'
import { hasNoBrowser, openPage } from './browser.ts'
import { account, logIn } from './ui.ts'

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
