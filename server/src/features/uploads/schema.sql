-- What the database does by itself for this folder: functions, triggers, views and policies as they are now. Change them
-- here: `npm run generate` counts server/migrations/schema.json up, and `migrate` applies what differs.

-- What lies in the store goes with its row, whichever statement deletes it: of a message, a person, an organization, by age.
create or replace function remove_files_of_attachment() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into replaced_images (key, remove_at)
    select key, to_timestamp(0) from unnest(array[old.object_key, old.preview_key, old.upload_key]) key
    where key is not null
    on conflict (key) do nothing;
  return null;
end $$;
revoke execute on function remove_files_of_attachment() from public;
create or replace trigger attachments_remove_files after delete on attachments
  for each row execute function remove_files_of_attachment();
