// Loaded by each worker before its program (`--require`). When the supervisor is killed while a worker starts, the
// messages of `node:cluster` to it fail, the first one before any module of the program is there to notice: Node would
// print a stack trace. The event `disconnect` follows, which ends the worker (worker.ts).

import cluster from 'node:cluster'

cluster.worker?.on('error', () => undefined)
