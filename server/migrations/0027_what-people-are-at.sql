-- What people are at and say: which room or meeting they are in, and what they chose until when.

-- features/media-events ---------------------------------------------------------------------------

-- The same by organization, and of one person in it: one index is written for each connection, as before.
create index media_participants_inside on media_participants (organization_id, user_id) where ended_at is null;
drop index media_participants_open;

-- features/presence -------------------------------------------------------------------------------

-- What somebody says of themselves, and when that and their choice end; null: not by the clock.
alter table presence add column note text, add column choice_ends_at timestamptz;
create index presence_by_end_of_choice on presence (choice_ends_at) where choice_ends_at is not null;

-- A meeting of the calendar goes on, whatever the person has chosen.
alter table presence add column in_meeting boolean not null default false;

-- When people are in meetings, of those who have chosen that it shows: times and nothing else, by provider.
create table presence_meetings (
  user_id bigint primary key references users (id),
  times jsonb not null default '{}',
  -- when their calendars are read next; null: not any more
  read_next_at timestamptz,
  -- when a meeting begins or ends next
  change_at timestamptz
);
create index presence_meetings_to_read on presence_meetings (read_next_at) where read_next_at is not null;
create index presence_meetings_by_change on presence_meetings (change_at) where change_at is not null;

alter table users add column calendar_status boolean not null default false;

create function follow_calendar_status() returns trigger language plpgsql as $$
begin
  insert into presence_meetings as m (user_id, read_next_at, change_at)
    values (new.id, case when new.calendar_status then timestamptz 'epoch' end,
      date_trunc('milliseconds', clock_timestamp()))
    on conflict (user_id) do update
      set times = '{}', read_next_at = excluded.read_next_at, change_at = excluded.change_at;
  return null;
end $$;
create trigger users_calendar_status after update of calendar_status on users
  for each row when (old.calendar_status <> new.calendar_status) execute function follow_calendar_status();

-- What a calendar that is no longer connected said does not hold any more.
create function follow_calendar_connection() returns trigger language plpgsql as $$
begin
  update presence_meetings set read_next_at = 'epoch', change_at = date_trunc('milliseconds', clock_timestamp()),
      times = case tg_op when 'DELETE' then times - old.provider else times end
    where user_id = coalesce(new.user_id, old.user_id) and read_next_at is not null;
  return null;
end $$;
create trigger calendar_connections_meetings after insert or delete on calendar_connections
  for each row execute function follow_calendar_connection();

-- What an active member is at, as `profile.updated` tells it: of several rooms the one they came into last, and in no
-- room a meeting that they are busy by. Null of anybody else. Their presence is locked: what is told last is so.
create function activity_of_member(organization bigint, person bigint) returns jsonb language sql volatile as $$
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

-- Functions are open to everybody until it is said otherwise.
revoke execute on function activity_of_member from public;
