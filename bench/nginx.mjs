// nginx that serves the files of a folder: the limit of benchmarks that send bytes of files.

import { freePort } from '../test/servers/free-port.mjs'
import { startNginx } from '../test/servers/nginx.mjs'

export async function serveFiles(directory, folder) {
  const port = await freePort()
  const server = `server { listen 127.0.0.1:${port}; root ${folder}; }`
  const nginx = await startNginx(directory, port, `sendfile on; keepalive_requests 1000000; ${server}`)
  return { port, ...nginx }
}
