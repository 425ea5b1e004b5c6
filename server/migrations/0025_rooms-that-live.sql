-- Rooms that live: deleted ones, and who is in which room.

-- features/rooms ----------------------------------------------------------------------------------

-- A deleted room stays as a row without name and metadata: recordings and late events are of it. Its name is its id
-- then, which no room is ever called by: the former name is free again, for a release of before too.
alter table rooms add column deleted_at timestamptz;

-- features/guests ---------------------------------------------------------------------------------

-- A trigger, so that no way in which a room ends can forget them. What follows is what follows where a link expires.
create function end_guests_of_room() returns trigger language plpgsql as $$
begin
  update guests set expires_at = new.deleted_at
    where room_id = new.id and state in ('waiting', 'admitted') and expires_at > new.deleted_at;
  return null;
end $$;
create trigger rooms_end_guests after update of deleted_at on rooms
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function end_guests_of_room();

-- features/media-events ---------------------------------------------------------------------------

-- Of the connections of one person in a room: the last one that ends is their leaving.
create index media_participants_of_person on media_participants (room_id, user_id) where ended_at is null;
