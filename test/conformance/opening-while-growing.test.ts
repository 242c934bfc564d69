// A store is opened while another process makes its file of records longer: it is never taken for one that was cut
// short.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { requireWholeFile } from '../../packages/store/engines/lmdb/pages.ts'

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
    const until = Date.now() + 1500
    let checks = 0
    for (; Date.now() < until; checks++) requireWholeFile(folder)
    expect(checks).toBeGreaterThan(100)
  } finally {
    grower.kill('SIGKILL')
    await once(grower, 'exit')
    await rm(folder, { recursive: true })
  }
})
