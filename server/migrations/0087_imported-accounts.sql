-- directory ---------------------------------------------------------------------------------------

-- People of an imported organization with the address of an account that was here already: accounts apart, without a way in,
-- until the owner of the address has signed in here.
create table imported_accounts (
  user_id bigint primary key references users (id) on delete cascade,
  organization_id bigint not null references organizations (id) on delete cascade,
  -- null once its owner has come
  email text,
  imported_at timestamptz not null,
  joined_as bigint references users (id),
  joined_at timestamptz,
  unique (organization_id, email)
);
create index imported_accounts_by_email on imported_accounts (email) where email is not null;
create index imported_accounts_by_account on imported_accounts (joined_as) where joined_as is not null;
