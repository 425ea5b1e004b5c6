-- What the database does by itself for this folder: functions, triggers, views and policies as they are now.
-- Migrations made them; `server/tests/data/schema-files.test.ts` holds this file equal to what they made.

-- features/invitations ----------------------------------------------------------------------------
create or replace function tell_invitation_accepted() returns trigger language plpgsql as $$
begin
  perform append_event(array['user:' || o.identity_organization_id || ':' || u.identity_user_id],
      'invitation.accepted', clock_timestamp(),
      jsonb_build_object('invitationId', new.identity_invitation_id, 'email', new.email,
        'userId', new.accepted_by_user_id::text),
      'person:' || u.id)
    from organizations o, users u, memberships m
    where o.id = new.organization_id and u.id = new.inviter_user_id
      and m.organization_id = o.id and m.user_id = u.id and m.status = 'active';
  return null;
end $$;
create or replace trigger invitations_tell_accepted after update of accepted_at on invitations
  for each row when (old.accepted_at is null and new.accepted_at is not null and new.accepted_by_user_id is not null)
  execute function tell_invitation_accepted();

-- To everybody in the organization: an id and a state, as anybody there can list them. That one expires is told by no
-- statement: its `expiresAt` says it.
create or replace function tell_invitation_changed() returns trigger language plpgsql as $$
declare
  about invitations := case tg_op when 'DELETE' then old else new end;
  channel text[] := channel_of_organization(about.organization_id);
begin
  perform append_event(channel, 'invitation.changed', clock_timestamp(),
    jsonb_build_object('invitationId', about.identity_invitation_id, 'state', case
      when tg_op = 'DELETE' then 'deleted'
      when about.accepted_at is not null then 'accepted'
      when about.revoked_at is not null then 'revoked'
      else 'pending' end),
    'invitation:' || about.id);
  return null;
end $$;
revoke execute on function tell_invitation_changed() from public;
create or replace trigger invitations_tell after insert or delete on invitations
  for each row execute function tell_invitation_changed();
create or replace trigger invitations_tell_change after update of accepted_at, revoked_at on invitations
  for each row when ((old.accepted_at is null) <> (new.accepted_at is null)
    or (old.revoked_at is null) <> (new.revoked_at is null))
  execute function tell_invitation_changed();
