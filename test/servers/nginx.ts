// nginx of Debian in front of a server, with the configuration that a test gives it.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export function hasNginx(): boolean {
  return spawnSync('nginx', ['-v']).status === 0
}

export interface RunningNginx {
  end(): Promise<void>
}

/** `http`: what is within `http { ... }` and listens on the port of 127.0.0.1. Resolves when it listens. */
export async function startNginx(directory: string, port: number, http: string): Promise<RunningNginx> {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${join(directory, name)};`,
  )
  const configuration = join(directory, `nginx-${port}.conf`)
  await writeFile(
    configuration,
    `daemon off; master_process off; pid ${join(directory, `nginx-${port}.pid`)}; error_log stderr;
     events {} http { access_log off; ${temporary.join(' ')} ${http} }`,
  )
  const nginx = spawn('nginx', ['-e', 'stderr', '-p', directory, '-c', configuration])
  let printed = ''
  nginx.stderr.on('data', (piece: Buffer) => {
    printed += piece.toString()
  })
  const ended = once(nginx, 'exit')
  for (let attempt = 0; !(await isListening(port)); attempt++) {
    if (attempt === 100 || nginx.exitCode !== null) throw new Error(`nginx does not listen:\n${printed}`)
    await pause(100)
  }
  return {
    async end() {
      nginx.kill('SIGTERM')
      await ended
    },
  }
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
