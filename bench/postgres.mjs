// The PostgreSQL server of the tests, for benchmarks, which run in plain Node.

import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const built = new URL('../dist/bench/postgres-server.mjs', import.meta.url)
await build({
  input: fileURLToPath(new URL('../test/servers/postgres-server.ts', import.meta.url)),
  platform: 'node',
  external: /^[^./]/,
  output: { file: fileURLToPath(built) },
  logLevel: 'warn',
})
export const { startPostgres } = await import(built)
