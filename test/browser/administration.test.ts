// The first hour of an administrator, with the page only: from the address that the service prints to users, quotas,
// logins, requests, the log of changes and the health of the service.

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { newWorkingDirectory, startServer } from '../wire/server.ts'
import { hasNoBrowser, openPage } from './browser.ts'
import { account, logIn, logOut } from './ui.ts'

describe.skipIf(hasNoBrowser)('an administrator', () => {
  test('makes the first account and runs the service without a command', async () => {
    const directory = await newWorkingDirectory()
    const server = await startServer(directory, [
      '--allow-noauth',
      'false',
      '--audit',
      join(directory, 'audit'),
    ])
    onTestFinished(async () => {
      await server.end('SIGTERM')
      await rm(directory, { recursive: true, force: true })
    })
    await expect.poll(server.printed).toContain('account=first#')
    const [, first = ''] = /(http\S*account=first#\S*)/.exec(server.printed()) ?? []

    const page = await openPage()
    await page.goto(first.replace(/#.*/, ''))
    await page.getByLabel('Code').fill('guessed')
    const make = async () => {
      await page.getByLabel('Name').fill('root')
      await page.getByLabel('Password', { exact: true }).fill('root-secret')
      await page.getByLabel('Password again').fill('root-secret')
      await page.getByRole('button', { name: 'Make the account' }).click()
    }
    await make()
    await page.getByRole('alert').filter({ hasText: 'not the code' }).waitFor()
    await page.goto(first)
    await page.reload()
    await make()
    await account(page, 'root').waitFor()
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
    expect(page.url()).toBe(`${server.address}/ui?admin=users`)

    const chooseFor = async (name: string, action: string) => {
      await page.getByRole('button', { name: `Actions for ${name}` }).click()
      await page.getByRole('menuitem', { name: action }).click()
    }
    const part = async (name: string) => {
      await page.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name }).click()
      await page.getByRole('heading', { name, level: 1 }).waitFor()
    }
    for (const name of ['ann', 'bob']) {
      await page.getByLabel('Name').fill(name)
      await page.getByLabel('First password').fill('pw')
      await page.getByRole('button', { name: 'Create the user' }).click()
      await page.getByRole('button', { name: `Actions for ${name}` }).waitFor()
    }
    const row = (text: string) => page.locator('.list li').filter({ hasText: text })
    await chooseFor('bob', 'Make an administrator')
    await page.getByRole('dialog').getByRole('button', { name: 'Make an administrator' }).click()
    await row('bob').getByText('administrator').waitFor()
    await chooseFor('bob', 'Remove')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await row('bob').waitFor({ state: 'detached' })
    await chooseFor('ann', 'Set a password')
    await page.getByRole('dialog').getByLabel('New password').fill('ann-secret')
    await page.getByRole('dialog').getByRole('button', { name: 'Set a password' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    const other = await openPage()
    await other.goto(`${server.address}/ui`)
    await logIn(other, 'ann', 'ann-secret')
    await account(other, 'ann').waitFor()
    await other.goto(`${server.address}/ui?admin=users`)
    await other.getByText('This page is for administrators').waitFor()

    await part('Use and quotas')
    await page.getByRole('link', { name: 'sample.h5' }).waitFor()
    await page.getByRole('link', { name: 'By owner' }).click()
    await page.getByRole('rowheader', { name: 'nobody' }).waitFor()
    await page.getByLabel('For').selectOption('owner')
    await page.getByLabel('Path or user').fill('ann')
    await page.getByRole('button', { name: 'Set the quota' }).click()
    await page.getByRole('alert').filter({ hasText: 'Give a size' }).waitFor()
    await page.getByLabel('Size, at most').fill('2')
    await page.getByRole('button', { name: 'Set the quota' }).click()
    await row('user ann').getByText('0 B of 2.0 GiB').waitFor()
    await page.getByRole('button', { name: 'Remove the quota of user ann' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('There are none: users may fill the whole disk.').waitFor()

    await part('Logins')
    await page.getByLabel('User').fill('ann')
    await page.getByRole('button', { name: 'Show' }).click()
    await row('ann').getByRole('button').click()
    await page.getByRole('dialog').getByRole('button', { name: 'End' }).click()
    await page.getByText('There are none.').waitFor()
    await other.reload()
    await other.getByText('Log in as one of them').waitFor()

    await part('Running requests')
    await row('subscribe').or(page.getByText('Nothing runs at this moment.')).first().waitFor()
    await part('Log of changes')
    await row('End login').first().waitFor()
    expect(await page.locator('main').textContent()).not.toMatch(/ann-secret|root-secret/)
    await part('Health')
    await page.getByText('The service is ready').waitFor()

    await logOut(page, 'root')
    await page.goto(first)
    await page.getByText('The first account is made').waitFor()
  })
})
