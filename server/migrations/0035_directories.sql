-- What the directory of an organization (Entra ID, Okta, …) says of its people and groups, over SCIM.

-- features/scim -----------------------------------------------------------------------------------

-- Somebody as the directory of an organization knows them. Accounts are apart: what stands here is one organization's
-- view. Whether they are active is whether they are a member.
create table scim_users (
  organization_id bigint not null references organizations (id) on delete cascade,
  user_id bigint not null references users (id) on delete cascade,
  user_name text not null,
  external_id text,
  given_name text,
  family_name text,
  display_name text,
  email_type text,
  email_primary boolean,
  -- the role they have without groups, while a group gives them a higher one
  role_by_hand text check (role_by_hand in ('guest', 'member', 'moderator', 'admin')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, user_id)
);
create unique index scim_users_by_name on scim_users (organization_id, lower(user_name));
create index scim_users_by_external_id on scim_users (organization_id, external_id);
create index scim_users_of_user on scim_users (user_id);

create table scim_groups (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations (id) on delete cascade,
  display_name text not null,
  external_id text,
  -- what its people are at least; null: nothing follows. Said by an admin, never by the directory
  role text check (role in ('guest', 'member', 'moderator', 'admin')),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index scim_groups_by_name on scim_groups (organization_id, lower(display_name));

create table scim_group_members (
  organization_id bigint not null,
  group_id bigint not null references scim_groups (id) on delete cascade,
  user_id bigint not null,
  primary key (group_id, user_id),
  foreign key (organization_id, user_id) references scim_users (organization_id, user_id) on delete cascade
);
create index scim_group_members_of_user on scim_group_members (organization_id, user_id);
