-- What an organization has decided of itself. One that has decided nothing has no row.

-- directory -----------------------------------------------------------------------------------------

create table organization_settings (
  organization_id bigint primary key references organizations (id),
  -- from which role on members let guests in
  guest_admission text not null default 'admin' check (guest_admission in ('admin', 'moderator', 'member')),
  -- whether programs may come into rooms
  agents boolean not null default true,
  -- of mails to people whose language is not known
  language text not null default 'en' check (language in ('en', 'de')),
  updated_at timestamptz not null
);
