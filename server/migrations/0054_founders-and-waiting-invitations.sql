-- Who has founded an organization, and which invitations wait for a person.

-- directory ---------------------------------------------------------------------------------------

-- Null: nobody knows. What one person may found is limited.
alter table organizations add column founder_user_id bigint references users (id);
-- creating it is the first entry of every trail that has one
update organizations o set founder_user_id = e.actor_user_id
  from audit_entries e
  where e.organization_id = o.id and e.sequence = 1 and e.action = 'organization.created';
create index organizations_by_founder on organizations (founder_user_id) where founder_user_id is not null;

-- features/invitations ----------------------------------------------------------------------------

-- asked with every profile
create index invitations_waiting on invitations (email)
  where accepted_at is null and revoked_at is null and superseded_at is null;

-- Invitations that a person may accept without their tokens: to the address that is proven to be theirs, into organizations
-- that they have no membership of, the newest hundred. Everything that shows or accepts one asks here.
create function waiting_invitations(person bigint, moment timestamptz)
returns table (invitation_id text, organization_id bigint, identity_organization_id text, organization_name text,
  logo_key text, role text, created_at timestamptz)
language sql stable as $$
  select i.identity_invitation_id, o.id, o.identity_organization_id, o.name, o.logo_key, i.role, i.created_at
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
revoke execute on function waiting_invitations(bigint, timestamptz) from public;
