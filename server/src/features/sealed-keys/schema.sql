-- What the database does by itself for this folder: functions, triggers, views and policies as they are now. Change them
-- here: `npm run generate` counts server/migrations/schema.json up, and `migrate` applies what differs.

-- The key of a room ends with its session: with the last one inside, member or guest, however their stay has ended.
create or replace function end_room_key() returns trigger language plpgsql as $$
begin
  delete from room_keys where room_id = new.room_id
    and not exists (select from media_participants p
      where p.room_id = new.room_id and p.ended_at is null and p.counts);
  return null;
end $$;
create or replace trigger media_participants_end_room_key after update of ended_at on media_participants
  for each row when (old.ended_at is null and new.ended_at is not null) execute function end_room_key();
