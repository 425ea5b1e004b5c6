-- What the media server tells of its rooms, what is known of them, and the metrics that are made of it.

-- platform ----------------------------------------------------------------------------------------

-- Metric series that describe the office and not one of its nodes: every node shows the same. Written under
-- one lock, so that revisions become visible in their order.
create sequence metric_series_revisions;
create table metric_series (
  -- null: of no organization
  organization_id bigint references organizations (id),
  metric text not null,
  -- as they are shown: org_id="org_…",source="camera"
  labels text not null,
  -- of a histogram the sum of what was observed
  value double precision not null,
  -- of a histogram: observations by bucket, each for itself; the last one is for all above the highest bound
  buckets bigint[],
  revision bigint not null default nextval('metric_series_revisions'),
  unique nulls not distinct (metric, organization_id, labels)
);
create index metric_series_by_revision on metric_series (revision);
create index metric_series_of_organization on metric_series (organization_id);

create function notify_metric_series() returns trigger language plpgsql as $$
begin
  perform pg_notify('metric_series_changed', lower(tg_op));
  return null;
end $$;
create trigger metric_series_changed after insert or update or delete on metric_series
  for each statement execute function notify_metric_series();

-- features/media-events ---------------------------------------------------------------------------

-- The inbox: verified events, each id once within the duplicate window.
create sequence media_event_positions;
create table media_events (
  event_id text primary key,
  position bigint not null default nextval('media_event_positions'),
  received_at timestamptz not null,
  -- in our own words: nothing secret of the vendor's
  event jsonb not null,
  processed_at timestamptz,
  -- somebody else in the house has still to be told; null: nobody
  tell_at timestamptz,
  tell_attempts integer not null default 0
);
create index media_events_to_process on media_events (position) where processed_at is null;
create index media_events_to_tell on media_events (tell_at) where tell_at is not null;
create index media_events_by_age on media_events (received_at);

create function notify_media_events() returns trigger language plpgsql as $$
begin
  perform pg_notify('media_events_arrived', '');
  return null;
end $$;
create trigger media_events_arrived after insert on media_events
  for each statement execute function notify_media_events();

-- What is known of the media server's rooms. A row stays after its end for a while: what comes late, twice or in
-- disorder then finds that it is over.
create table media_rooms (
  sid text primary key,
  organization_id bigint not null references organizations (id),
  room_id uuid not null,
  started_at timestamptz not null,
  -- its start has been counted
  counted boolean not null,
  ended_at timestamptz,
  -- event: the media server said so; sweep: it was no longer in its list
  ended_by text check (ended_by in ('event', 'sweep'))
);
create index media_rooms_open on media_rooms (organization_id) where ended_at is null;
create index media_rooms_by_end on media_rooms (ended_at);

-- One connection of somebody. Those that are over are the activity that unique users are counted from: 90 days.
create table media_participants (
  sid text primary key,
  organization_id bigint not null references organizations (id),
  room_sid text not null,
  room_id uuid not null,
  identity text not null,
  -- null: no member, so never a unique user
  user_id bigint,
  -- guests do not count before they are admitted, machinery never does
  counts boolean not null,
  -- a guest who waits: may come to count
  waits boolean not null,
  -- since when they count
  joined_at timestamptz not null,
  -- the session has been counted
  counted boolean not null,
  ended_at timestamptz,
  ended_by text check (ended_by in ('event', 'room', 'sweep')),
  seconds double precision
);
create index media_participants_open on media_participants (organization_id) where ended_at is null;
create index media_participants_of_room on media_participants (room_sid) where ended_at is null;
create index media_participants_waiting on media_participants (sid) where ended_at is null and waits;
create index media_participants_by_end on media_participants (ended_at);

create table media_tracks (
  sid text primary key,
  organization_id bigint not null references organizations (id),
  room_sid text not null,
  participant_sid text not null,
  source text not null,
  type text not null,
  published_at timestamptz not null,
  ended_at timestamptz,
  ended_by text check (ended_by in ('event', 'participant', 'room', 'sweep'))
);
create index media_tracks_open on media_tracks (organization_id) where ended_at is null;
create index media_tracks_of_participant on media_tracks (participant_sid) where ended_at is null;
create index media_tracks_of_room on media_tracks (room_sid) where ended_at is null;
create index media_tracks_by_end on media_tracks (ended_at);

-- Recordings and streams brought in. An ingress starts again and again under one id: its key carries the start.
create table media_jobs (
  kind text not null check (kind in ('egress', 'ingress')),
  key text not null,
  organization_id bigint not null references organizations (id),
  room_id uuid not null,
  -- request_type of an egress, input_type of an ingress
  variety text not null,
  started_at timestamptz,
  counted boolean not null,
  ended_at timestamptz,
  result text,
  seconds double precision,
  primary key (key, kind)
);
create index media_jobs_open on media_jobs (organization_id) where ended_at is null;
create index media_jobs_by_end on media_jobs (ended_at);
