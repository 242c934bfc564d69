// What the scripts about HDF5 files share: the tests compiled to JavaScript, so that processes of their own can run them.

import { join } from 'node:path'
import { install, root, run, tool } from './prepare.mjs'

const compiled = join(root, 'node_modules', '.cache', 'hyperslab-test')

export const PYTHON = process.env.HYPERSLAB_TEST_PYTHON ?? '/usr/bin/python3'

/** The path of a Python script of test/h5py. */
export function pythonScript(name) {
  return join(root, 'test', 'h5py', name)
}

/** Compiles `src` and `test`; returns the path of the JavaScript of a file of `test`. Ends the process on failure. */
export function compileTests(file) {
  install()
  const options = [
    '-p',
    'tsconfig.json',
    '--noEmit',
    'false',
    '--rootDir',
    '.',
    '--outDir',
    compiled,
    '--noUnusedLocals',
    'false',
    '--noUnusedParameters',
    'false',
  ]
  const code = run(process.execPath, [tool('typescript', 'bin/tsc'), ...options])
  if (code !== 0) process.exit(code)
  return join(compiled, 'test', file.replace(/\.ts$/, '.js'))
}
