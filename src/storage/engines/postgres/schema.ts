// What a store of records is in PostgreSQL: its tables, and the functions that change them. All changes of records go
// through `hyperslab.commit`, one call of which is one transaction under one lock; so READ COMMITTED is enough, and the
// numbers of commits are in the order in which commits become visible. Needs PostgreSQL 15; keeps nothing in a session,
// so that PgBouncer may be used. What was measured and why: docs/decisions/032-postgres.md.

import FUNCTIONS from './functions.sql'
import TABLES from './tables.sql'

/**
 * To be raised whenever a table, a function or a record changes, so that a process of an older version refuses to
 * start.
 */
export const FORMAT = 4
/** The same tables and functions; chunks have no patches. It is raised when the database is opened for writing. */
export const OLDER_FORMAT = 3

/** Seconds after which a process that has not renewed its lease, by the clock of the database, is taken for dead. */
export const LEASE_SECONDS = 60

/**
 * How long a call waits for the lock. It ends by itself, before the process gives it up: a backend whose client has
 * gone would wait on, and take a connection, for as long as another one waits for a standby that is away.
 */
const LOCK_MILLISECONDS = 8000

/** Names of locks, which all databases of a server have for themselves: any numbers that other programs hardly use. */
const COMMIT_LOCK = '7310231, 1'
const SWEEP_LOCK = '7310231, 2'
const SCHEMA_LOCK = '7310231, 3'

const VARIABLES = {
  commit_lock: COMMIT_LOCK,
  sweep_lock: SWEEP_LOCK,
  lock_milliseconds: LOCK_MILLISECONDS,
  lease_seconds: LEASE_SECONDS,
}

/** Makes the schema, unless another process has made it meanwhile. One transaction, to be sent as one simple query. */
export const CREATE_SCHEMA = `
do $do$ begin
  perform pg_advisory_xact_lock(${SCHEMA_LOCK});
  -- Read from the table: what a session has looked up before, it may believe until it takes the lock of a relation.
  if exists (select from pg_namespace where nspname = 'hyperslab') then return; end if;
  execute $ddl$
${TABLES}
${Object.entries(VARIABLES).reduce((sql, [name, value]) => sql.replaceAll(`:${name}`, String(value)), FUNCTIONS)}
insert into hyperslab.commits values (0, '', 0, 0, '');
insert into hyperslab.store values (${FORMAT}, 0);
  $ddl$;
end $do$;
`
