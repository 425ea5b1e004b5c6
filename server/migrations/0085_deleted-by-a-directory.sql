-- A directory's DELETE forgets nobody: who comes under the same name or address later has to be vouched for, as one who is
-- held inactive has. The name itself is free for others.
alter table scim_users add column deleted_at timestamptz;
drop index scim_users_by_name;
create unique index scim_users_by_name on scim_users (organization_id, lower(user_name)) where deleted_at is null;
