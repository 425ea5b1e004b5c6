-- What the database does by itself for this folder: functions, triggers, views and policies as they are now. Change them
-- here: `npm run generate` counts server/migrations/schema.json up, and `migrate` applies what differs.

-- The browser goes on under another session, and is told as before.
create or replace function move_push_subscriptions() returns trigger language plpgsql as $$
begin
  update push_subscriptions p set session_id = new.id from sessions earlier
    where p.user_id = new.user_id and earlier.id = p.session_id and earlier.replaced_by_hash = new.token_hash;
  return null;
end $$;
revoke execute on function move_push_subscriptions() from public;
create or replace trigger sessions_move_push after insert on sessions
  for each row execute function move_push_subscriptions();

-- A trigger, so that no statement that ends a session leaves a browser that is told. Of one that was replaced the
-- insertion of the other takes care.
create or replace function end_push_subscriptions() returns trigger language plpgsql as $$
begin
  delete from push_subscriptions where session_id = new.id;
  return null;
end $$;
revoke execute on function end_push_subscriptions() from public;
create or replace trigger sessions_end_push after update of revoked_at on sessions
  for each row when (old.revoked_at is null and new.revoked_at is not null and new.replaced_by_hash is null)
  execute function end_push_subscriptions();

-- A key lives as long as subscriptions made under it; the newest one is for those to come.
create or replace function end_unused_push_keys() returns trigger language plpgsql as $$
begin
  delete from push_keys k where k.id < (select max(id) from push_keys)
    and not exists (select from push_subscriptions p where p.push_key_id = k.id);
  return null;
end $$;
revoke execute on function end_unused_push_keys() from public;
create or replace trigger push_subscriptions_end_keys after delete on push_subscriptions
  for each statement execute function end_unused_push_keys();

-- The browsers of a person in sessions that have not ended, the newest first.
create or replace function live_push_subscriptions(person bigint, at_time timestamptz)
returns table (id bigint, push_key_id bigint, endpoint text, browser_key bytea, browser_secret bytea, shows text,
  created_at timestamptz, paused_until timestamptz, device text)
language sql stable rows 2 as $$
  select p.id, p.push_key_id, p.endpoint, p.browser_key, p.browser_secret, p.shows, p.created_at, p.paused_until, s.device
  from push_subscriptions p join sessions s on s.id = p.session_id
  where p.user_id = person and s.revoked_at is null and s.idle_expires_at > at_time and s.absolute_expires_at > at_time
  order by p.id desc
$$;
revoke execute on function live_push_subscriptions(bigint,timestamp with time zone) from public;
