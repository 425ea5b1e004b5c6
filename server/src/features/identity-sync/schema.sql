-- What the database does by itself for this folder: functions, triggers, views and policies as they are now. Change them
-- here: `npm run generate` counts server/migrations/schema.json up, and `migrate` applies what differs.

-- Triggers, so that no statement that changes a membership can forget to say so. The identity provider knows no bots.
create or replace function note_membership_change() returns trigger language plpgsql as $$
begin
  if not (select is_bot from users where id = coalesce(new.user_id, old.user_id)) then
    perform note_identity_change(coalesce(new.organization_id, old.organization_id), coalesce(new.user_id, old.user_id));
  end if;
  return null;
end $$;
create or replace trigger memberships_change_noted after update of role, status on memberships
  for each row when (old.role is distinct from new.role or old.status is distinct from new.status)
  execute function note_membership_change();
create or replace trigger memberships_noted after insert or delete on memberships
  for each row execute function note_membership_change();

create or replace function note_organization_change() returns trigger language plpgsql as $$
begin
  perform note_identity_change(new.id, null);
  return null;
end $$;
create or replace trigger organizations_name_noted after update of name on organizations
  for each row when (old.name is distinct from new.name)
  execute function note_organization_change();

-- As before, an item says only where to look: whoever does it reads how things stand then.
create or replace function note_identity_change(organization bigint, person bigint) returns void language sql as $$
  select enqueue_work('identity-changes', 'default', organization, organization || ' ' || coalesce(person::text, ''), null,
    jsonb_build_object('organization', organization::text, 'user', person::text),
    date_trunc('milliseconds', now()), date_trunc('milliseconds', now()), null)
$$;
