// `npm run crash -- KILLS SEED`: the crash test with more kills (default: 100) than CI has time for. The seed
// of a failed run repeats its moments.

import { build, install, root, run, tool } from './prepare.mjs'

install()
build()

const [kills = '100', seed] = process.argv.slice(2)
const env = {
  ...process.env,
  HYPERSLAB_CRASH_KILLS: kills,
  ...(seed !== undefined && { HYPERSLAB_CRASH_SEED: seed }),
}
const command = [tool('vitest', 'vitest.mjs'), 'run', '--root', root, '--project', 'machines', 'test/crash']
process.exit(run(process.execPath, command, { env }))
