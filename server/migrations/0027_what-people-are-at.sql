-- What people are at and say: which room they are in, and what they chose until when.

-- features/media-events ---------------------------------------------------------------------------

-- The same by organization, and of one person in it: one index is written for each connection, as before.
create index media_participants_inside on media_participants (organization_id, user_id) where ended_at is null;
drop index media_participants_open;

-- features/presence -------------------------------------------------------------------------------

-- What somebody says of themselves, and when that and their choice end; null: not by the clock.
alter table presence add column note text, add column choice_ends_at timestamptz;
create index presence_by_end_of_choice on presence (choice_ends_at) where choice_ends_at is not null;

-- What an active member is at, as `profile.updated` tells it: of several rooms the one they came into last. Null of
-- anybody else.
create function activity_of_member(organization bigint, person bigint) returns jsonb language sql stable as $$
  select ids_of_person(person) || jsonb_build_object(
      'activity', case when inside.room_id is not null then 'in-room' end, 'roomId', inside.room_id)
    from memberships m left join lateral (
      select p.room_id from media_participants p
      where p.organization_id = organization and p.user_id = person and p.ended_at is null and p.counts
      order by p.joined_at desc, p.sid limit 1) inside on true
    where m.organization_id = organization and m.user_id = person and m.status = 'active'
$$;

-- Functions are open to everybody until it is said otherwise.
revoke execute on function activity_of_member from public;
