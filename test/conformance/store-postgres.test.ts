// The conformance suite of stores with the records in PostgreSQL.

import { afterAll, beforeAll } from 'vitest'
import { joinHalves } from '../../packages/store/engines/join-halves.ts'
import { openPostgresRecords } from '../../packages/store/engines/postgres/open-postgres-records.ts'
import { openMemoryEngine } from '../engines/memory.ts'
import { type PostgresServer, startPostgres } from '../servers/postgres-server.ts'
import { describeStore } from './store.ts'

let server: PostgresServer
let databases = 0

beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.close())

describeStore('a store with its records in PostgreSQL', async () => {
  const address = await server.createDatabase(`store${databases++}`)
  const records = await openPostgresRecords(address, { report: () => undefined })
  return joinHalves(records, async () => openMemoryEngine())
})
