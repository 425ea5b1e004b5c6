-- Bots that are in rooms: agents.

-- features/media-events ---------------------------------------------------------------------------

-- null: no bot of the organization
alter table media_participants add column bot_id bigint;
-- what the media server lets it do: hear the room, and be heard and seen there
alter table media_participants add column listens boolean not null default false;
alter table media_participants add column speaks boolean not null default false;
