// A store is opened while another process makes its file of records longer: it is never taken for one that was cut
// short.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { requireWholeFile } from '../../packages/store/engines/lmdb/pages.ts'

/** The numbers of looks at the file, and of sizes that it has then, at least. */
const CHECKS = 1000
const SIZES = 20

/** Commits records of 100 KB until it is ended. */
const GROWER = `
  import { open } from 'lmdb'
  const db = open({ path: process.argv[1], noSubdir: false, encoding: 'binary' })
  for (let i = 0; ; i++) {
    await db.put(String(i), Buffer.alloc(100_000))
    if (i === 0) console.log('begun')
  }
`

it('a file of records that grows is never cut short', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hyperslab-growing-'))
  const grower = spawn(process.execPath, ['--input-type=module', '-e', GROWER, folder], {
    cwd: process.cwd(),
  })
  try {
    await once(grower.stdout, 'data')
    const sizes = new Set<number>()
    for (let checks = 0; checks < CHECKS || sizes.size < SIZES; checks++) {
      requireWholeFile(folder)
      sizes.add(statSync(join(folder, 'data.mdb')).size)
      await nextImmediate()
      expect(grower.exitCode).toBe(null)
    }
  } finally {
    grower.kill('SIGKILL')
    await once(grower, 'exit')
    await rm(folder, { recursive: true })
  }
})
