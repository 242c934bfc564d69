#!/usr/bin/env node
// The first file of the command. It sets the number of threads for files and loads the program. Node makes these
// threads when it first needs one, for example to read the file of a module, and their number stays: so this file is
// no module of ECMAScript, and uses no syntax that old versions of Node do not know.
'use strict'

// Each mount has calls of its own, which may hang, and all else has 16 threads (serve/open-mounts.ts).
const THREADS = '64'

const [major, minor] = process.versions.node.split('.').map(Number)

if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`hyperslab: Node 20.19 or newer is needed, and this is ${process.version}\n`)
  process.exitCode = 1
} else {
  if (!process.env.UV_THREADPOOL_SIZE) process.env.UV_THREADPOOL_SIZE = THREADS
  void import('./program.mjs')
}
