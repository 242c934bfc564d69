// `hyperslab check` and `hyperslab copy` as processes beside a server that writes all the time, and once more when it
// has ended. Nothing is wrong, and what is served of the copy is what the server had acknowledged.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connect, prepare, verify, WRITERS } from '../crash/writers.ts'
import { COMMAND, commandEnvironment, newWorkingDirectory, startServer } from '../wire/server.ts'

const COPIES_WHILE_WRITING = 3

let directory: string
/** Where the copy is the folder `data`. */
let other: string
let copy: string
beforeAll(async () => {
  directory = await newWorkingDirectory()
  other = await newWorkingDirectory()
  copy = join(other, 'data')
})
afterAll(async () => {
  for (const each of [directory, other]) await rm(each, { recursive: true, force: true })
})

async function run(...args: readonly string[]) {
  const child = spawn(process.execPath, [COMMAND, ...args], { cwd: directory, env: commandEnvironment() })
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { status: child.exitCode, out, err }
}

/** There may be findings that are information. */
const SOUND = expect.stringMatching(/^(?!.*^error).*: nothing is wrong\n$/ms)
const copied = { status: 0, err: '', out: expect.stringMatching(/^The copy has the same \d+ records/) }

it('checks and copies a folder that a server writes to, brings the copy up to date, and the copy is served', async () => {
  const server = await startServer(directory)
  const world = await prepare(connect(server.address))
  const client = connect(server.address, world)
  let isOver = false
  const writing = WRITERS.map(async write => {
    while (!isOver) await write(client)
  })
  for (let done = 0; done < COPIES_WHILE_WRITING; done++) {
    expect(await run('copy', 'data', '--to', copy)).toEqual(copied)
    for (const folder of ['data', copy])
      expect(await run('check', folder, '--values')).toMatchObject({ status: 0, err: '', out: SOUND })
  }
  isOver = true
  await Promise.all(writing)
  // Something was really written meanwhile.
  expect(world.links.size).toBeGreaterThan(COPIES_WHILE_WRITING)
  await server.end('SIGTERM')
  expect(await run('copy', 'data', '--to', copy)).toEqual(copied)
  const again = await startServer(other)
  try {
    await verify(connect(again.address, world))
  } finally {
    await again.end('SIGTERM')
  }
})
