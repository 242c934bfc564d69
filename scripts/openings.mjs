// `npm run openings -- OPENINGS WRITES SEED`: processes that open and close a data folder while others commit
// (test/crash/openings.test.ts and served-openings.test.ts), in small numbers; `npm run openings -- 10000 1000000` is
// the long form. The seed of a run repeats the moments of its kills. Ends with 1 if anything acknowledged is lost, a
// process reads an older state than before, or one dies.

import { build, install, root, run, tool } from './prepare.mjs'

install()
build()

const [openings = '300', writes = '30000', seed = String(Date.now() % 2 ** 31)] = process.argv.slice(2)
/** A worker takes seconds to be replaced. */
const OPENINGS_A_KILL = 200
const env = {
  ...process.env,
  HYPERSLAB_OPENINGS: openings,
  HYPERSLAB_OPENINGS_WRITES: writes,
  HYPERSLAB_OPENINGS_KILLS: String(Math.ceil(Number(openings) / OPENINGS_A_KILL) + 4),
  HYPERSLAB_OPENINGS_SEED: seed,
}
const files = ['test/crash/openings.test.ts', 'test/crash/served-openings.test.ts']
const command = [
  tool('vitest', 'vitest.mjs'),
  'run',
  '--root',
  root,
  '--project',
  'machines',
  '--no-file-parallelism',
  ...files,
]
process.exit(run(process.execPath, command, { env }))
