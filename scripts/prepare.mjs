// The first steps of every script: installing the dependencies and building the server, each only when it is missing or
// out of date, so that a fresh clone works at the first command and the second start is quick. Plain JavaScript
// without dependencies: this runs before anything is installed.

import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const OLDEST_NODE = [20, 19]
/** Written by each build, at its end. */
export const BUILT = join(root, 'dist', '.built')

/** Installs the dependencies when they are missing or older than the lock file. Ends the process on failure. */
export function install() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
    fail(`Hyperslab needs Node ${OLDEST_NODE.join('.')} or newer; this is Node ${process.versions.node}.`)
  }
  const installed = modified(join(root, 'node_modules', '.package-lock.json'))
  const bundler = existsSync(join(root, 'node_modules', 'rolldown'))
  if (bundler && installed >= modified(join(root, 'package-lock.json'))) return
  process.stderr.write('Installing the dependencies (npm ci) ...\n')
  // `--include=dev`: the bundler is needed whatever NODE_ENV says.
  const code = npm(['ci', '--include=dev', '--no-audit', '--no-fund'])
  if (code !== 0) fail('The dependencies could not be installed; see the messages of npm above.', code)
}

/**
 * Bundles `packages`, `pages` and the guide to `dist` when anything in them is newer than the last build. Ends the
 * process on failure.
 */
export function build() {
  const script = join(root, 'scripts', 'build.mjs')
  const scripts = ['build', 'pages', 'guide-pages'].map(name => `scripts/${name}.mjs`)
  const documents = ['errors', 'limits', 'routes'].map(name => `docs/${name}.md`)
  const files = ['package.json', 'tsconfig.json', ...scripts, ...documents]
  const sources = files.map(file => join(root, file))
  const folders = ['packages', 'pages', 'docs/guide'].map(folder => newestIn(join(root, folder)))
  const newest = Math.max(...folders, ...sources.map(modified))
  if (modified(BUILT) > newest) return
  process.stderr.write('Building (rolldown) ...\n')
  const code = run(process.execPath, [script])
  if (code !== 0) fail('The build failed; see the messages of rolldown above.', code)
}

/** The path of a file of an installed package. */
export function tool(packageName, file) {
  return join(root, 'node_modules', packageName, file)
}

/** Runs a program in the project's folder to its end, on this terminal; returns its exit code. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options })
  if (result.error) fail(`${command} could not be started: ${result.error.message}`)
  return result.status ?? 128 + (constants.signals[result.signal] ?? 0)
}

/** Runs Node until it ends, passes signals on to it, and ends with its exit code. */
export function become(args, cwd) {
  const child = spawn(process.execPath, args, { cwd, stdio: 'inherit' })
  // The terminal sends Ctrl-C to the child too; passing it on would be a second signal.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', error => fail(`node could not be started: ${error.message}`))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
}

/** The npm that started this script, else the one on the path. */
function npm(args) {
  const script = process.env.npm_execpath
  if (script && /\.[cm]?js$/.test(script)) return run(process.execPath, [script, ...args])
  return run('npm', args, { shell: process.platform === 'win32' })
}

/** When the file was last modified, in milliseconds since the epoch; 0 when it is not there. */
function modified(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

function newestIn(folder) {
  let newest = modified(folder)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    newest = Math.max(newest, entry.isDirectory() ? newestIn(path) : modified(path))
  }
  return newest
}

function fail(message, code = 1) {
  process.stderr.write(`${message}\n`)
  process.exit(code)
}
