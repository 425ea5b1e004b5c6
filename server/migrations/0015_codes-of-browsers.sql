-- E-mailed codes count for the browser that asked; a session that has just been replaced is remembered by its successor.
-- The release before this one keeps working beside it: it leaves the new columns empty, and asks for no uniqueness.

-- adapters/local-identity -------------------------------------------------------------------------

alter table email_codes
  -- SHA-256 of the cookie of the browser that asked; null: asked for by an earlier release
  add column browser_hash bytea,
  -- tries of browsers that have asked for no code: they end the code for themselves only
  add column attempts_elsewhere integer not null default 0;
drop index email_codes_live;
create unique index email_codes_live on email_codes (email, browser_hash) where ended_at is null;

-- features/sign-in --------------------------------------------------------------------------------

-- What the newest code that a browser has asked for an address does. Takes the place of pending_sign_ups, which only an
-- earlier release still writes.
create table code_requests (
  email text not null,
  browser_hash bytea not null,
  -- the token of an invitation or of a pilot customer; null: the code signs in and does nothing else
  sealed_purpose bytea,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (email, browser_hash)
);
create index code_requests_by_expiry on code_requests (expires_at);

-- access ------------------------------------------------------------------------------------------

-- of a session that was replaced when it moved into another organization: the token hash of the one in its place
alter table sessions add column replaced_by_hash bytea;
