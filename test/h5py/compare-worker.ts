// A process that compares files one after another: messages { file, description } come from compare-h5.mjs, the
// findings and the greatest memory go back. A file that ends or stops it harms only its own result.

import { readFileSync } from 'node:fs'
import { compareFile } from './compare-file.ts'
import type { Description } from './description.ts'
import { openReader } from './open-reader.ts'

interface Order {
  readonly file: string
  /** The path of the JSON of describe.py. */
  readonly description: string
}

process.on('message', async (message: unknown) => {
  // Sent by compare-h5.mjs only.
  const { file, description } = message as Order
  const expected = JSON.parse(readFileSync(description, 'utf8')) as Description
  const started = performance.now()
  const findings = await compareFile(() => openReader(file), expected)
  process.send?.({
    findings,
    milliseconds: Math.round(performance.now() - started),
    mebibytes: Math.round(process.resourceUsage().maxRSS / 1024),
  })
})
process.on('disconnect', () => process.exit())
