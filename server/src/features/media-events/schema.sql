-- What the database does by itself for this folder: functions, triggers, views and policies as they are now.
-- Migrations made them; `server/tests/data/schema-files.test.ts` holds this file equal to what they made.

create or replace function notify_media_events() returns trigger language plpgsql as $$
begin
  perform pg_notify('media_events_arrived', '');
  return null;
end $$;
create or replace trigger media_events_arrived after insert on media_events
  for each statement execute function notify_media_events();

-- What an active member is at, as `profile.updated` tells it: of several rooms the one they came into last, and in no
-- room a meeting that they are busy by. Null of anybody else. Their presence is locked: what is told last is so.
create or replace function activity_of_member(organization bigint, person bigint) returns jsonb language sql volatile as $$
  select ids_of_person(person) || jsonb_build_object('roomId', inside.room_id, 'activity', case
      when inside.room_id is not null then 'in-room'
      when shown.status = 'busy' and shown.manual_status is null then 'in-meeting' end)
    from memberships m left join lateral (
      select p.status, p.manual_status from presence p
      where p.organization_id = organization and p.user_id = person for no key update) shown on true
    left join lateral (
      select p.room_id from media_participants p
      where p.organization_id = organization and p.user_id = person and p.ended_at is null and p.counts
      order by p.joined_at desc, p.sid limit 1) inside on true
    where m.organization_id = organization and m.user_id = person and m.status = 'active'
$$;
revoke execute on function activity_of_member(bigint,bigint) from public;
