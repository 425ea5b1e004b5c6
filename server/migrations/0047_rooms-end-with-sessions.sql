-- features/rooms -----------------------------------------------------------------------------------

-- Whoever is in a room by a session that has ended is put out. A trigger on what has ended, so that no statement that
-- ends a session can forget it. One item for a person: however many sessions end, and also where no media server is there to
-- work on it, there are no more of them than people.
create function leave_rooms_with_session() returns trigger language plpgsql as $$
begin
  if exists (select from rooms where organization_id = new.organization_id) then
    perform enqueue_work('room-session-ends', 'default', new.organization_id,
      new.organization_id || ' ' || new.user_id, null,
      jsonb_build_object('organization', new.organization_id::text, 'user', new.user_id::text),
      date_trunc('milliseconds', now()), date_trunc('milliseconds', now()), null);
  end if;
  return null;
end $$;
revoke execute on function leave_rooms_with_session() from public;
create trigger access_ended_leaves_rooms after insert on ended_access
  for each row when (new.session_id is not null and new.organization_id is not null)
  execute function leave_rooms_with_session();
