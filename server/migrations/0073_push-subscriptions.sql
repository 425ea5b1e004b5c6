-- Browsers that are told of what happens while nothing of the office is open, and the keys that the office is known to
-- their push services by.

-- features/push -----------------------------------------------------------------------------------

create table push_keys (
  id bigint generated always as identity primary key,
  -- as browsers are given it: an uncompressed point of P-256, base64url
  public_key text not null unique,
  sealed_private_key bytea not null,
  created_at timestamptz not null
);

-- It follows its session through a switch of the organization, and ends with it: triggers of features/push.
create table push_subscriptions (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  session_id bigint not null references sessions (id) on delete cascade,
  push_key_id bigint not null references push_keys (id),
  endpoint text not null unique check (length(endpoint) between 1 and 1024),
  -- the browser's own, to encrypt for it alone
  browser_key bytea not null check (length(browser_key) = 65),
  browser_secret bytea not null check (length(browser_secret) = 16),
  shows text not null check (shows in ('who', 'what')),
  created_at timestamptz not null,
  -- its push service asks to be left in peace until then
  paused_until timestamptz
);
create index push_subscriptions_of_user on push_subscriptions (user_id);
create index push_subscriptions_of_session on push_subscriptions (session_id);
create index push_subscriptions_of_key on push_subscriptions (push_key_id);
