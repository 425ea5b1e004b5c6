-- features/uploads --------------------------------------------------------------------------------

-- Pictures that nobody shows any more, and that are still served for a moment to those who have not heard of it.
create table replaced_images (
  key text primary key,
  remove_at timestamptz not null
);
create index replaced_images_due on replaced_images (remove_at);
