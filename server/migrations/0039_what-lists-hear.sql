-- What a list of invitations needs to stay right, and a knock that is asked anew in other words.

-- features/knock ----------------------------------------------------------------------------------

-- Of what the knock that waits has said, salted with its id: whether it is asked anew in other words, without keeping
-- them. Null: it was made by the release before.
alter table knocks add column said_digest bytea;

-- features/invitations ----------------------------------------------------------------------------

-- To everybody in the organization: an id and a state, as anybody there can list them. That one expires is told by no
-- statement: its `expiresAt` says it.
create function tell_invitation_changed() returns trigger language plpgsql as $$
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
create trigger invitations_tell after insert or delete on invitations
  for each row execute function tell_invitation_changed();
create trigger invitations_tell_change after update of accepted_at, revoked_at on invitations
  for each row when ((old.accepted_at is null) <> (new.accepted_at is null)
    or (old.revoked_at is null) <> (new.revoked_at is null))
  execute function tell_invitation_changed();

-- Functions are open to everybody until it is said otherwise.
revoke execute on function tell_invitation_changed from public;
