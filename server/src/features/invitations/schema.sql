-- What the database does by itself for this folder: functions, triggers, views and policies as they are now. Change them
-- here: `npm run generate` counts server/migrations/schema.json up, and `migrate` applies what differs.

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

-- The role that an invitation gives when it is accepted: what was offered, but never more than its inviter could grant by
-- then. An inviter who has left could grant a membership.
create or replace function role_given(offered text, organization bigint, inviter bigint) returns text
language sql stable as $$
  select ranked.role
  from unnest(array['guest', 'member', 'moderator', 'admin']) with ordinality as ranked (role, rank)
  where ranked.role in (offered, coalesce(
    (select m.role from memberships m
      where m.organization_id = organization and m.user_id = inviter and m.status = 'active'), 'member'))
  order by ranked.rank limit 1
$$;
revoke execute on function role_given(text,bigint,bigint) from public;

-- Invitations that a person may accept without their tokens: to the address that is proven to be theirs, into organizations
-- that they have no membership of, the newest hundred. Everything that shows or accepts one asks here.
create or replace function waiting_invitations(person bigint, moment timestamptz)
returns table (invitation_id text, organization_id bigint, identity_organization_id text, organization_name text,
  logo_key text, role text, created_at timestamptz)
language sql stable as $$
  select i.identity_invitation_id, o.id, o.identity_organization_id, o.name, o.logo_key,
    role_given(i.role, i.organization_id, i.inviter_user_id), i.created_at
  from users u
  join invitations i on i.email = u.email
  join organizations o on o.id = i.organization_id
  where u.id = person and u.email_verified_at is not null and u.deleted_at is null
    and i.accepted_at is null and i.revoked_at is null and i.superseded_at is null and i.expires_at > moment
    and o.deleted_at is null
    and not exists (select from memberships m where m.organization_id = o.id and m.user_id = u.id)
  order by i.created_at desc, i.identity_invitation_id desc
  limit 100
$$;
revoke execute on function waiting_invitations(bigint,timestamp with time zone) from public;
