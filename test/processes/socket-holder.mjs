// `node socket-holder.mjs STARTS COMMAND...`: opens a listening socket, as systemd does for a unit, prints its
// port, and starts the command with it, and again whenever it has ended, STARTS times in all. It accepts no connection:
// its event loop does not run while a command does.

import { spawnSync } from 'node:child_process'
import { writeSync } from 'node:fs'
import { createServer } from 'node:net'

const [starts, ...command] = process.argv.slice(2)
/** The id of the command is that of the shell, which it replaces. */
const START = 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$@"'

const holder = createServer()
holder.listen(0, '127.0.0.1', () => {
  writeSync(1, `port ${holder.address().port}\n`)
  const stdio = ['ignore', 'inherit', 'inherit', holder._handle.fd]
  for (let start = 0; start < Number(starts); start++) {
    const { status, signal } = spawnSync('sh', ['-c', START, 'sh', ...command], { stdio })
    writeSync(1, `ended with ${signal ?? status}\n`)
  }
  process.exit()
})
