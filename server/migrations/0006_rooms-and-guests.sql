-- Rooms, and the guests who wait before them or have been let in.

-- features/rooms ----------------------------------------------------------------------------------

-- A room's id is also its name at the media server, where rooms come and go: this row is what there is of a room
-- between its sessions.
create table rooms (
  id uuid primary key,
  organization_id bigint not null references organizations (id),
  name text not null check (char_length(name) between 1 and 255),
  metadata jsonb not null default '{}',
  created_by bigint not null references users (id),
  created_at timestamptz not null,
  -- the live session has still to be ended since then; null: nothing to do
  close_at timestamptz,
  unique (organization_id, name)
);
create index rooms_to_close on rooms (close_at) where close_at is not null;

-- Who is no longer in an organization and may still be in its rooms: a token that rolls on inside a room is not
-- asked again. Worked off against the media server. Rows are deleted once it has said that nobody is there any more.
create table room_departures (
  organization_id bigint not null references organizations (id),
  user_id bigint not null references users (id),
  -- no token of before can open a room after this
  until timestamptz not null,
  next_attempt_at timestamptz not null default now(),
  primary key (organization_id, user_id)
);
create index room_departures_due on room_departures (next_attempt_at);

-- A trigger, so that no way out of an organization can be forgotten.
create function note_room_departure() returns trigger language plpgsql as $$
begin
  if exists (select from rooms where organization_id = old.organization_id) then
    insert into room_departures (organization_id, user_id, until)
    -- in milliseconds: it names the departure to whoever works it off
    values (old.organization_id, old.user_id, date_trunc('milliseconds', now()) + interval '15 minutes')
    on conflict (organization_id, user_id) do update set until = excluded.until, next_attempt_at = now();
  end if;
  return null;
end $$;
create trigger memberships_leave_rooms after delete on memberships
  for each row execute function note_room_departure();
create trigger memberships_put_out_of_rooms after update of status on memberships
  for each row when (old.status = 'active' and new.status <> 'active') execute function note_room_departure();

create function close_rooms_of_organization() returns trigger language plpgsql as $$
begin
  update rooms set close_at = new.deleted_at where organization_id = new.id;
  return null;
end $$;
create trigger organizations_close_rooms after update of deleted_at on organizations
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function close_rooms_of_organization();

-- features/guests ---------------------------------------------------------------------------------

-- One guest of one room: a browser that came with one invite link. What the link allows is kept here, because
-- whoever decides does not have the link. States only go forward, waiting → admitted → left and so on: who is out
-- and asks again becomes another guest, so that no token of before is worth anything.
create table guests (
  -- at the media server: guest:<id>
  id uuid primary key,
  organization_id bigint not null references organizations (id),
  room_id uuid not null references rooms (id) on delete cascade,
  -- jti of the link
  invite_id text not null,
  -- SHA-256 of the cookie that keeps a browser's place; null: the browser has gone on to another row
  cookie_hash bytea unique,
  name text not null,
  invited_by bigint not null references users (id),
  allow_all boolean not null,
  -- empty: nobody named
  allowed_admins bigint[] not null,
  expires_at timestamptz not null,

  state text not null check (state in ('waiting', 'admitted', 'denied', 'left', 'expired')),
  -- of the state
  since timestamptz not null,
  -- the decision, and whose it was
  decided_by bigint references users (id),
  decided_at timestamptz,
  -- how often this browser has been denied, and before when it is not heard again
  denials integer not null default 0,
  ask_again_at timestamptz,

  -- the connection that the media server last told of; null: none that we know of
  connection text,
  -- who waits or is admitted has left, where the media server does not have them then
  absent_at timestamptz not null,
  -- what the state means to a live connection has still to be done at the media server; null: nothing
  enforce_at timestamptz,
  created_at timestamptz not null
);
create index guests_of_room on guests (room_id, state, since);
create index guests_to_enforce on guests (enforce_at) where enforce_at is not null;
create index guests_to_expire on guests (expires_at) where state in ('waiting', 'admitted');
create index guests_to_look_for on guests (absent_at) where state in ('waiting', 'admitted');
create index guests_out on guests (since) where state in ('denied', 'left', 'expired');
