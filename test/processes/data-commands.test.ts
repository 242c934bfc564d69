// Commands about data as processes: readers that end before the output, and the question of `rm -r` at a terminal.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commandEnvironment, newWorkingDirectory } from '../wire/server.ts'

const COMMAND = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

let directory: string
let data: string

beforeAll(async () => {
  directory = await newWorkingDirectory()
  data = join(directory, 'data')
  await run(['user', 'add', 'ann', '--admin', '--data', data], 'secret\n')
  await run([
    'mkdir',
    '-p',
    ...Array.from({ length: 300 }, (_, i) => `/lab/${'name '.repeat(40)}${i}`),
    '--data',
    data,
  ])
})

afterAll(() => rm(directory, { recursive: true, force: true }))

async function run(args: readonly string[], input = '') {
  const child = spawn(process.execPath, [COMMAND, ...args], { env: commandEnvironment() })
  child.stdin.end(input)
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: child.exitCode, out, err }
}

it('ends quietly when the reader of its output ends', async () => {
  const script = `'${process.execPath}' '${COMMAND}' ls -l /lab --data '${data}' | head -n 1; echo "\${PIPESTATUS[0]}"`
  const child = spawn('bash', ['-c', script], { env: commandEnvironment() })
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  expect(err).toBe('')
  expect(out).toMatch(/^\S.* \/lab\/name [^\n]+\/\n0\n$/)
})

const hasScript = spawnSync('script', ['--version']).status === 0
if (!hasScript) console.warn('SKIPPED: the question of rm -r needs the command script')

describe.skipIf(!hasScript)('rm -r at a terminal', () => {
  /** Types the answer once the question is there. */
  async function answer(word: string) {
    const command = `'${process.execPath}' '${COMMAND}' rm -r /lab --data '${data}'`
    const child = spawn('script', ['-qec', command, '/dev/null'], { env: commandEnvironment() })
    let out = ''
    child.stdout.on('data', (piece: Buffer) => {
      if (!out.includes('[y/N]') && `${out}${piece}`.includes('[y/N]')) child.stdin.write(`${word}\n`)
      out += piece
    })
    await once(child, 'close')
    return { code: child.exitCode, out }
  }

  it('asks, and removes nothing unless the answer is yes', async () => {
    expect(await answer('n')).toMatchObject({
      code: 1,
      out: expect.stringContaining('0 domains and 300 folders'),
    })
    expect((await run(['ls', '/', '--data', data])).out).toBe('/lab/\n')
    expect(await answer('y')).toMatchObject({ code: 0 })
    expect((await run(['ls', '/', '--data', data])).out).toBe('')
  })
})
