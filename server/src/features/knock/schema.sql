-- What the database does by itself for this folder: functions, triggers, views and policies as they are now. Change them
-- here: `npm run generate` counts server/migrations/schema.json up, and `migrate` applies what differs.

-- Nobody waits for somebody who is no longer there.
create or replace function end_knocks_of_member() returns trigger language plpgsql as $$
begin
  update knocks set outcome = 'cancelled', ended_at = clock_timestamp()
    where organization_id = old.organization_id and outcome is null and old.user_id in (from_user_id, to_user_id);
  return null;
end $$;
create or replace trigger memberships_end_knocks after delete on memberships
  for each row execute function end_knocks_of_member();
create or replace trigger memberships_inactive_end_knocks after update of status on memberships
  for each row when (old.status = 'active' and new.status <> 'active') execute function end_knocks_of_member();

-- At a door: to all who are inside, and to those who heard it and have left since.
create or replace function tell_knock_ended() returns trigger language plpgsql as $$
declare
  channels text[] := array(select 'user:' || o.identity_organization_id || ':' || u.identity_user_id
    from organizations o, users u where o.id = new.organization_id and (u.id in (new.from_user_id, new.to_user_id)
      or u.id in (select people_in_room_since(new.door_room_id, new.created_at))));
begin
  perform append_event(channels, 'knock.ended', new.ended_at,
    jsonb_build_object('knockId', new.id, 'outcome', new.outcome), 'knock:' || new.id);
  return null;
end $$;
create or replace trigger knocks_tell_ended after update of outcome on knocks
  for each row when (old.outcome is null and new.outcome is not null) execute function tell_knock_ended();
