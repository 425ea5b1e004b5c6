-- Who is inside a room locks it; others knock at its door.

-- features/rooms ------------------------------------------------------------------------------------

-- since when the room is locked; null: it is open
alter table rooms add column locked_at timestamptz;

-- What was decided at the door of a room about one person. Worth minutes; kept for a day at most.
create table room_doors (
  organization_id bigint not null references organizations (id),
  room_id uuid not null references rooms (id),
  user_id bigint not null references users (id),
  -- somebody inside has let them in: one token is given until then
  let_in_until timestamptz,
  -- that token may bring them inside until then
  expected_until timestamptz,
  -- they were put out; what was true of them before counts no more
  put_out_at timestamptz,
  changed_at timestamptz not null,
  primary key (room_id, user_id)
);
create index room_doors_by_change on room_doors (changed_at);
create index room_doors_of_person on room_doors (user_id);

-- features/knock ------------------------------------------------------------------------------------

-- A knock at a door is for all who are inside.
alter table knocks
  alter column to_user_id drop not null,
  add column door_room_id uuid references rooms (id),
  add constraint knocks_one_side check (num_nonnulls(to_user_id, door_room_id) = 1);
create unique index knocks_waiting_at_door on knocks (organization_id, from_user_id, door_room_id)
  where outcome is null and door_room_id is not null;
