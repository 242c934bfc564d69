// nginx of Debian with the configuration that a test or a benchmark gives it.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export function hasNginx() {
  return spawnSync('nginx', ['-v']).status === 0
}

/** `place`: the port on which it listens, or the path of a socket, which it has made anew. */
export async function startNginx(directory, place, http) {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${join(directory, name)};`,
  )
  const name = `nginx-${basename(String(place))}`
  const configuration = join(directory, `${name}.conf`)
  await writeFile(
    configuration,
    `daemon off; master_process off; pid ${join(directory, `${name}.pid`)}; error_log stderr;
     events {} http { access_log off; ${temporary.join(' ')} ${http} }`,
  )
  const nginx = spawn('nginx', ['-e', 'stderr', '-p', directory, '-c', configuration])
  let printed = ''
  nginx.stderr.on('data', piece => {
    printed += piece.toString()
  })
  const ended = once(nginx, 'exit')
  for (let attempt = 0; !(await isListening(place)); attempt++) {
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

async function isListening(place) {
  const socket = typeof place === 'string' ? connect(place) : connect(place, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
