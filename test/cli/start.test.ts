// `npm start` as a person or a supervisor runs it: what it serves, and that it ends when npm gets a signal.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { commandEnvironment, newWorkingDirectory } from '../wire/server.ts'

const PROJECT = fileURLToPath(new URL('../..', import.meta.url))

let directory: string

beforeAll(async () => {
  directory = await newWorkingDirectory()
})

afterAll(() => rm(directory, { recursive: true, force: true }))

/** The output of `npm start` until it served. */
async function greeted(npm: ChildProcess): Promise<string> {
  let printed = ''
  for (const stream of [npm.stdout, npm.stderr]) {
    stream?.on('data', (piece: Buffer) => {
      printed += piece.toString()
    })
  }
  while (!printed.includes('Ctrl-C')) {
    await Promise.race([once(npm.stdout ?? npm, 'data'), once(npm, 'close')])
    if (npm.exitCode !== null) throw new Error(printed)
  }
  return printed
}

it.each([
  ['argument', (data: string) => ({ args: [data], env: {} })],
  ['environment', (data: string) => ({ args: [], env: { HYPERSLAB_DATA: data } })],
])('npm start serves the data folder that the %s names, and ends with npm', async (name, given) => {
  const data = join(directory, name)
  const { args, env } = given(data)
  const npm = spawn('npm', ['start', '--', ...args, '--port', '0'], {
    cwd: PROJECT,
    env: { ...commandEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that what a failure leaves running can be ended.
    detached: true,
  })
  onTestFinished(() => endGroup(npm.pid))
  const greeting = await greeted(npm)
  expect(greeting).toContain(`Hyperslab serves ${data} at `)
  expect(existsSync(join(data, 'hyperslab.json'))).toBe(true)
  const [address = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(greeting) ?? []
  expect((await fetch(`${address}/health`)).status).toBe(200)
  // Its standard output ends with the last process that has it.
  const closed = once(npm, 'close')
  npm.kill('SIGTERM')
  await closed
  await expect(fetch(`${address}/health`)).rejects.toThrow()
})

function endGroup(pid = 0): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
