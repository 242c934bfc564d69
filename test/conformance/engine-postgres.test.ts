// The conformance suite with the records in PostgreSQL.

import type { Engine } from '@hyperslab/store/engines'
import { afterAll, beforeAll, describe } from 'vitest'
import { joinHalves } from '../../packages/store/engines/join-halves.ts'
import { openPostgresRecords } from '../../packages/store/engines/postgres/open-postgres-records.ts'
import { openMemoryEngine } from '../engines/memory.ts'
import { type PostgresServer, startPostgres } from '../servers/postgres-server.ts'
import { describeEngine } from './engine.ts'
import { engineForEachTest } from './engine-fixture.ts'
import { describeRandomPrograms } from './engine-random.ts'

let server: PostgresServer
let databases = 0

beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.close())

async function openInNewDatabase(): Promise<Engine> {
  const address = await server.createDatabase(`conformance${databases++}`)
  const records = await openPostgresRecords(address, { report: () => undefined })
  return joinHalves(records, async () => openMemoryEngine())
}

describeEngine('postgres', openInNewDatabase)
describe('postgres', () => describeRandomPrograms(engineForEachTest(openInNewDatabase), 20))
