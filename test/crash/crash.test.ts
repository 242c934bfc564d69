// Acknowledged is durable, and a request is a transaction: a server that several clients write to is killed with
// SIGKILL at random moments, started again on the same folder, and asked. Every acknowledged change is there, and no
// half of any other; `hyperslab check` finds nothing wrong with what a kill has left, nor after the next start.
// `npm run crash` kills more often; the moments follow from the seed, which is printed.

import { rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { newWorkingDirectory, type RunningServer, runCommand, startServer } from '../wire/server.ts'
import { numbersFrom } from './numbers.ts'
import { type Client, connect, prepare, verify, WRITERS } from './writers.ts'

const KILLS = Number(process.env.HYPERSLAB_CRASH_KILLS ?? 5)
const SEED = Number(process.env.HYPERSLAB_CRASH_SEED ?? Date.now() % 2 ** 31)
/** The server is killed this long after the writers have begun, at the latest, unless they have hardly written. */
const LONGEST_RUN_MS = 900

/**
 * Runs all writers until the server is killed under them: after a number of milliseconds, but not before a number of
 * links and attributes are acknowledged. Any failure before that is a failure of the test.
 */
async function writeUntilKilled(
  server: RunningServer,
  client: Client,
  after: number,
  least: number,
): Promise<void> {
  let killed = false
  const running = WRITERS.map(async write => {
    try {
      for (;;) await write(client)
    } catch (error) {
      if (!killed) throw error
    }
  })
  const failed = Promise.all(running)
  const { links, attributes } = client.world
  const isTime = async () => {
    await delay(after)
    while (!killed && Math.min(links.size, attributes.size) < least) await delay(10)
  }
  try {
    await Promise.race([isTime(), failed])
  } finally {
    killed = true
  }
  await server.end('SIGKILL')
  await failed
}

test(`${KILLS} kills with SIGKILL while writing, seed ${SEED}: nothing acknowledged is lost, nothing is torn`, {
  timeout: 60_000 + KILLS * 10_000,
}, async () => {
  const random = numbersFrom(SEED)
  const directory = await newWorkingDirectory()
  let server = await startServer(directory)
  try {
    const world = await prepare(connect(server.address))
    for (let kill = 0; kill < KILLS; kill++) {
      await writeUntilKilled(server, connect(server.address, world), random() * LONGEST_RUN_MS, kill + 2)
      await runCommand(directory, ['check', 'data', '--values'])
      server = await startServer(directory)
      await verify(connect(server.address, world))
      await runCommand(directory, ['check', 'data', '--values'])
    }
    console.log(
      `crash test: seed ${SEED}, ${KILLS} kills, ${world.links.size} links, ${world.deleted.size} deletions, ` +
        `${world.attributes.size} attributes, generations ${world.datasets.map(({ acknowledged }) => acknowledged)}`,
    )
    // Something was really written, or the test would prove nothing.
    expect(world.links.size).toBeGreaterThan(KILLS)
    expect(world.attributes.size).toBeGreaterThan(KILLS)
  } finally {
    await server.end('SIGKILL')
    await rm(directory, { recursive: true, force: true })
  }
})
