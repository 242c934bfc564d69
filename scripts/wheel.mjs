// `node scripts/wheel.mjs FOLDER`: makes the wheel of the package for Python, with the version of package.json, in a
// copy of its sources, because setuptools leaves folders beside them. Needs python3 with setuptools and wheel, and no
// network. Prints the path of the wheel.

import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { root } from './prepare.mjs'

const SOURCES = ['pyproject.toml', 'setup.py', 'README.md', 'src']
/** The Python of the system has setuptools as a package of Debian. */
const PYTHON = '/usr/bin/python3'

const [folder] = process.argv.slice(2)
if (folder === undefined) end('usage: node scripts/wheel.mjs FOLDER')

const stage = mkdtempSync(join(tmpdir(), 'hyperslab-wheel-'))
try {
  process.stdout.write(`${make()}\n`)
} finally {
  rmSync(stage, { recursive: true, force: true })
}

function make() {
  const copy = join(stage, 'python')
  const made = join(stage, 'made')
  mkdirSync(copy)
  // setup.py reads the version in the folder above its own.
  cpSync(join(root, 'package.json'), join(stage, 'package.json'))
  cpSync(join(root, 'LICENSE'), join(copy, 'LICENSE'))
  const isSource = path => !/__pycache__|\.egg-info$/.test(path)
  for (const name of SOURCES)
    cpSync(join(root, 'python', name), join(copy, name), { recursive: true, filter: isSource })
  const args = ['setup.py', '--quiet', 'bdist_wheel', '--dist-dir', made]
  const { status, stderr, error } = spawnSync(PYTHON, args, { cwd: copy, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${PYTHON} ${args.join(' ')} failed: ${error?.message ?? stderr}`)
  const [name] = readdirSync(made)
  const path = join(resolve(folder), name)
  cpSync(join(made, name), path)
  return path
}

function end(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
