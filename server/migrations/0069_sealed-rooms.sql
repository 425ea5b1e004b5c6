-- Only people inside can read what is said in a sealed room. Whether a room is sealed changes while it is empty and no
-- token for it is alive: `token_until` is no earlier than the end of the last one, and moves on once a minute.
alter table rooms
  add column sealed boolean not null default false,
  add column token_until timestamptz;
