-- One table for work that is done in the background and must not be forgotten.

-- platform ----------------------------------------------------------------------------------------

-- What is done is deleted. What was given up stays, with `dead_at`, until somebody looks at it.
create table work_items (
  id bigint generated always as identity primary key,
  queue text not null,
  -- each class of a queue has workers of its own
  class text not null default 'default',
  -- organizations take turns within a class; 0: of none
  organization_id bigint not null default 0,
  -- a queue has one item of a key at most: enqueued again, it is renewed
  key text,
  -- items of one subject are done one at a time, in their order; those behind the first have run_at 'infinity'
  subject text,
  payload jsonb not null,
  created_at timestamptz not null,
  -- not begun any more from then on
  expires_at timestamptz,
  -- not before this; of an item that is being worked on: the end of the lease
  run_at timestamptz not null,
  attempts integer not null default 0,
  -- counts renewals: whoever is at an item when it is renewed does it once more
  revision bigint not null default 1,
  -- of the worker that is at it
  lease uuid,
  last_error text,
  dead_at timestamptz,
  unique (queue, key),
  check (key is null or subject is null)
);
create index work_items_in_turn on work_items (queue, class, organization_id, run_at, id) where dead_at is null;
create index work_items_of_subject on work_items (queue, subject, id) where subject is not null and dead_at is null;
create unique index work_items_first_of_subject on work_items (queue, subject)
  where subject is not null and dead_at is null and run_at < 'infinity';
create index work_items_dead on work_items (dead_at) where dead_at is not null;

-- Held until the transaction ends by whoever changes which items of a subject there are.
create function lock_work_subject(of_queue text, of_subject text) returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended(of_queue || ' ' || of_subject, 0))
$$;

-- The one way into the table, for triggers as for the server.
create function enqueue_work(
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
  insert into work_items as item
    (queue, class, organization_id, key, subject, payload, created_at, run_at, expires_at)
  values (for_queue, of_class, of_organization, with_key, of_subject, with_payload, at_time, not_before, not_after)
  on conflict (queue, key) do update set
    class = excluded.class, organization_id = excluded.organization_id, payload = excluded.payload,
    created_at = excluded.created_at, expires_at = excluded.expires_at, revision = item.revision + 1, attempts = 0,
    last_error = null, dead_at = null,
    -- whoever is at it keeps its lease
    run_at = case when item.lease is null then excluded.run_at else item.run_at end;
  perform pg_notify('work_enqueued', for_queue);
end $$;

-- Whatever ends an item of a subject, the next one is due.
create function begin_next_of_subject() returns trigger language plpgsql as $$
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
create trigger work_items_next_after_delete after delete on work_items
  for each row when (old.subject is not null) execute function begin_next_of_subject();
create trigger work_items_next_after_death after update of dead_at on work_items
  for each row when (old.subject is not null and old.dead_at is distinct from new.dead_at)
  execute function begin_next_of_subject();

-- Mails wait among the other work from now on; sealed as before.
insert into work_items (queue, class, organization_id, payload, created_at, expires_at, run_at, attempts)
select 'mail', mail_class, organization_id,
  jsonb_build_object('sealed', translate(encode(sealed_message, 'base64'), E'\n', '')),
  created_at, not_after, next_attempt_at, attempts
from mail_queue order by id;
delete from mail_queue;

-- Nodes of the release before still queue here while they run on beside this one: those of this one deliver.
create function queue_mail_of_before() returns trigger language plpgsql as $$
begin
  perform enqueue_work('mail', new.mail_class, new.organization_id, null, null,
    jsonb_build_object('sealed', translate(encode(new.sealed_message, 'base64'), E'\n', '')),
    new.created_at, new.next_attempt_at, new.not_after);
  return null;
end $$;
create trigger mail_queued_before before insert on mail_queue
  for each row execute function queue_mail_of_before();

-- features/identity-sync ---------------------------------------------------------------------------

-- As before, an item says only where to look: whoever does it reads how things stand then.
create or replace function note_identity_change(organization bigint, person bigint) returns void language sql as $$
  select enqueue_work('identity-changes', 'default', organization, organization || ' ' || coalesce(person::text, ''), null,
    jsonb_build_object('organization', organization::text, 'user', person::text),
    date_trunc('milliseconds', now()), date_trunc('milliseconds', now()), null)
$$;
select note_identity_change(organization_id, user_id) from identity_changes order by id;
delete from identity_changes;

-- features/rooms -----------------------------------------------------------------------------------

-- Who has left an organization stays in `room_departures` for as long as an earlier token may bring them back; the
-- organization's rooms are looked through by one item of work.
create or replace function note_room_departure() returns trigger language plpgsql as $$
begin
  if exists (select from rooms where organization_id = old.organization_id) then
    insert into room_departures (organization_id, user_id, until)
    -- in milliseconds: it names the departure to whoever works it off
    values (old.organization_id, old.user_id, date_trunc('milliseconds', now()) + interval '15 minutes')
    on conflict (organization_id, user_id) do update set until = excluded.until, next_attempt_at = now();
    perform look_through_rooms(old.organization_id);
  end if;
  return null;
end $$;

create function look_through_rooms(organization bigint) returns void language sql as $$
  select enqueue_work('room-departures', 'default', organization, organization::text, null,
    jsonb_build_object('organization', organization::text),
    date_trunc('milliseconds', now()), date_trunc('milliseconds', now()), null)
$$;
select look_through_rooms(organization_id) from room_departures group by organization_id;

create function close_room(organization bigint, room uuid) returns void language sql as $$
  select enqueue_work('room-closures', 'default', organization, room::text, null, jsonb_build_object('room', room::text),
    date_trunc('milliseconds', now()), date_trunc('milliseconds', now()), null)
$$;

create or replace function close_rooms_of_organization() returns trigger language plpgsql as $$
begin
  perform close_room(organization_id, id) from rooms where organization_id = new.id;
  return null;
end $$;
select close_room(organization_id, id) from rooms where close_at is not null;
update rooms set close_at = null where close_at is not null;

-- features/guests ----------------------------------------------------------------------------------

-- What a new state means to a live connection has to be done at the media server. A request that decides does so itself
-- first: the work is for where that fails.
create function enqueue_guest_state(organization bigint, room uuid, guest uuid, guest_state text, since timestamptz)
returns void language sql as $$
  select enqueue_work('guest-states', 'default', organization, guest::text, null,
    jsonb_build_object('organization', organization::text, 'room', room::text, 'guest', guest::text, 'state', guest_state),
    since, since + case when guest_state in ('admitted', 'denied') then interval '2 seconds' else interval '0' end, null)
$$;
create function note_guest_state() returns trigger language plpgsql as $$
begin
  perform enqueue_guest_state(new.organization_id, new.room_id, new.id, new.state, new.since);
  return null;
end $$;
create trigger guests_state_noted after update of state on guests
  for each row when (old.state <> new.state) execute function note_guest_state();
select enqueue_guest_state(organization_id, room_id, id, state, since) from guests where enforce_at is not null;
update guests set enforce_at = null where enforce_at is not null;
