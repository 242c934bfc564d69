// nginx that serves the files of a folder: the limit of benchmarks that send bytes of files.

import { freePort } from '../test/servers/free-port.mjs'
import { startNginx } from '../test/servers/nginx.mjs'

/** With a `service`, whose setting accel_redirect is `/sent`, it sends at `/h5/` the files that the service names. */
export async function serveFiles(directory, folder, service) {
  const port = await freePort()
  const inFront =
    service === undefined
      ? ''
      : `location /h5/ {
           proxy_pass http://127.0.0.1:${service.port};
           proxy_set_header X-Sendfile-Type X-Accel-Redirect;
         }
         location /sent${folder}/ { internal; alias ${folder}/; }`
  const server = `server { listen 127.0.0.1:${port}; root ${folder}; ${inFront} }`
  const nginx = await startNginx(directory, port, `sendfile on; keepalive_requests 1000000; ${server}`)
  return { port, ...nginx }
}
