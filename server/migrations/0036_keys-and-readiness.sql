-- features/guests ---------------------------------------------------------------------------------

-- Which key has sealed a link: the link itself is with whoever was sent it, and works for as long as that key is known.
-- Null: made by the release before, or first seen when it was used.
alter table guest_invites add column sealed_with text;

-- features/health -------------------------------------------------------------------------------

-- What nodes write to see whether they can: a database that has failed over, or whose disk is full, still answers. One row
-- for each node since it started.
create table readiness_probes (
  node uuid primary key,
  at timestamptz not null
);
