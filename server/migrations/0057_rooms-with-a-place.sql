-- Rooms have a kind, seats and a place in the office's order.

-- features/rooms ------------------------------------------------------------------------------------

alter table rooms
  add column kind text not null default 'meeting'
    check (kind in ('meeting', 'office', 'focus', 'kitchen', 'lounge', 'stage', 'desk')),
  -- shown, not enforced
  add column seats integer check (seats between 1 and 500),
  -- a sort key that moves no other room; a room of the release before comes last
  add column position integer not null default 1000000 check (position between 0 and 1000000);

-- The `capacity` that front ends keep in the metadata is taken over once, where it is a number of seats.
update rooms set seats = (metadata ->> 'capacity')::numeric::integer
  where jsonb_typeof(metadata -> 'capacity') = 'number'
    and (metadata ->> 'capacity')::numeric between 1 and 500
    and (metadata ->> 'capacity')::numeric % 1 = 0;

-- Nothing moves on the day of the upgrade: lists were ordered by name.
update rooms set position = least(1000000, placed.place * 1000)
  from (select id, row_number() over (partition by organization_id order by lower(name), id) as place
    from rooms where deleted_at is null) placed
  where placed.id = rooms.id;
