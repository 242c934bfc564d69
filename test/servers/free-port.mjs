// A port on which nothing listens, for a program that cannot choose one itself or that is started again on its own one.
// No other test gets it until this process has ended. Plain JavaScript, because benchmarks and scripts use it too.

import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Ports that systems give to nobody on their own, neither to clients nor to servers on port 0: such a port is still
 * free when the program starts.
 */
const FIRST = 10_000
const BEHIND_LAST = 32_768
/** A file for each port that a process has got: its name is the port, its content the id of the process. */
const TAKEN = join(tmpdir(), 'hyperslab-test-ports')

export async function freePort() {
  for (;;) {
    const port = randomInt(FIRST, BEHIND_LAST)
    if (!take(port)) continue
    const server = createServer().listen(port, '127.0.0.1')
    try {
      await once(server, 'listening')
    } catch (error) {
      if (error.code === 'EADDRINUSE') continue
      throw error
    }
    server.close()
    await once(server, 'close')
    return port
  }
}

/** Whether the port belongs to this process now; that of a process that has ended is not given again, but forgotten. */
function take(port) {
  const file = join(TAKEN, String(port))
  try {
    mkdirSync(TAKEN, { recursive: true })
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  try {
    process.kill(Number(readFileSync(file, 'utf8')) || process.pid, 0)
  } catch (error) {
    if (error.code === 'ESRCH') rmSync(file, { force: true })
  }
  return false
}
