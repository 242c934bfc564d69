-- The functions that read and change the tables of a store of records. schema.ts makes them, also in place of those of
-- an older format, and gives the variables (:name) their values.

-- What a counter becomes by "add" or "max". Counters are signed 64-bit little-endian numbers; a sum wraps around at
-- 2^63. One function, since most of the time of a small one is that of calling it.
create or replace function hyperslab.count(op text, value bytea, number bigint) returns bytea language plpgsql immutable as $body$
declare
  result bigint := number;
  sum numeric;
  b bytea;
begin
  if value is not null then
    if length(value) <> 8 then
      raise exception using errcode = 'HS001',
        message = format('A counter has 8 bytes, the value to change has %s', length(value));
    end if;
    result := (get_byte(value, 7)::bigint << 56) | (get_byte(value, 6)::bigint << 48) | (get_byte(value, 5)::bigint << 40)
      | (get_byte(value, 4)::bigint << 32) | (get_byte(value, 3)::bigint << 24) | (get_byte(value, 2)::bigint << 16)
      | (get_byte(value, 1)::bigint << 8) | get_byte(value, 0)::bigint;
    if op = 'max' then
      result := greatest(result, number);
    else
      sum := result::numeric + number;
      result := case
        when sum > 9223372036854775807 then sum - 18446744073709551616
        when sum < -9223372036854775808 then sum + 18446744073709551616
        else sum end;
    end if;
  end if;
  b := int8send(result);
  return substr(b, 8, 1) || substr(b, 7, 1) || substr(b, 6, 1) || substr(b, 5, 1)
    || substr(b, 4, 1) || substr(b, 3, 1) || substr(b, 2, 1) || substr(b, 1, 1);
end $body$;

-- The numbers of counters, in the order of their keys; 0 for one that is not there.
create or replace function hyperslab.counters(keys bytea[]) returns bigint[] language plpgsql stable
set jit = off set enable_seqscan = off
as $body$
begin
  return array(
    select coalesce((get_byte(r.value, 7)::bigint << 56) | (get_byte(r.value, 6)::bigint << 48)
      | (get_byte(r.value, 5)::bigint << 40) | (get_byte(r.value, 4)::bigint << 32) | (get_byte(r.value, 3)::bigint << 24)
      | (get_byte(r.value, 2)::bigint << 16) | (get_byte(r.value, 1)::bigint << 8) | get_byte(r.value, 0)::bigint, 0)
    from unnest(keys) with ordinality k(key, position)
    left join lateral (
      select r.value from hyperslab.records r where r.key = k.key order by r.since desc limit 1
    ) r on true
    order by k.position);
end $body$;

create or replace function hyperslab.digest_of(first bytea, last bytea, most bigint, reverse boolean) returns bytea language plpgsql stable as $body$
begin
  if reverse then
    return (select sha256(coalesce(string_agg(int4send(length(key)) || key || int4send(length(value)) || value, ''::bytea order by key desc), ''))
      from (select key, value from hyperslab.records where key >= first and key < last order by key desc limit most) r);
  end if;
  return (select sha256(coalesce(string_agg(int4send(length(key)) || key || int4send(length(value)) || value, ''::bytea order by key), ''))
    from (select key, value from hyperslab.records where key >= first and key < last order by key limit most) r);
end $body$;

-- Commits if the process still has its lease and every expectation holds. "outcome" is "committed", "conflict" or
-- "fenced"; the positions of what does not hold count from 1. Changes are made stage by stage: in each first the
-- deletions of ranges, then those of keys, each key once.
create or replace function hyperslab.commit(
  in_node text, in_token bigint, in_time bigint,
  expected_keys bytea[], expected_digests bytea[],
  range_firsts bytea[], range_lasts bytea[], range_limits bigint[], range_reverses boolean[], range_digests bytea[],
  last_stage integer,
  drop_stages integer[], drop_firsts bytea[], drop_lasts bytea[], drop_limits bigint[],
  change_stages integer[], change_ops text[], change_keys bytea[], change_values bytea[], change_numbers bigint[],
  bound_keys bytea[], bound_mosts bigint[]
) returns table (outcome text, number bigint, failed_keys bigint[], failed_ranges bigint[])
language plpgsql
set lock_timeout = :lock_milliseconds
set jit = off set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $body$
declare
  newest bigint;
  newest_time bigint;
  is_alive boolean;
  this bigint;
  at_stage integer;
  dropped record;
  hashes bytea;
  counted bigint;
  all_hashes bytea := '';
  all_counted bigint := cardinality(change_keys);
  bound_befores bigint[];
  exceeded bytea;
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'default_transaction_isolation must be "read committed"';
  end if;
  perform pg_advisory_xact_lock(:commit_lock);
  select c.number, c.time, exists (select from hyperslab.nodes n where n.id = in_node and n.settled < in_token)
    into newest, newest_time, is_alive from hyperslab.commits c order by c.number desc limit 1;
  if not is_alive then
    outcome := 'fenced';
    return next;
    return;
  end if;
  failed_keys := array(select e.position
    from unnest(expected_keys, expected_digests) with ordinality e(key, digest, position)
    where sha256((select r.value from hyperslab.records r where r.key = e.key order by r.since desc limit 1))
      is distinct from e.digest);
  if cardinality(range_firsts) > 0 then
    failed_ranges := array(select e.position
      from unnest(range_firsts, range_lasts, range_limits, range_reverses, range_digests)
        with ordinality e(first, last, most, reverse, digest, position)
      where hyperslab.digest_of(e.first, e.last, e.most, e.reverse) <> e.digest);
  end if;
  if cardinality(failed_keys) > 0 or cardinality(failed_ranges) > 0 then
    outcome := 'conflict';
    return next;
    return;
  end if;
  outcome := 'committed';
  number := newest;
  if last_stage < 0 then
    return next;
    return;
  end if;
  this := newest + 1;
  if cardinality(bound_keys) > 0 then
    bound_befores := hyperslab.counters(bound_keys);
  end if;
  -- An entry of a log gets a number made of that of the commit and its own, which is below 256.
  if 'log' = any(change_ops) then
    change_keys := array(
      select case when c.op = 'log' then c.key || int8send(this * 256 + c.number) else c.key end
      from unnest(change_ops, change_keys, change_numbers) with ordinality c(op, key, number, position)
      order by c.position);
  end if;
  for at_stage in 0 .. last_stage loop
    if cardinality(drop_stages) > 0 then
      for dropped in
        select d.* from unnest(drop_stages, drop_firsts, drop_lasts, drop_limits) with ordinality d(stage, first, last, most, position)
        where d.stage = at_stage order by d.position
      loop
        with doomed as (
          select r.key, r.since from hyperslab.records r
            where r.key >= dropped.first and r.key < dropped.last order by r.key limit dropped.most
        ), gone as (
          delete from hyperslab.records r using doomed d where r.key = d.key and r.since = d.since returning r.key, r.since, r.value
        ), kept as (
          insert into hyperslab.history (key, since, until, value)
            select g.key, g.since, this, g.value from gone g where g.since < this
        )
        select count(*), string_agg(substr(sha256(g.key), 1, 8), ''::bytea) into counted, hashes from gone g;
        all_counted := all_counted + counted;
        all_hashes := all_hashes || coalesce(hashes, '');
      end loop;
    end if;
    -- One statement, since most of the time of a small commit is that of beginning statements. All its parts see the
    -- state before it, so a row of this commit, which a stage before has made, is updated; others are deleted and made
    -- anew.
    with changed as materialized (
      select c.op, c.key, r.since as old_since, r.value as old_value,
        case when c.op in ('add', 'max') then hyperslab.count(c.op, r.value, c.number) else c.value end as new_value
      from unnest(change_stages, change_ops, change_keys, change_values, change_numbers) c(stage, op, key, value, number)
      left join lateral (
        select r.since, r.value from hyperslab.records r where r.key = c.key order by r.since desc limit 1
      ) r on true
      where c.stage = at_stage
    ), kept as (
      insert into hyperslab.history (key, since, until, value)
        select c.key, c.old_since, this, c.old_value from changed c where c.old_since < this
    ), gone as (
      delete from hyperslab.records r using changed c
        where r.key = c.key and r.since = c.old_since and (c.old_since < this or c.op = 'delete')
    ), again as (
      update hyperslab.records r set value = c.new_value from changed c
        where r.key = c.key and r.since = c.old_since and c.old_since = this and c.op <> 'delete'
    )
    insert into hyperslab.records (key, since, value)
      select c.key, this, c.new_value from changed c where c.op <> 'delete' and c.old_since is distinct from this;
  end loop;
  if cardinality(bound_keys) > 0 then
    exceeded := (select b.key
      from unnest(bound_keys, bound_mosts, bound_befores, hyperslab.counters(bound_keys)) b(key, most, before, after)
      where b.after > b.most and b.after > b.before limit 1);
    if exceeded is not null then
      raise exception using errcode = 'HS002', message = encode(exceeded, 'hex');
    end if;
  end if;
  insert into hyperslab.commits (number, node, token, time, changed) values (
    this, in_node, in_token, greatest(newest_time, in_time),
    case when all_counted <= 10000 then all_hashes || coalesce(
      (select string_agg(substr(sha256(c.key), 1, 8), ''::bytea) from unnest(change_keys) c(key)), '') end);
  number := this;
  return next;
end $body$;

-- The number of the commit with that token, later than the number "in_after"; null: it has not happened and never will.
-- Without a lease ("is_alive") it may have happened and been swept.
create or replace function hyperslab.settle(in_node text, in_token bigint, in_after bigint)
returns table (number bigint, is_alive boolean) language plpgsql
set lock_timeout = :lock_milliseconds
as $body$
begin
  perform pg_advisory_xact_lock(:commit_lock);
  update hyperslab.nodes set settled = greatest(settled, in_token) where id = in_node;
  is_alive := found;
  number := (select c.number from hyperslab.commits c where c.number > in_after and c.node = in_node and c.token = in_token);
  return next;
end $body$;

create or replace function hyperslab.join_node(in_node text) returns void language sql as $body$
  insert into hyperslab.nodes (id, renewed, oldest, settled)
    select in_node, clock_timestamp(), max(number), 0 from hyperslab.commits
$body$;

-- Renews the lease of a process, and ends that of others which have not. Does not wait for a standby: a lease that is
-- lost with the server is taken anew. "others" is the oldest state that these read.
create or replace function hyperslab.renew(in_node text, in_oldest bigint)
returns table (is_alive boolean, is_first boolean, newest bigint, others bigint) language plpgsql
set lock_timeout = :lock_milliseconds
as $body$
begin
  perform set_config('synchronous_commit', 'local', true);
  -- Before the row is changed: "settle" takes the lock first, and then the row.
  if exists (
    select from hyperslab.nodes where id <> in_node and renewed < clock_timestamp() - interval ':lease_seconds s'
  ) then
    -- A commit of one of them is either done before, or finds no lease.
    perform pg_advisory_xact_lock(:commit_lock);
    delete from hyperslab.nodes where id <> in_node and renewed < clock_timestamp() - interval ':lease_seconds s';
  end if;
  update hyperslab.nodes set renewed = clock_timestamp(), oldest = in_oldest where id = in_node;
  is_alive := found;
  is_first := in_node = (select id from hyperslab.nodes order by joined limit 1);
  newest := (select max(number) from hyperslab.commits);
  others := (select min(oldest) from hyperslab.nodes where id <> in_node);
  return next;
end $body$;

-- The reads are functions so that each connection plans them once, through PgBouncer too. Such a plan must not depend
-- on how full the tables were then: only indexes in their order will do. Without jit = off, PostgreSQL 15 compiles what
-- it takes for costly because of that.

-- The records of keys, each in the state of a number, with the position of the key from 1. The first row, of position
-- 0, is missing when the process has no lease: then history that it needs may be swept.
create or replace function hyperslab.read(in_node text, in_keys bytea[], in_numbers bigint[])
returns table (at bigint, since bigint, value bytea) language plpgsql stable
set jit = off set enable_seqscan = off set enable_bitmapscan = off
as $body$
begin
  return query
    select 0::bigint, null::bigint, null::bytea from hyperslab.nodes n where n.id = in_node
    union all
    select u.position, r.since, r.value
    from unnest(in_keys, in_numbers) with ordinality u(key, number, position)
    cross join lateral (
      select r.since, r.value from (
        select r.since, r.value from hyperslab.records r where r.key = u.key order by r.since desc limit 1
      ) r where r.since <= u.number
      union all
      select h.since, h.value from (
        select h.since, h.value from hyperslab.history h where h.key = u.key and h.until > u.number order by h.until limit 1
      ) h where h.since <= u.number
    ) r;
end $body$;

-- Up to "most" records of a range in the state of a number, after a row without a key, which is missing when the
-- process has no lease.
create or replace function hyperslab.read_range(
  in_node text, first bytea, last bytea, in_number bigint, most bigint, reverse boolean
) returns table (key bytea, value bytea) language plpgsql stable
set jit = off set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
as $body$
begin
  return query select null::bytea, null::bytea from hyperslab.nodes n where n.id = in_node;
  if reverse then
    return query
      select e.key, e.value from (
        (select r.key, r.value from hyperslab.records r
          where r.key >= first and r.key < last and r.since <= in_number order by r.key desc limit most)
        union all
        (select h.key, h.value from hyperslab.history h
          where h.key >= first and h.key < last and h.since <= in_number and h.until > in_number order by h.key desc limit most)
      ) e order by e.key desc limit most;
  else
    return query
      select e.key, e.value from (
        (select r.key, r.value from hyperslab.records r
          where r.key >= first and r.key < last and r.since <= in_number order by r.key limit most)
        union all
        (select h.key, h.value from hyperslab.history h
          where h.key >= first and h.key < last and h.since <= in_number and h.until > in_number order by h.key limit most)
      ) e order by e.key limit most;
  end if;
end $body$;

-- The commits from a number on, the newest first, and whether the process has its lease.
create or replace function hyperslab.newest(in_node text, in_number bigint, most bigint)
returns table (number bigint, mark text, "time" bigint, changed bytea, is_alive boolean) language plpgsql stable
set jit = off set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
as $body$
begin
  return query
    select c.number, c.node || ' ' || c.token, c.time, c.changed, exists (select from hyperslab.nodes n where n.id = in_node)
    from hyperslab.commits c where c.number >= in_number order by c.number desc limit most;
end $body$;

-- Removes what no process can read any more: some "most" rows of history, and as many commits. Returns whether there
-- may be more. What was removed before is passed over: while a foreign transaction is open, its rows are still there.
-- Nothing can be added behind "swept", which is a number of a commit: what a later one replaces is there until that
-- one.
create or replace function hyperslab.sweep(most bigint) returns boolean language plpgsql
set jit = off set enable_seqscan = off set enable_bitmapscan = off
as $body$
declare
  last bigint;
  first bigint;
  upto bigint;
begin
  if not pg_try_advisory_xact_lock(:sweep_lock) then
    return false;
  end if;
  perform set_config('synchronous_commit', 'local', true);
  first := (select swept from hyperslab.store);
  last := least((select min(oldest) from hyperslab.nodes), (select max(number) from hyperslab.commits));
  if last <= first then
    return false;
  end if;
  upto := least(last, first + most,
    (select until from hyperslab.history where until > first and until <= last order by until offset most - 1 limit 1));
  delete from hyperslab.history where until > first and until <= upto;
  delete from hyperslab.commits where number >= first and number < upto;
  update hyperslab.store set swept = upto;
  return upto < last;
end $body$;
