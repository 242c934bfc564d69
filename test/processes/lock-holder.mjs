// A process that has the data folder of a server open, begins a commit and is stopped within it: for stopped.test.ts.

import { writeSync } from 'node:fs'
import { open } from '../../dist/modules/store/engines/lmdb/lmdb.js'

const lmdb = open({ path: process.argv[2], noSubdir: false, overlappingSync: false })
lmdb.transactionSync(() => {
  writeSync(1, 'held\n')
  process.kill(process.pid, 'SIGSTOP')
})
await lmdb.close()
