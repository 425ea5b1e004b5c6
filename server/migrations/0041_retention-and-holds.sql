-- How long organizations keep what they have, and recordings that nobody may delete.

-- directory ---------------------------------------------------------------------------------------

-- What an organization has decided, in days. Null: as the deployment says.
create table organization_retention (
  organization_id bigint primary key references organizations (id),
  chat_days integer check (chat_days between 1 and 36500),
  audit_days integer check (audit_days between 1 and 36500),
  recording_days integer check (recording_days between 1 and 36500),
  session_days integer check (session_days between 1 and 36500),
  updated_at timestamptz not null
);

-- features/chat -----------------------------------------------------------------------------------

-- The oldest of an organization: what is over is read without looking at what stays.
create index messages_by_age on messages (org_id, created_at);

-- access ------------------------------------------------------------------------------------------

-- Up to where an audit trail was removed when its time was over. The chain goes on from here.
create table audit_cuts (
  organization_id bigint primary key references organizations (id),
  -- of the last entry that was removed
  sequence bigint not null check (sequence > 0),
  hash bytea not null,
  cut_at timestamptz not null,
  -- the same as a checkpoint that this office has signed: a database alone cannot make one
  statement text not null
);

-- As before (0032_erasable-audit.sql), and besides: what lies before a cut may be removed.
create or replace function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and tg_level = 'ROW' then
    if exists (select from audit_cuts c
        where c.organization_id = old.organization_id and c.sequence >= old.sequence)
    then return old; end if;
  end if;
  if tg_op = 'UPDATE' and tg_level = 'ROW' then
    if current_setting('atrium.rechaining', true) = 'on' then return new; end if;
    if (old.address_salt is not null and new.address_salt is null
        or old.personal_salt is not null and new.personal_salt is null)
      and (new.address_salt is not distinct from old.address_salt and new.address = old.address
        or new.address_salt is null and new.address = '')
      and (new.personal_salt is not distinct from old.personal_salt and new.personal::text = old.personal::text
        or new.personal_salt is null and new.personal::text = '{}')
      and to_jsonb(new) - array['address', 'address_salt', 'personal', 'personal_salt']
        = to_jsonb(old) - array['address', 'address_salt', 'personal', 'personal_salt']
    then return new; end if;
  end if;
  raise exception 'entries of the audit trail are never changed';
end $$;

-- features/recordings -----------------------------------------------------------------------------

alter table recordings
  -- under legal hold since then: nothing deletes it
  add column held_at timestamptz,
  add column hold_reason text,
  -- its file is being deleted: a hold would come too late
  add column removal_began_at timestamptz;
-- What is over, without what is held: of all organizations, and of one.
create index recordings_over on recordings (ended_at) where ended_at is not null and held_at is null;
create index recordings_over_of_organization on recordings (organization_id, ended_at)
  where ended_at is not null and held_at is null;
create index recordings_being_removed on recordings (removal_began_at) where removal_began_at is not null;

-- Told as another state is (0026_rooms-that-live.sql): lists show whether a recording is held.
create trigger recordings_tell_hold after update of held_at on recordings
  for each row when (new.egress_id is not null and (old.held_at is null) <> (new.held_at is null))
  execute function tell_recording_changed();

-- Whatever comes to delete recordings one day stops here.
create function refuse_held_recording() returns trigger language plpgsql as $$
begin
  raise exception 'recording % is under legal hold', old.id;
end $$;
create trigger recordings_held before delete on recordings
  for each row when (old.held_at is not null) execute function refuse_held_recording();

revoke execute on function refuse_held_recording from public;
