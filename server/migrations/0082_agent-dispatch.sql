-- Whether bots are asked into a room, and which of them are on their way.

-- features/rooms ----------------------------------------------------------------------------------

alter table rooms add column agent_dispatch text not null default 'on-request'
  check (agent_dispatch in ('none', 'on-request', 'always'));
-- of a bot: it was asked into the room, and is awaited until then
alter table room_doors add column dispatched_until timestamptz;
