-- Desks belong to one person; temporary rooms are for two.

-- features/rooms ------------------------------------------------------------------------------------

-- A desk and a temporary room are called by their id: what people read is made of the names of whose they are.
alter table rooms
  add column owner_id bigint references users (id),
  add column first_person_id bigint references users (id),
  add column second_person_id bigint references users (id),
  -- of a temporary room: until then it stays although it is empty
  add column wanted_until timestamptz,
  add constraint rooms_desk_of_one check (owner_id is null or kind = 'desk'),
  add constraint rooms_between_two check (
    (first_person_id is null and second_person_id is null and wanted_until is null)
    or (first_person_id < second_person_id and wanted_until is not null and owner_id is null));
create unique index rooms_one_desk on rooms (organization_id, owner_id)
  where owner_id is not null and deleted_at is null;
create unique index rooms_one_between_two on rooms (organization_id, first_person_id, second_person_id)
  where first_person_id is not null and deleted_at is null;
create index rooms_between_two_by_end on rooms (wanted_until)
  where first_person_id is not null and deleted_at is null;
create index rooms_of_owner on rooms (owner_id) where owner_id is not null;
create index rooms_of_first_person on rooms (first_person_id) where first_person_id is not null;
create index rooms_of_second_person on rooms (second_person_id) where second_person_id is not null;

-- a moderator has put them out: they get no token until then
alter table room_doors add column removed_until timestamptz;

-- features/media-events -----------------------------------------------------------------------------

-- of a temporary room: others than the two do not hear of it
alter table media_participants add column apart boolean not null default false;
