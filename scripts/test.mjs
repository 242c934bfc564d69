// `npm test`: installs and builds what the tests need, runs them (arguments are passed to vitest) and ends with the
// skipped tests and their reasons, and one line of counts for people and CI systems. Without arguments it runs what
// needs no more than Node and one server, so that it takes a few minutes. The other projects run when they are named
// (`npm test -- --project processes`) or one of their files is; CI runs all of them.

import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, install, root, run, tool } from './prepare.mjs'

install()
const given = process.argv.slice(2)
// Tests beside the code do not run what is built.
if (given.length === 0 || !given.every(file => /^(packages|scripts)\//.test(file))) build()

/** Linux keeps the files of this folder in memory. */
const IN_MEMORY = '/dev/shm'
/** The tests need 140 MiB of it. */
const ROOM = 2 ** 30

/** The projects that run where none is named. No file names `workers` and `nodes`: they run files of `wire` again. */
const projects = given.some(argument => argument.startsWith('test/'))
  ? ['unit', 'wire', 'h5py', 'clients', 'stores', 'machines', 'processes', 'browser']
  : ['unit', 'wire']

const folder = mkdtempSync(join(temporaryFolder(), 'hyperslab-test-'))
// When tests run as root, PostgreSQL runs as another user, in a folder below.
chmodSync(folder, 0o711)
const report = join(folder, 'report.json')
// The terminal sends Ctrl-C to the tests too: they end, and then the folder is deleted.
process.on('SIGINT', () => {})
const code = run(
  process.execPath,
  [
    tool('vitest', 'vitest.mjs'),
    'run',
    '--root',
    root,
    '--reporter=default',
    `--reporter=${join(root, 'scripts', 'skipped.mjs')}`,
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...(given.some(argument => argument.startsWith('--project'))
      ? []
      : projects.map(name => `--project=${name}`)),
    ...given,
  ],
  { env: { ...process.env, TMPDIR: folder } },
)
const failed = summarise(report)
rmSync(folder, { recursive: true, force: true })
process.exit(code === 0 && failed > 0 ? 1 : code)

/**
 * Where the tests keep their files: in memory if there is room, because they commit some thousand times and would wait
 * for the disk each time. TMPDIR chooses another folder.
 */
function temporaryFolder() {
  if (process.env.TMPDIR || !existsSync(IN_MEMORY)) return tmpdir()
  const { bavail, bsize } = statfsSync(IN_MEMORY)
  return bavail * bsize >= ROOM ? IN_MEMORY : tmpdir()
}

/** Prints the counts of the report, and whether CI makes more runs; returns how many tests and files failed. */
function summarise(file) {
  let result
  try {
    result = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    console.log('0 passed, 1 failed, 0 skipped (the test run ended without a report)')
    return 1
  }
  // A file that cannot even be loaded has no tests to count, so it counts as one.
  const broken = result.testResults.filter(
    suite => suite.status === 'failed' && !suite.assertionResults.some(test => test.status === 'failed'),
  ).length
  const failures = result.numFailedTests + broken
  const skipped = result.numPendingTests + result.numTodoTests
  const { HYPERSLAB_TEST_RUNS: share = 0.1 } = process.env
  if (Number(share) < 1)
    console.log(`Property tests made ${share} of their runs; HYPERSLAB_TEST_RUNS=1 makes all, as CI does.`)
  console.log(`${result.numPassedTests} passed, ${failures} failed, ${skipped} skipped`)
  return failures
}
