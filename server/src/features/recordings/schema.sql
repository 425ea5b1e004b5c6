-- What the database does by itself for this folder: functions, triggers, views and policies as they are now. Change them
-- here: `npm run generate` counts server/migrations/schema.json up, and `migrate` applies what differs.

-- From the moment that the media server has named it: before, nobody can know what is meant.
create or replace function tell_recording_changed() returns trigger language plpgsql as $$
begin
  perform append_event(array['org:' || o.identity_organization_id], 'recording.changed', clock_timestamp(),
      jsonb_build_object('egressId', new.egress_id, 'roomId', new.room_id, 'state', new.state),
      'room:' || new.room_id)
    from organizations o where o.id = new.organization_id;
  return null;
end $$;
create or replace trigger recordings_tell after update of state, egress_id on recordings
  for each row when (new.egress_id is not null
    and (old.state <> new.state or old.egress_id is distinct from new.egress_id))
  execute function tell_recording_changed();

-- Told as another state is: lists show what a recording is called, and until when it is shared.
create or replace trigger recordings_tell_about after update of name, shared_until on recordings
  for each row when (new.egress_id is not null
    and (old.name is distinct from new.name or old.shared_until is distinct from new.shared_until))
  execute function tell_recording_changed();

-- Told as another state is: whoever waits for a transcript reads it.
create or replace trigger recordings_tell_transcript after update of transcript, transcript_state on recordings
  for each row when (new.egress_id is not null and (old.transcript_state is distinct from new.transcript_state
    or (old.transcript is null) <> (new.transcript is null)))
  execute function tell_recording_changed();

-- Told as another state is (0026_rooms-that-live.sql): lists show whether a recording is held.
create or replace trigger recordings_tell_hold after update of held_at on recordings
  for each row when (new.egress_id is not null and (old.held_at is null) <> (new.held_at is null))
  execute function tell_recording_changed();

-- Whatever comes to delete recordings one day stops here.
create or replace function refuse_held_recording() returns trigger language plpgsql as $$
begin
  raise exception 'recording % is under legal hold', old.id;
end $$;
revoke execute on function refuse_held_recording() from public;
create or replace trigger recordings_held before delete on recordings
  for each row when (old.held_at is not null) execute function refuse_held_recording();

-- features/recordings -----------------------------------------------------------------------------
create or replace function refuse_emptying_held_recordings() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if exists (select from recordings where held_at is not null) then
    raise exception 'recordings are under legal hold';
  end if;
  return null;
end $$;
revoke execute on function refuse_emptying_held_recordings() from public;
create or replace trigger recordings_held_all before truncate on recordings
  for each statement execute function refuse_emptying_held_recordings();

-- A person of an imported organization has become their account: chapters and words name them by its number.
create or replace function rename_speaker() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
  before text := format('"identity": "%s"', new.user_id);
  after text := format('"identity": "%s"', new.joined_as);
begin
  update recordings
    set chapters = replace(chapters::text, before, after)::jsonb,
      transcript = replace(transcript::text, before, after)::jsonb
    where organization_id = new.organization_id
      and (strpos(chapters::text, before) > 0 or strpos(transcript::text, before) > 0);
  return null;
end $$;
revoke execute on function rename_speaker() from public;
create or replace trigger imported_accounts_rename_speakers after update of joined_as on imported_accounts
  for each row when (old.joined_as is null and new.joined_as is not null) execute function rename_speaker();
