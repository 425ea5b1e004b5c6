-- People change the address of their account, and delete it.

-- directory ---------------------------------------------------------------------------------------

alter table users
  -- those that the account had before: what is kept under them is found when the account is erased
  add column former_emails text[] not null default '{}',
  -- the account was deleted: the row stays for what refers to it, and tells nothing of the person
  add column deleted_at timestamptz;

-- features/account --------------------------------------------------------------------------------

-- What waits for the codes that were mailed to somebody: one of each kind, the newest.
create table account_confirmations (
  user_id bigint not null references users (id),
  purpose text not null check (purpose in ('email-change', 'deletion')),
  -- of the account, when the codes were mailed
  email text not null,
  new_email text,
  code_hash bytea not null,
  new_code_hash bytea,
  attempts integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (user_id, purpose),
  constraint changes_have_both check (case purpose when 'email-change' then num_nulls(new_email, new_code_hash) = 0
    else num_nonnulls(new_email, new_code_hash) = 0 end)
);
create index account_confirmations_by_expiry on account_confirmations (expires_at);

-- Lists of members show addresses too: whoever keeps one reads again.
drop trigger users_tell_profile on users;
create trigger users_tell_profile after update of display_name, avatar_key, email on users
  for each row when (old.display_name <> new.display_name or old.avatar_key is distinct from new.avatar_key
    or old.email <> new.email)
  execute function tell_profile_updated();

-- access ------------------------------------------------------------------------------------------

-- Nodes know callers with their addresses.
create function notify_user_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('access_changed', new.id::text);
  return null;
end $$;
create trigger users_access_changed after update of email, deleted_at on users
  for each row when (old.email <> new.email or old.deleted_at is distinct from new.deleted_at)
  execute function notify_user_changed();
revoke execute on function notify_user_changed from public;

-- features/sign-in --------------------------------------------------------------------------------

-- What an operator has made for an administrator who cannot sign in any more. A row goes when it is used.
create table recovery_links (
  token_hash bytea primary key,
  organization_id bigint not null references organizations (id),
  user_id bigint not null references users (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  unique (organization_id, user_id)
);
create index recovery_links_of_user on recovery_links (user_id);
