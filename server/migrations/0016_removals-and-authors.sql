-- Who left an organization and who was removed from it, who did what is written down, and how often somebody is invited.

-- directory ---------------------------------------------------------------------------------------

-- Whoever was in an organization and is no member any more. Decides how they may come back: who was removed by others
-- only by a new e-mailed invitation, who left by the link with at most the role they had.
create table membership_departures (
  organization_id bigint not null references organizations (id),
  user_id bigint not null references users (id),
  kind text not null check (kind in ('left', 'removed')),
  -- what kind of author removed them: a directory restores what it has removed itself, and nothing else
  removed_by text check (removed_by in ('user', 'operator', 'identity-provider', 'directory')),
  -- the one they had
  role text not null check (role in ('guest', 'member', 'moderator', 'admin')),
  at timestamptz not null,
  primary key (organization_id, user_id),
  check ((kind = 'removed') = (removed_by is not null))
);

-- The removals of before are in the audit trail.
insert into membership_departures (organization_id, user_id, kind, removed_by, role, at)
select distinct on (a.organization_id, u.id) a.organization_id, u.id,
  case a.action when 'member.left' then 'left' else 'removed' end,
  case when a.action = 'member.left' then null
    when a.actor_user_id is not null then 'user'
    when a.detail ->> 'by' = 'identity-provider' then 'identity-provider'
    else 'operator' end,
  case when coalesce(a.detail ->> 'role', a.detail ->> 'from') in ('member', 'moderator', 'admin')
    then coalesce(a.detail ->> 'role', a.detail ->> 'from') else 'guest' end, a.at
from audit_entries a
join users u on u.id::text = a.target_id
where a.action in ('member.left', 'member.removed') and a.target_kind = 'user'
  and not exists (select from memberships m where m.organization_id = a.organization_id and m.user_id = u.id)
order by a.organization_id, u.id, a.sequence desc;

-- access ------------------------------------------------------------------------------------------

-- What kind of author an entry has. Null in entries of before: their hash does not cover it. Entries are never changed.
alter table audit_entries add column actor_kind text
  check (actor_kind in ('user', 'operator', 'identity-provider', 'directory', 'token'));

-- features/invitations ----------------------------------------------------------------------------

-- false: the address had been mailed enough that day, by whichever organization; the invitation itself holds
alter table invitations add column mailed boolean not null default true;
create index invitations_by_email on invitations (email, created_at);
