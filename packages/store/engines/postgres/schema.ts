// The tables of a store of records in PostgreSQL, and the functions that change them. All changes of records go through
// `hyperslab.commit`, one call of which is one transaction under one lock; so READ COMMITTED is enough, and the numbers
// of commits are in the order in which commits become visible. It needs PostgreSQL 15, and keeps no state in a session,
// so that PgBouncer can be used. Reasons and measurements: docs/decisions/032-postgres.md.

import FUNCTIONS from './functions.sql'
import TABLES from './tables.sql'

/**
 * The number of the format. It is raised whenever a table, a function or a record changes, so that a process of an
 * older version refuses to start.
 */
export const FORMAT = 7
/**
 * The same tables; chunks have no patches, folders no notes, commits no events, or counters no bounds. They are raised
 * when the database is opened for writing.
 */
export const OLDER_FORMATS: readonly number[] = [3, 4, 5, 6]

/** Seconds after which a process that has not renewed its lease, by the clock of the database, is taken for dead. */
export const LEASE_SECONDS = 60

/**
 * The time for which a call waits for the lock. It ends by itself before the process gives up: otherwise a backend
 * whose client has gone would keep waiting, and occupy a connection, as long as another one waits for a missing
 * standby.
 */
const LOCK_MILLISECONDS = 8000

/**
 * The names of locks, which are separate for each database of a server: numbers that other programs are unlikely to
 * use.
 */
const COMMIT_LOCK = '7310231, 1'
const SWEEP_LOCK = '7310231, 2'
const SCHEMA_LOCK = '7310231, 3'

const VARIABLES = {
  commit_lock: COMMIT_LOCK,
  sweep_lock: SWEEP_LOCK,
  lock_milliseconds: LOCK_MILLISECONDS,
  lease_seconds: LEASE_SECONDS,
}

/** Makes the schema, unless another process has made it meanwhile. It is one transaction, sent as one simple query. */
export const CREATE_SCHEMA = `
do $do$ begin
  perform pg_advisory_xact_lock(${SCHEMA_LOCK});
  -- Read from the table: what a session has looked up before, it may believe until it takes the lock of a relation.
  if exists (select from pg_namespace where nspname = 'hyperslab') then return; end if;
  execute $ddl$
${TABLES}
${functions()}
insert into hyperslab.commits values (0, '', 0, 0, '');
insert into hyperslab.store values (${FORMAT}, 0);
  $ddl$;
end $do$;
`

/** Gives a schema of an older format the functions of this one. It is one transaction, sent as one simple query. */
export const RAISE_SCHEMA = `
do $do$ begin
  perform pg_advisory_xact_lock(${SCHEMA_LOCK});
  if (select format from hyperslab.store) >= ${FORMAT} then return; end if;
  execute $ddl$
-- So that a process of an older version commits nothing.
drop function if exists hyperslab.commit(
  text, bigint, bigint, bytea[], bytea[], bytea[], bytea[], bigint[], boolean[], bytea[], integer,
  integer[], bytea[], bytea[], bigint[], integer[], text[], bytea[], bytea[], bigint[]);
${functions()}
update hyperslab.store set format = ${FORMAT};
  $ddl$;
end $do$;
`

function functions(): string {
  return Object.entries(VARIABLES).reduce(
    (sql, [name, value]) => sql.replaceAll(`:${name}`, String(value)),
    FUNCTIONS,
  )
}
