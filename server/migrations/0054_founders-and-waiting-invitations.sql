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
