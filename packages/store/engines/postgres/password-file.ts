// The password of the database in the file that all programs of PostgreSQL read: PGPASSFILE, or .pgpass in the home
// folder.

import pgpass from 'pgpass'
import { MissingPassword } from './failures.ts'

// The warnings of the package would go to stderr for each connection. `MissingPassword` reports the same.
pgpass.warnTo(undefined)

export function passwordInFile(connection: Parameters<typeof pgpass>[0]): Promise<string> {
  return new Promise((resolve, reject) => {
    pgpass(connection, password =>
      password === undefined ? reject(new MissingPassword()) : resolve(password),
    )
  })
}
