-- Recordings of rooms: what was asked for, what the media server made of it, and where the file lies.

-- features/recordings -----------------------------------------------------------------------------

create table recordings (
  id uuid primary key,
  organization_id bigint not null references organizations (id),
  room_id uuid not null references rooms (id),
  -- the media server's id of it; null until it is known
  egress_id text unique,
  state text not null check (state in ('starting', 'active', 'stopping', 'completed', 'failed', 'aborted')),
  -- the end is a conclusion of ours, because nothing was heard: the media server's own word overrides it
  presumed boolean not null default false,
  conference_topic text not null,
  zone_id text not null,
  participants text not null,
  started_by bigint not null references users (id),
  requested_at timestamptz not null,
  -- when the recorder really began
  started_at timestamptz,
  stop_requested_at timestamptz,
  ended_at timestamptz,
  -- the media server answers, and does not know it, since then
  missing_since timestamptz,
  file_key text not null unique,
  -- where others say that the file lies: for support
  file_location text,
  size_bytes bigint,
  duration_seconds double precision,
  -- why it failed, in others' words: for support
  failure text
);
-- At most one runs in a room, whoever starts two at once.
create unique index recordings_running on recordings (room_id) where state in ('starting', 'active', 'stopping');
create index recordings_of_organization on recordings (organization_id, requested_at desc, id);
create index recordings_of_room on recordings (room_id, requested_at desc);
create index recordings_by_end on recordings (ended_at) where ended_at is not null;
