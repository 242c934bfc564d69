// `npm run bench`: builds, then runs the benchmarks of bench/ one after another; `npm run bench -- values` runs those
// whose file name begins with `values`. A benchmark is a file bench/NAME.bench.mjs that prints its own figures.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { build, install, root, run } from './prepare.mjs'

install()
build()

const wanted = process.argv.slice(2)
const files = readdirSync(join(root, 'bench'))
  .filter(file => file.endsWith('.bench.mjs'))
  .filter(file => wanted.length === 0 || wanted.some(name => file.startsWith(name)))
  .sort()
if (files.length === 0) {
  console.error(
    wanted.length === 0 ? 'There are no benchmarks.' : `No benchmark is called ${wanted.join(' or ')}.`,
  )
  process.exit(2)
}

let failed = 0
for (const file of files) {
  console.log(`\n== ${file}`)
  if (run(process.execPath, [join(root, 'bench', file)]) !== 0) failed++
}
process.exit(failed === 0 ? 0 : 1)
