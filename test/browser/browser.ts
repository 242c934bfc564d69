// Pages in a browser for the tests, which watch what a page does that it must not do.

import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, expect } from 'vitest'
import { launchBrowser, PROGRAM } from './chromium.mjs'

/** For `describe.skipIf`. */
export const hasNoBrowser = !existsSync(PROGRAM)
if (hasNoBrowser) console.warn(`SKIPPED: there is no browser at ${PROGRAM} (apt-get install chromium)`)

/** The guide shows them. */
const PICTURES = fileURLToPath(new URL('../../docs/guide/pictures/', import.meta.url))

/** Machines that run tests may be slow. */
const DEADLINE_MS = 60_000

let browser: Browser | undefined
const contexts: BrowserContext[] = []

/** Actions of the page that it must not do. */
const problems: string[] = []

/** A new page, with nothing of the pages before. Errors on its console and requests to other hosts fail the test. */
export async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  browser ??= await launchBrowser()
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  contexts.push(context)
  context.setDefaultTimeout(DEADLINE_MS)
  const page = await context.newPage()
  page.on('pageerror', error => problems.push(`error: ${error.stack}`))
  page.on('console', message => {
    // An answer from 400 on is an error on the console, and may be what a test is about.
    const text = message.text()
    if (
      message.type() === 'error' &&
      !/^(Failed to load resource|Framing '|RequestError|UnreachableError: The service cannot|Error: (These elements are not loaded|The dataset has no elements))/.test(
        text,
      )
    )
      problems.push(text)
  })
  page.on('request', request => {
    const { protocol, hostname } = new URL(request.url())
    if (protocol.startsWith('http') && !['127.0.0.1', 'localhost'].includes(hostname))
      problems.push(`request to ${request.url()}`)
  })
  return page
}

/** Saves a picture of the page for the guide, in a run with HYPERSLAB_PICTURES=update. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (process.env.HYPERSLAB_PICTURES !== 'update') return
  mkdirSync(PICTURES, { recursive: true })
  await page.screenshot({ path: join(PICTURES, `${name}.png`) })
}

/** Prints what a test that has failed saw. */
async function printPages(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) {
    const text = await page.locator('body').ariaSnapshot({ timeout: 5000 }).catch(String)
    console.error(`${page.url()} shows:\n${text}`)
  }
}

afterEach(async ({ task }) => {
  for (const context of contexts.splice(0)) {
    if (task.result?.state === 'fail') await printPages(context)
    await context.close()
  }
  expect(problems.splice(0)).toEqual([])
})

afterAll(async () => {
  await browser?.close()
  browser = undefined
})
