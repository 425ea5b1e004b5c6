-- What the database does by itself for this folder: functions, triggers, views and policies as they are now. Change them
-- here: `npm run generate` counts server/migrations/schema.json up, and `migrate` applies what differs.

create or replace function begin_membership() returns trigger language plpgsql as $$
begin
  new.generation := nextval('membership_generations');
  return new;
end $$;
create or replace trigger memberships_begun before update of status on memberships
  for each row when (old.status <> 'active' and new.status = 'active') execute function begin_membership();

-- Letters without their marks, so that Ö stands beside O in a list, by whichever collation the database sorts.
create or replace function sort_name_of(name text) returns text language sql immutable as $$
  select lower(regexp_replace(normalize(name, nfkd), '[\u0300-\u036f]', '', 'g'))
$$;

-- Members are listed by this name. It follows the person's own.
create or replace function name_membership() returns trigger language plpgsql as $$
begin
  new.sort_name := (select sort_name_of(display_name) from users where id = new.user_id);
  return new;
end $$;
create or replace trigger memberships_named before insert on memberships
  for each row execute function name_membership();

create or replace function rename_memberships() returns trigger language plpgsql as $$
begin
  update memberships set sort_name = sort_name_of(new.display_name) where user_id = new.id;
  return null;
end $$;
create or replace trigger users_rename_memberships after update of display_name on users
  for each row when (old.display_name <> new.display_name) execute function rename_memberships();

create or replace function end_memberships_of_organization() returns trigger language plpgsql as $$
begin
  update memberships set generation = nextval('membership_generations')
    where organization_id = new.id and status = 'active';
  return null;
end $$;
create or replace trigger organizations_memberships_ended after update of deleted_at on organizations
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function end_memberships_of_organization();

-- directory ---------------------------------------------------------------------------------------
create or replace function channel_of_organization(organization bigint) returns text[] language sql stable as $$
  select coalesce(array_agg('org:' || identity_organization_id), '{}') from organizations
  where id = organization and deleted_at is null
$$;
revoke execute on function channel_of_organization(bigint) from public;

-- The channels of one person: one in each organization that they are at work in.
create or replace function channels_of_person(person bigint) returns text[] language sql stable as $$
  select coalesce(array_agg('user:' || o.identity_organization_id || ':' || u.identity_user_id order by o.id), '{}')
  from memberships m join organizations o on o.id = m.organization_id join users u on u.id = m.user_id
  where m.user_id = person and m.status = 'active' and o.deleted_at is null
$$;
revoke execute on function channels_of_person(bigint) from public;

create or replace function ids_of_person(person bigint) returns jsonb language sql stable as $$
  select jsonb_build_object('userId', id::text, 'presenceUserId', identity_user_id) from users where id = person
$$;
revoke execute on function ids_of_person(bigint) from public;

create or replace function tell_member_joined() returns trigger language plpgsql as $$
declare
  channel text[] := channel_of_organization(new.organization_id);
begin
  perform append_event(channel, 'member.joined', clock_timestamp(), ids_of_person(new.user_id), 'person:' || new.user_id);
  return null;
end $$;
create or replace trigger memberships_tell_active after update of status on memberships
  for each row when (old.status <> 'active' and new.status = 'active') execute function tell_member_joined();
create or replace trigger memberships_tell_joined after insert on memberships for each row
  when (new.status = 'active' and coalesce(current_setting('atrium.importing', true), '') <> 'on')
  execute function tell_member_joined();

create or replace function tell_member_removed() returns trigger language plpgsql as $$
declare
  channel text[] := channel_of_organization(old.organization_id);
begin
  perform append_event(channel, 'member.removed', clock_timestamp(), ids_of_person(old.user_id), 'person:' || old.user_id);
  return null;
end $$;
create or replace trigger memberships_tell_inactive after update of status on memberships
  for each row when (old.status = 'active' and new.status <> 'active') execute function tell_member_removed();
create or replace trigger memberships_tell_removed after delete on memberships
  for each row when (old.status = 'active') execute function tell_member_removed();

create or replace function tell_member_updated() returns trigger language plpgsql as $$
declare
  channel text[] := channel_of_organization(new.organization_id);
begin
  perform append_event(channel, 'member.updated', clock_timestamp(),
    ids_of_person(new.user_id) || jsonb_build_object('role', new.role), 'person:' || new.user_id);
  return null;
end $$;
create or replace trigger memberships_tell_role after update of role on memberships
  for each row when (old.status = 'active' and new.status = 'active' and old.role <> new.role)
  execute function tell_member_updated();

create or replace function tell_organization_updated() returns trigger language plpgsql as $$
begin
  perform append_event(array['org:' || new.identity_organization_id], 'organization.updated', clock_timestamp(),
    jsonb_build_object('organizationId', new.identity_organization_id, 'organizationName', new.name),
    'organization:' || new.id);
  return null;
end $$;
create or replace trigger organizations_tell after update of name, logo_key on organizations
  for each row when (old.name <> new.name or old.logo_key is distinct from new.logo_key)
  execute function tell_organization_updated();

create or replace function tell_profile_updated() returns trigger language plpgsql as $$
begin
  perform append_event(array['org:' || o.identity_organization_id], 'profile.updated', clock_timestamp(),
      ids_of_person(new.id) || jsonb_build_object('displayName', new.display_name), 'person:' || new.id)
    from memberships m join organizations o on o.id = m.organization_id
    where m.user_id = new.id and m.status = 'active' and o.deleted_at is null order by o.id;
  return null;
end $$;
create or replace trigger users_tell_profile after update of display_name, avatar_key, email, time_zone on users
  for each row when (old.display_name <> new.display_name or old.avatar_key is distinct from new.avatar_key
    or old.email <> new.email or old.time_zone is distinct from new.time_zone)
  execute function tell_profile_updated();

-- From which role on members let guests in, as the organization has decided.
create or replace function roles_that_admit(organization bigint) returns text[] language sql stable as $$
  select case coalesce((select guest_admission from organization_settings where organization_id = organization), 'admin')
    when 'admin' then array['admin'] when 'moderator' then array['moderator', 'admin']
    else array['member', 'moderator', 'admin'] end
$$;

-- What an active member is at, as `profile.updated` tells it: of several rooms the one they came into last, and in no room
-- a meeting that they are busy by. Null of all others. Their presence is locked: what is told last is so.
create or replace function activity_of_member(organization bigint, person bigint) returns jsonb language sql volatile as $$
  select ids_of_person(person) || jsonb_build_object('roomId', inside.room_id, 'activity', case
      when inside.room_id is not null then 'in-room'
      when shown.status = 'busy' and shown.manual_status is null then 'in-meeting' end)
    from memberships m left join lateral (
      select p.status, p.manual_status from presence p
      where p.organization_id = organization and p.user_id = person for no key update) shown on true
    left join lateral (
      select p.room_id from media_participants p
      where p.organization_id = organization and p.user_id = person and p.ended_at is null and p.counts and not p.apart
      order by p.joined_at desc, p.sid limit 1) inside on true
    where m.organization_id = organization and m.user_id = person and m.status = 'active'
$$;
revoke execute on function activity_of_member(bigint,bigint) from public;

-- What a bot of an organization is called; null of what is none of its bots.
create or replace function name_of_bot(organization bigint, bot bigint) returns text language sql stable as $$
  select u.display_name from memberships m join users u on u.id = m.user_id
    where m.organization_id = organization and m.user_id = bot and m.status = 'active' and u.is_bot
$$;

-- Whether an organization lets programs into its rooms.
create or replace function wants_agents(organization bigint) returns boolean language sql stable as $$
  select coalesce((select agents from organization_settings where organization_id = organization), true)
$$;

create or replace function names_of_bots(organization bigint) returns setof text language sql stable as $$
  select u.display_name from memberships m join users u on u.id = m.user_id
    where m.organization_id = organization and m.status = 'active' and u.is_bot
$$;

-- A person of an imported organization has come: what is theirs there is their account's from then on. The account apart has
-- never been anywhere else, so every row that refers to it is of that organization. The audit trail stays as it was written.
create or replace function hand_over_account() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
  held record;
begin
  for held in
    select c.conrelid::regclass as relation, a.attname as column_name
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'users'::regclass and cardinality(c.conkey) = 1
      and c.conrelid <> all (array['audit_entries', 'imported_accounts', 'memberships']::regclass[])
    order by c.conrelid::regclass::text, a.attname
  loop
    execute format('update %s set %I = $1 where %I = $2', held.relation, held.column_name, held.column_name)
      using new.joined_as, new.user_id;
  end loop;
  return null;
end $$;
revoke execute on function hand_over_account() from public;
create or replace trigger imported_accounts_handed_over after update of joined_as on imported_accounts
  for each row when (old.joined_as is null and new.joined_as is not null) execute function hand_over_account();

-- Who is no member of an imported organization any more has nothing to come to.
create or replace function end_waiting() returns trigger language plpgsql as $$
begin
  delete from imported_accounts
    where user_id = old.user_id and organization_id = old.organization_id and joined_as is null;
  return null;
end $$;
create or replace trigger memberships_end_waiting after delete on memberships
  for each row execute function end_waiting();
