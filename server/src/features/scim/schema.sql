-- What the database does by itself for this folder: functions, triggers, views and policies as they are now. Change them
-- here: `npm run generate` counts server/migrations/schema.json up, and `migrate` applies what differs.

-- A trigger, so that no way to a role can forget it: what somebody had without groups before came back at the next change
-- of a group. Whoever gives a role by groups says afterwards what is kept beside it.
create or replace function forget_role_by_hand() returns trigger language plpgsql as $$
begin
  update scim_users set role_by_hand = null
    where organization_id = new.organization_id and user_id = new.user_id and role_by_hand is not null;
  return null;
end $$;
revoke execute on function forget_role_by_hand() from public;
create or replace trigger memberships_by_hand_added after insert on memberships
  for each row execute function forget_role_by_hand();
create or replace trigger memberships_by_hand_changed after update of role on memberships
  for each row when (old.role <> new.role) execute function forget_role_by_hand();
