-- The tables of a store of records. schema.ts makes them.

create schema hyperslab;

-- One row. What no process can read any more has been removed up to the commit "swept".
create table hyperslab.store (format integer not null, swept bigint not null);

-- What is there now, each since the commit of that number; one row a key, which "commit" sees to. While a foreign
-- transaction is open, all row versions of a counter stay in the index: in it the newest is the last of its key, so a
-- look-up that goes down from there meets no other.
create table hyperslab.records (
  key bytea not null,
  since bigint not null,
  value bytea not null,
  primary key (key, since)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
alter table hyperslab.records alter column value set storage external;

-- What was there from the commit "since" until the commit "until", while a snapshot may read it.
create table hyperslab.history (
  key bytea not null,
  since bigint not null,
  until bigint not null,
  value bytea not null,
  primary key (key, until)
) with (autovacuum_vacuum_scale_factor = 0.02);
alter table hyperslab.history alter column value set storage external;
create index on hyperslab.history (until);

-- Inserted and deleted, never updated: the newest number; the proof that a commit happened; and which keys it changed,
-- as the first 8 bytes of the SHA-256 of each, one after another (null: they are too many).
create table hyperslab.commits (
  number bigint primary key,
  node text not null,
  token bigint not null,
  time bigint not null,
  changed bytea
) with (autovacuum_vacuum_scale_factor = 0.02);

-- The processes that have the store open. None reads, or will read, a state before "oldest". A call of "commit" with a
-- token up to "settled" does nothing any more.
create table hyperslab.nodes (
  id text primary key,
  joined bigint generated always as identity,
  renewed timestamptz not null,
  oldest bigint not null,
  settled bigint not null
);
