-- Avatars and logos: who may upload what, and how often they have tried.

-- directory ---------------------------------------------------------------------------------------

-- Beside the image they are about: whoever reads a user reads what is left of their tries too.
-- The count begins anew a day after its first try.
alter table users
  add column image_tries_spent integer not null default 0,
  add column image_tries_began_at timestamptz;
alter table organizations
  add column image_tries_spent integer not null default 0,
  add column image_tries_began_at timestamptz;

-- What is still shown must not be swept away: the sweeper asks for many keys at once.
create index users_by_avatar on users (avatar_key) where avatar_key is not null;
create index organizations_by_logo on organizations (logo_key) where logo_key is not null;

-- features/uploads --------------------------------------------------------------------------------

-- One upload: from its ticket until the image is in its place. A ticket is finalized once, whatever is put
-- under its key afterwards; no store is relied upon to refuse a second write.
create table upload_tickets (
  tmp_key text primary key,
  -- User.id, or Organization.id
  owner text not null,
  created_at timestamptz not null,
  -- somebody is at it: until this lease ends nobody else is
  claimed_until timestamptz,
  finished_at timestamptz
);
create index upload_tickets_of_owner on upload_tickets (owner, created_at) where finished_at is null;
create index upload_tickets_by_age on upload_tickets (created_at);
