-- features/uploads --------------------------------------------------------------------------------

-- A ticket is drawn from the budget of bytes with the most that it allows; once, when its upload is judged, the rest is
-- given back.
alter table upload_tickets add column size_known boolean not null default false;

-- Pictures that nobody shows any more, and that are still served for a moment to those who have not heard of it.
create table replaced_images (
  key text primary key,
  remove_at timestamptz not null
);
create index replaced_images_due on replaced_images (remove_at);
