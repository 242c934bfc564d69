// A port on which nothing listens, for a program that cannot choose one itself. Plain JavaScript, because benchmarks
// and scripts use it too.

import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Ports that systems give to nobody on their own, neither to clients nor to servers on port 0: such a port is still
 * free when the program starts.
 */
const FIRST = 10_000
const BEHIND_LAST = 32_768

export async function freePort() {
  for (;;) {
    const port = randomInt(FIRST, BEHIND_LAST)
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
