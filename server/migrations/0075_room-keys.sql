-- The key of a sealed room, as boxes that one device or guest's page each can open. Kept while the room's session lives.

-- features/sealed-keys ----------------------------------------------------------------------------

create table room_keys (
  room_id uuid primary key references rooms (id),
  organization_id bigint not null references organizations (id),
  epoch integer not null check (epoch > 0),
  sent_at timestamptz not null
);

create table room_key_boxes (
  room_id uuid not null references room_keys (room_id) on delete cascade,
  organization_id bigint not null references organizations (id),
  device_id uuid references device_keys (device_id) on delete cascade,
  guest_id uuid references guests (id) on delete cascade,
  box text not null constraint room_key_boxes_bounded check (octet_length(box) <= 512),
  constraint room_key_boxes_one_recipient check (num_nonnulls(device_id, guest_id) = 1)
);
create index room_key_boxes_of_room on room_key_boxes (room_id);
create unique index room_key_boxes_of_device on room_key_boxes (device_id, room_id);
create unique index room_key_boxes_of_guest on room_key_boxes (guest_id);
