-- directory ---------------------------------------------------------------------------------------

-- Organizations that have moved to another office, until that is confirmed: hidden here, and whole.
create table organization_moves (
  organization_id bigint primary key references organizations (id) on delete cascade,
  moved_to text not null,
  moved_at timestamptz not null,
  -- of the archive that went along; null until it is written
  archive_digest text
);
