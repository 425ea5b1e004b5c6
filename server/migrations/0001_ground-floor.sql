-- The ground floor: who there is (directory), who is signed in (access), and the queues that events
-- and mails leave through (platform). Forward only; never edited after landing.

-- directory ---------------------------------------------------------------------------------------

create table organizations (
  id bigint generated always as identity primary key,
  identity_organization_id text not null unique,
  name text not null check (char_length(name) between 1 and 100),
  logo_key text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);

create table users (
  id bigint generated always as identity primary key,
  identity_user_id text not null unique,
  -- normalized: trimmed, NFC, lower case, domain in its ASCII form
  email text not null unique,
  email_verified_at timestamptz,
  first_name text not null default '',
  last_name text not null default '',
  display_name text not null check (char_length(display_name) between 2 and 100),
  avatar_key text,
  last_organization_id bigint references organizations (id),
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table memberships (
  organization_id bigint not null references organizations (id),
  user_id bigint not null references users (id),
  role text not null check (role in ('guest', 'member', 'moderator', 'admin')),
  status text not null check (status in ('active', 'pending', 'inactive')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, user_id)
);
create index memberships_of_user on memberships (user_id, created_at);

-- access ------------------------------------------------------------------------------------------

create table sessions (
  id bigint generated always as identity primary key,
  -- SHA-256 of the cookie's value: who reads this table cannot sign in with it
  token_hash bytea not null unique,
  user_id bigint not null references users (id),
  active_organization_id bigint references organizations (id),
  method text not null check (method in ('magic_auth', 'oauth', 'sso', 'dev')),
  -- the organization whose single sign-on made this session: it cannot enter another
  sso_organization_id bigint references organizations (id),
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  idle_expires_at timestamptz not null,
  absolute_expires_at timestamptz not null,
  revoked_at timestamptz
);
create index sessions_of_user on sessions (user_id) where revoked_at is null;
create index sessions_by_expiry on sessions (absolute_expires_at);

-- Every node keeps recent callers in memory and forgets them when told here. Triggers, so that no
-- statement that ends or changes an access can forget to say so. Payload: the user's id.
create function notify_access_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('access_changed', coalesce(new.user_id, old.user_id)::text);
  return null;
end $$;

create trigger sessions_changed after update of revoked_at, active_organization_id on sessions
  for each row when (old.revoked_at is distinct from new.revoked_at
    or old.active_organization_id is distinct from new.active_organization_id)
  execute function notify_access_changed();
create trigger sessions_deleted after delete on sessions
  for each row when (old.revoked_at is null) execute function notify_access_changed();
create trigger memberships_changed after insert or update or delete on memberships
  for each row execute function notify_access_changed();

-- An organization that is deleted or comes back concerns all its people at once.
create function notify_organization_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('access_changed', 'organization:' || new.id);
  return null;
end $$;
create trigger organizations_access_changed after update of deleted_at on organizations
  for each row when (old.deleted_at is distinct from new.deleted_at)
  execute function notify_organization_changed();

-- features/sign-in --------------------------------------------------------------------------------

create table pending_sign_ins (
  id bigint generated always as identity primary key,
  token_hash bytea not null unique,
  user_id bigint not null references users (id),
  method text not null check (method in ('magic_auth', 'oauth', 'sso', 'dev')),
  -- the organizations offered when the token was made; membership is checked again when it is used
  organization_ids bigint[] not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  spent_at timestamptz
);
create index pending_sign_ins_by_expiry on pending_sign_ins (expires_at);

-- adapters/local-identity -------------------------------------------------------------------------

create table email_codes (
  id bigint generated always as identity primary key,
  email text not null,
  code_hash bytea not null,
  attempts integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- used, or replaced by a newer one
  ended_at timestamptz
);
create unique index email_codes_live on email_codes (email) where ended_at is null;
create index email_codes_by_expiry on email_codes (expires_at);

-- platform ----------------------------------------------------------------------------------------

-- Format of Centrifugo's PostgreSQL consumer: id, method, payload, partition, created_at.
create table centrifugo_outbox (
  id bigint generated always as identity primary key,
  method text not null,
  payload jsonb not null,
  partition integer not null default 0,
  created_at timestamptz not null default now()
);
create index centrifugo_outbox_order on centrifugo_outbox (partition, id);

create function notify_outbox() returns trigger language plpgsql as $$
begin
  perform pg_notify('centrifugo_partition_change', new.partition::text);
  return null;
end $$;
create trigger centrifugo_outbox_appended after insert on centrifugo_outbox
  for each row execute function notify_outbox();

-- Mails wait here, sealed (they carry codes and links), until the mail server has taken them.
create table mail_queue (
  id bigint generated always as identity primary key,
  sealed_message bytea not null,
  created_at timestamptz not null,
  -- not sent any more after this: a code that has expired only confuses
  not_after timestamptz not null,
  next_attempt_at timestamptz not null,
  attempts integer not null default 0
);
create index mail_queue_due on mail_queue (next_attempt_at);

create function notify_mail_queue() returns trigger language plpgsql as $$
begin
  perform pg_notify('mail_queued', '');
  return null;
end $$;
create trigger mail_queued after insert on mail_queue
  for each statement execute function notify_mail_queue();

-- Counters of limits that must hold across nodes (codes per e-mail, guesses per address), in the columns of
-- rate-limiter-flexible. Not logged to disk: after a crash of the database they begin anew.
create unlogged table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limits_by_end on rate_limits (expire);

-- sandbox -----------------------------------------------------------------------------------------

-- What the stand-in for a mail server has received: development and tests only.
create table sandbox_mails (
  id bigint generated always as identity primary key,
  recipient text not null,
  subject text not null,
  text_body text not null,
  html_body text not null,
  received_at timestamptz not null
);
