-- What one person may have in one organization, where an operator has said so. It ends with the membership.

-- access ------------------------------------------------------------------------------------------

create table person_limits (
  organization_id bigint not null,
  user_id bigint not null,
  -- of the table `organizationLimits` in contract/limits.ts: one that each person has
  name text not null,
  -- 0: no limit
  value bigint not null check (value >= 0),
  set_at timestamptz not null,
  primary key (organization_id, user_id, name),
  foreign key (organization_id, user_id) references memberships (organization_id, user_id) on delete cascade
);

-- Its payload is the organization: nodes read what is set in it, of its people too.
create trigger person_limits_changed after insert or update or delete on person_limits
  for each row execute function notify_organization_limits_changed();

-- features/chat -----------------------------------------------------------------------------------

-- As before (0043_organization-limits.sql), and first of all: what the person who asks has.
create or replace function chat_limit(organization bigint, limit_name text, deployment text, otherwise bigint) returns bigint
language plpgsql stable set search_path = public, pg_temp as $$
begin
  -- in this language its plan is kept: it runs for each message
  return coalesce(
    (select l.value from person_limits l
      where l.organization_id = organization and l.user_id = chat_user_id() and l.name = limit_name),
    (select l.value from organization_limits l where l.organization_id = organization and l.name = limit_name),
    nullif(current_setting(deployment, true), '')::bigint,
    otherwise);
end $$;
