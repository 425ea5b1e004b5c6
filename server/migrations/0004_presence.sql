-- Presence: one status per person and organization, and the revisions that copies of it are proven by.

-- features/presence -------------------------------------------------------------------------------

-- Counts every change of who is in an organization and how they appear. The row is locked from the change to its
-- commit: within one organization, revisions commit in their order and without a gap, and their notifications
-- arrive so. Whoever holds a copy with the revision that stands here holds exactly what the tables say.
create table presence_revisions (
  organization_id bigint primary key references organizations (id),
  revision bigint not null,
  -- tells a broker that revisions have begun anew (a new database under an old broker)
  epoch text not null default gen_random_uuid()::text
);

create table presence (
  organization_id bigint not null references organizations (id),
  user_id bigint not null references users (id),
  status text not null check (status in ('offline', 'online', 'away', 'busy', 'appear_offline')),
  -- the last explicit choice, while connectivity has not overridden it
  manual_status text check (manual_status in ('online', 'away', 'busy', 'appear_offline')),
  -- revision of the last change of the status; 0: never left offline
  revision bigint not null default 0,
  -- when the person last showed by a request of their own that they are there
  confirmed_at timestamptz not null,
  primary key (organization_id, user_id)
) with (fillfactor = 80);
create index presence_present on presence (organization_id) where status <> 'offline';
create index presence_of_user on presence (user_id);

-- What the connectivity poll must not forget when another node takes over: one row.
create table presence_poll (
  only_row boolean primary key default true check (only_row),
  -- of the broker's memory, as it was last seen
  generation text,
  -- until then an absence at the broker proves nothing
  quiet_until timestamptz,
  -- how often its answer could not be had or believed
  doubts bigint not null default 0
);
insert into presence_poll default values;

create function next_presence_revision(organization bigint) returns bigint language sql as $$
  insert into presence_revisions as counter (organization_id, revision) values (organization, 1)
  on conflict (organization_id) do update set revision = counter.revision + 1
  returning revision
$$;

-- Triggers, so that no statement can change a status and forget to count or to say so.
create function count_presence_change() returns trigger language plpgsql as $$
begin
  new.revision := next_presence_revision(new.organization_id);
  perform pg_notify('presence_changed', json_build_object('organization', new.organization_id::text,
    'revision', new.revision::text, 'user', new.user_id::text, 'status', new.status)::text);
  return new;
end $$;
create trigger presence_counted before update of status on presence
  for each row when (old.status is distinct from new.status) execute function count_presence_change();

-- Without a user: whoever holds a copy reads the organization anew.
create function count_presence_reset() returns trigger language plpgsql as $$
declare
  organization bigint := coalesce(new.organization_id, old.organization_id);
begin
  perform pg_notify('presence_changed', json_build_object('organization', organization::text,
    'revision', next_presence_revision(organization)::text)::text);
  return null;
end $$;
create trigger presence_removed after delete on presence
  for each row when (old.status <> 'offline') execute function count_presence_reset();

-- Deferred to the commit: who joins or leaves does not hold the organization's counter while the rest is done.
create constraint trigger memberships_presence_added after insert or delete on memberships
  deferrable initially deferred for each row execute function count_presence_reset();
create constraint trigger memberships_presence_changed after update on memberships
  deferrable initially deferred for each row when (old.status is distinct from new.status)
  execute function count_presence_reset();
