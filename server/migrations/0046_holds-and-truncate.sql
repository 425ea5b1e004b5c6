-- Emptying the table passes the triggers of its rows: it is stopped by one of its own.

-- features/recordings -----------------------------------------------------------------------------

create function refuse_emptying_held_recordings() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if exists (select from recordings where held_at is not null) then
    raise exception 'recordings are under legal hold';
  end if;
  return null;
end $$;
revoke execute on function refuse_emptying_held_recordings from public;
create trigger recordings_held_all before truncate on recordings
  for each statement execute function refuse_emptying_held_recordings();
