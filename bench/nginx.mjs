// nginx, which serves the files of a folder: the limit of benchmarks that send bytes of files.

import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../test/servers/free-port.mjs'

export async function startNginx(directory, folder) {
  const port = await freePort()
  const configuration = join(directory, 'nginx.conf')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${join(directory, name)};`,
  )
  writeFileSync(
    configuration,
    `daemon off; master_process off; pid ${join(directory, 'nginx.pid')}; error_log stderr; events {}
     http { access_log off; sendfile on; keepalive_requests 1000000; ${temporary.join(' ')}
       server { listen 127.0.0.1:${port}; root ${folder}; } }`,
  )
  const child = spawn('nginx', ['-e', 'stderr', '-p', directory, '-c', configuration], { stdio: 'inherit' })
  for (let attempt = 0; attempt < 100; attempt++) {
    if (await isListening(port)) return { port, pid: child.pid }
    await sleep(50)
  }
  throw new Error('nginx does not listen')
}

function isListening(port) {
  return new Promise(resolve => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
