// nginx of Debian with the configuration that a test or a benchmark gives it.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export function hasNginx() {
  return spawnSync('nginx', ['-v']).status === 0
}

export async function startNginx(directory, port, http) {
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
  nginx.stderr.on('data', piece => {
    printed += piece.toString()
  })
  const ended = once(nginx, 'exit')
  for (let attempt = 0; !(await isListening(port)); attempt++) {
    if (attempt === 100 || nginx.exitCode !== null) throw new Error(`nginx does not listen:\n${printed}`)
    await pause(100)
  }
  return {
    pid: nginx.pid,
    async end() {
      nginx.kill('SIGTERM')
      await ended
    },
  }
}

async function isListening(port) {
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
