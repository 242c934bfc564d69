// The parts of CI. `.ci/run` runs those that are always run, those of the packages that have changed, and one more in
// turn, which the commit chooses, so that none is forgotten; `.ci/all` runs every part. CI_BASE is the commit to
// compare with; by default it is the one before. The run ends with the parts that failed, with their errors.

import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { build, install, root } from './prepare.mjs'

const MINUTES = 60_000
/** A part takes at most ten minutes on two idle cores; a busy machine gets three times as long. */
const LIMIT = 3 * 10 * MINUTES
const TESTS = ['npm', 'test', '--silent', '--']
const ALL_RUNS = { HYPERSLAB_TEST_RUNS: '1' }
const isRoot = process.getuid?.() === 0
const hasApt = existsSync('/usr/bin/apt-get')
const hasH5py = spawnSync('/usr/bin/python3', ['-c', 'import h5py']).status === 0

/**
 * `packages`: changes of these, or of other folders or files at the top, want the part; absent: it is always run.
 * `missing`: what it needs and this machine lacks. `beside`: it runs at the same time as the part before.
 */
const PARTS = [
  { name: 'checks', command: ['npm', 'run', '--silent', 'check', '--', '--skip-tests'] },
  {
    name: 'tests',
    command: [...TESTS, ...['unit', 'wire', 'clients', 'processes'].map(name => `--project=${name}`)],
    env: { HYPERSLAB_TEST_WORLDS: '5' },
  },
  { name: 'browser', command: [...TESTS, '--project=browser'], beside: true },
  {
    name: 'properties',
    packages: ['base', 'model', 'h5', 'store', 'meaning', 'views'],
    command: [...TESTS, '--project=unit'],
    env: ALL_RUNS,
  },
  { name: 'schemas', packages: ['server', 'client'], command: [...TESTS, '--project=wire'], env: ALL_RUNS },
  {
    name: 'newer node',
    packages: ['base'],
    command: [
      'bash',
      'scripts/with-newer-node.sh',
      ...TESTS,
      ...['unit', 'wire'].map(name => `--project=${name}`),
    ],
    missing: process.platform === 'linux' ? undefined : 'npm has Node for Linux only',
  },
  { name: 'h5py', packages: ['h5', 'files', 'views'], command: [...TESTS, '--project=h5py'] },
  {
    name: 'damaged files',
    packages: ['h5', 'files'],
    command: ['npm', 'run', '--silent', 'fuzz', '--', '55'],
    missing: hasH5py ? undefined : '/usr/bin/python3 has no h5py to make its files with',
  },
  {
    name: 's3',
    packages: ['base', 'store'],
    command: ['node', 'scripts/s3-gateway.mjs', ...TESTS, 'test/engines/s3.test.ts'],
    missing: isRoot && hasApt ? undefined : 'Ceph is installed as root on Debian only',
  },
  { name: 'stores', packages: ['store'], command: [...TESTS, '--project=stores'] },
  { name: 'workers', packages: ['server', 'store'], command: [...TESTS, '--project=workers'] },
  { name: 'nodes', packages: ['server', 'store'], command: [...TESTS, '--project=nodes'] },
  { name: 'machines', packages: ['server', 'store'], command: [...TESTS, '--project=machines'] },
  {
    name: 'newer clients',
    packages: ['server', 'views', 'client'],
    command: [
      'bash',
      '-c',
      `scripts/newer-clients.sh >/dev/null && ${[...TESTS, '--project=clients'].join(' ')}`,
    ],
    missing:
      isRoot && existsSync('/usr/sbin/debootstrap') ? undefined : 'debootstrap runs as root on Debian only',
  },
  // It says itself what it lacks, and fails: nothing else tries what people install.
  {
    name: 'first plot',
    packages: ['deploy', 'scripts', 'Containerfile', 'package-lock.json'],
    command: ['node', 'scripts/first-plot.mjs'],
  },
]

if (process.argv[1]?.endsWith('ci.mjs')) process.exit(await main(process.argv.includes('--all')))

async function main(all) {
  install()
  build()
  const chosen = all ? PARTS : choose(changedFiles(), commitNumber())
  console.log(`parts: ${chosen.map(({ name }) => name).join(', ')}`)
  const failed = []
  for (let i = 0; i < chosen.length; i++) {
    const together = chosen[i + 1]?.beside ? [chosen[i], chosen[++i]] : [chosen[i]]
    const results = await Promise.all(together.map(run))
    failed.push(...results.filter(({ code }) => code !== 0))
  }
  for (const { name, printed } of failed) console.log(`FAILED: ${name}\n${errorsIn(printed)}`)
  console.log(
    failed.length === 0 ? 'All parts passed.' : `Failed: ${failed.map(({ name }) => name).join(', ')}`,
  )
  return failed.length === 0 ? 0 : 1
}

/** The parts for changes of these files; `turn` chooses one more. */
export function choose(files, turn) {
  const names = new Set(files.map(file => /^(?:packages\/)?([^/]+)/.exec(file)?.[1]))
  const isWanted = ({ packages }) => packages === undefined || packages.some(name => names.has(name))
  const others = PARTS.filter(part => !isWanted(part))
  const inTurn = others[turn % Math.max(others.length, 1)]
  return PARTS.filter(part => isWanted(part) || part === inTurn)
}

/** Paths from the project's folder. Without the commit before, as in a shallow clone: all. */
function changedFiles() {
  const base = process.env.CI_BASE || 'HEAD~1'
  const { status, stdout } = git('diff', '--name-only', base, 'HEAD')
  return (status === 0 ? stdout : git('ls-files').stdout).split('\n')
}

function commitNumber() {
  return Number.parseInt(git('rev-parse', 'HEAD').stdout.slice(0, 8), 16) || 0
}

function git(...args) {
  return spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 })
}

/** Runs a part to its end. What a part beside another prints comes when it has ended. */
async function run({ name, command: [program, ...args], env, missing, beside }) {
  if (missing) {
    console.log(`skipped: ${name}, because ${missing}`)
    return { name, code: 0, printed: '' }
  }
  const start = performance.now()
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let printed = ''
  const take = piece => {
    printed += piece
    if (!beside) process.stdout.write(piece)
  }
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', take)
  const timer = setTimeout(() => {
    take(`Error: ${name} did not end in ${LIMIT / MINUTES} minutes\n`)
    process.kill(-child.pid, 'SIGKILL')
  }, LIMIT)
  const code = await new Promise(resolve => {
    child.on('error', error => resolve(take(`Error: ${error.message}\n`) ?? 1))
    child.on('close', resolve)
  })
  clearTimeout(timer)
  if (beside) process.stdout.write(printed)
  console.log(`part ${name}: ${Math.round((performance.now() - start) / 1000)} s, status ${code}`)
  return { name, code: code ?? 1, printed }
}

/** The errors in what a part has printed, where the reader of a long log looks first. */
function errorsIn(printed) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal
  const lines = printed.replace(/\x1b\[[0-9;]*m/g, '').split('\n')
  const isError = line => /^ *FAIL |Unhandled|^Error|: error/.test(line)
  const shown = lines.filter((_, i) => lines.slice(Math.max(0, i - 12), i + 1).some(isError))
  return [...shown.slice(-150), ...lines.slice(-6)].join('\n')
}
