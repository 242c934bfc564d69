// Functions that the scripts about HDF5 files share: a test bundled as JavaScript, so that processes of their own can
// run them.

import { join } from 'node:path'
import { install, root } from './prepare.mjs'

export const PYTHON = process.env.HYPERSLAB_TEST_PYTHON ?? '/usr/bin/python3'

/** The path of a Python script of test/h5py. */
export function pythonScript(name) {
  return join(root, 'test', 'h5py', name)
}

/** Bundles a file of `test` with what it imports; returns the path of the JavaScript. */
export async function bundleTest(file) {
  install()
  const output = join(root, 'node_modules', '.cache', 'hyperslab-test', file.replace(/\.ts$/, '.js'))
  // Loaded here because it may have been installed just now.
  const { build } = await import('rolldown')
  await build({
    cwd: root,
    platform: 'node',
    external: /^(?!@hyperslab\/)[@a-z][^:]*$/,
    moduleTypes: { '.sql': 'text' },
    input: join(root, 'test', file),
    output: { file: output, codeSplitting: false },
    logLevel: 'warn',
  })
  return output
}
