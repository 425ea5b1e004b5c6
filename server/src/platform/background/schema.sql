-- What the database does by itself for this folder: functions, triggers, views and policies as they are now. Change them
-- here: `npm run generate` counts server/migrations/schema.json up, and `migrate` applies what differs.

create or replace function notify_outbox() returns trigger language plpgsql as $$
begin
  perform pg_notify('centrifugo_partition_change', new.partition::text);
  -- all channels of an event are of one organization, which their second part names
  perform pg_notify('organization_told',
    split_part(coalesce(new.payload ->> 'channel', new.payload -> 'channels' ->> 0), ':', 2));
  return null;
end $$;
create or replace trigger centrifugo_outbox_appended after insert on centrifugo_outbox
  for each row execute function notify_outbox();

-- Which of the queues the events of one key are in: the same for every node, and from release to release.
create or replace function outbox_partition(ordering_key text) returns integer language sql stable as $$
  select (('x' || encode(substring(sha256(convert_to(ordering_key, 'UTF8')) for 4), 'hex'))::bit(32)::bigint % partitions)::integer
  from public.outbox_partitions $$;
revoke execute on function outbox_partition(text) from public;

-- `appendEvent` of platform/outbox.ts, for events that belong to a statement of the database itself.
create or replace function append_event(channels text[], event_type text, at timestamptz, data jsonb, ordering_key text)
returns void language plpgsql set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  id text := gen_random_uuid()::text;
  addressed jsonb := case cardinality(channels)
    when 1 then jsonb_build_object('channel', channels[1])
    else jsonb_build_object('channels', channels) end;
begin
  -- of nobody, an aggregate makes null
  if coalesce(cardinality(channels), 0) = 0 then return; end if;
  insert into centrifugo_outbox (method, payload, partition) values (
    case cardinality(channels) when 1 then 'publish' else 'broadcast' end,
    addressed || jsonb_build_object('idempotency_key', id, 'data', jsonb_build_object('id', id, 'type', event_type,
      'time', to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'data', data)),
    outbox_partition(ordering_key));
end $$;
revoke execute on function append_event(text[],text,timestamp with time zone,jsonb,text) from public;

-- At the end of an item of a subject, the next one is due.
create or replace function begin_next_of_subject() returns trigger language plpgsql as $$
begin
  perform lock_work_subject(old.queue, old.subject);
  if not exists (select from work_items where queue = old.queue and subject = old.subject and dead_at is null
      and run_at < 'infinity') then
    update work_items set run_at = created_at where id = (
      select id from work_items where queue = old.queue and subject = old.subject and dead_at is null
      order by id limit 1);
    perform pg_notify('work_enqueued', old.queue);
  end if;
  return null;
end $$;
create or replace trigger work_items_next_after_death after update of dead_at on work_items
  for each row when (old.subject is not null and old.dead_at is distinct from new.dead_at)
  execute function begin_next_of_subject();
create or replace trigger work_items_next_after_delete after delete on work_items
  for each row when (old.subject is not null) execute function begin_next_of_subject();

-- The way into the table, for triggers as for the server.
create or replace function enqueue_work(
  for_queue text, of_class text, of_organization bigint, with_key text, of_subject text, with_payload jsonb,
  at_time timestamptz, not_before timestamptz, not_after timestamptz
) returns void language plpgsql as $$
begin
  -- ids of one subject are in the order of commits: nobody sees the second item before the first
  if of_subject is not null then
    perform lock_work_subject(for_queue, of_subject);
    if exists (select from work_items where queue = for_queue and subject = of_subject and dead_at is null) then
      not_before := 'infinity';
    end if;
  end if;
  perform put_work_items(for_queue, of_class, of_organization, array[with_key], of_subject, array[with_payload], at_time,
    not_before, not_after);
end $$;

-- Many items of a class at once, each with a key of its own.
create or replace function enqueue_all(
  for_queue text, of_class text, of_organization bigint, with_keys text[], with_payloads jsonb[], at_time timestamptz,
  not_after timestamptz
) returns void language plpgsql as $$
begin
  perform put_work_items(for_queue, of_class, of_organization, with_keys, null, with_payloads, at_time, at_time, not_after);
end $$;

-- What waits under these keys.
create or replace function work_waiting(of_queue text, with_keys text[]) returns table (key text, payload jsonb)
language sql stable as $$
  select i.key, i.payload from work_items i where i.queue = of_queue and i.key = any (with_keys) and i.dead_at is null
$$;

create or replace function put_work_items(
  for_queue text, of_class text, of_organization bigint, with_keys text[], of_subject text, with_payloads jsonb[],
  at_time timestamptz, not_before timestamptz, not_after timestamptz
) returns void language plpgsql as $$
begin
  insert into work_items as item
    (queue, class, organization_id, key, subject, payload, created_at, run_at, expires_at)
  select for_queue, of_class, of_organization, one.key, of_subject, one.payload, at_time, not_before, not_after
    from unnest(with_keys, with_payloads) one (key, payload)
  on conflict (queue, key) do update set
    class = excluded.class, organization_id = excluded.organization_id, payload = excluded.payload,
    created_at = excluded.created_at, expires_at = excluded.expires_at, revision = item.revision + 1, attempts = 0,
    last_error = null, dead_at = null,
    -- whoever is at it keeps its lease
    run_at = case when item.lease is null then excluded.run_at else item.run_at end;
  if found then perform pg_notify('work_enqueued', for_queue); end if;
end $$;

-- Held until the transaction ends by a change of the items of a subject.
create or replace function lock_work_subject(of_queue text, of_subject text) returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended(of_queue || ' ' || of_subject, 0))
$$;
