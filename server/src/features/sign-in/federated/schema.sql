-- What the database does by itself for this folder: functions, triggers, views and policies as they are now. Change them
-- here: `npm run generate` counts server/migrations/schema.json up, and `migrate` applies what differs.

-- An address may come into a domain whose single sign-on its sessions have not been made by, or leave it.
create or replace function note_changed_address() returns trigger language plpgsql as $$
declare
  owner bigint;
begin
  select organization_id into owner from organization_domains
    where domain = split_part(new.email, '@', 2) and state = 'verified';
  if owner is not null or exists (select from sessions
      where user_id = new.id and revoked_at is null and method = 'sso') then
    perform note_single_sign_on(coalesce(owner, 0), split_part(new.email, '@', 2));
  end if;
  return null;
end $$;
revoke execute on function note_changed_address() from public;
create or replace trigger users_enforced_after_update after update of email on users
  for each row when (split_part(old.email, '@', 2) <> split_part(new.email, '@', 2))
  execute function note_changed_address();

create or replace function note_changed_connection() returns trigger language plpgsql as $$
begin
  perform note_single_sign_on(d.organization_id, d.domain)
    from organization_domains d join organizations o on o.id = d.organization_id
    where d.state = 'verified'
      and o.identity_organization_id = case tg_op when 'DELETE' then old.identity_organization_id
        else new.identity_organization_id end
    order by d.domain;
  return null;
end $$;
revoke execute on function note_changed_connection() from public;
create or replace trigger connections_enforced_after_delete after delete on sso_connections
  for each row execute function note_changed_connection();
create or replace trigger connections_enforced_after_insert after insert on sso_connections
  for each row execute function note_changed_connection();

create or replace function note_changed_domain() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform note_single_sign_on(old.organization_id, old.domain);
  else
    perform note_single_sign_on(new.organization_id, new.domain);
  end if;
  return null;
end $$;
revoke execute on function note_changed_domain() from public;
create or replace trigger domains_enforced_after_delete after delete on organization_domains
  for each row when (old.state = 'verified') execute function note_changed_domain();
create or replace trigger domains_enforced_after_insert after insert on organization_domains
  for each row when (new.state = 'verified') execute function note_changed_domain();
create or replace trigger domains_enforced_after_update after update of state, proven_by_dns on organization_domains
  for each row when ((old.state, old.proven_by_dns) is distinct from (new.state, new.proven_by_dns)
    and 'verified' in (old.state, new.state))
  execute function note_changed_domain();

-- The domains of a deleted organization are nobody's; it may come back.
create or replace function note_changed_organization() returns trigger language plpgsql as $$
begin
  perform note_single_sign_on(organization_id, domain) from organization_domains
    where organization_id = new.id and state = 'verified' order by domain;
  return null;
end $$;
revoke execute on function note_changed_organization() from public;
create or replace trigger organizations_enforced_after_update after update of deleted_at on organizations
  for each row when ((old.deleted_at is null) <> (new.deleted_at is null))
  execute function note_changed_organization();

-- A trigger on what decides, so that no change can forget it: whoever makes one ends sessions by itself first, this is for
-- where that fails. One item for a domain, however often it changes.
create or replace function note_single_sign_on(organization bigint, of_domain text) returns void language sql as $$
  select enqueue_work('single-sign-on', 'default', organization, of_domain, null,
    jsonb_build_object('domain', of_domain),
    date_trunc('milliseconds', now()), date_trunc('milliseconds', now()) + interval '5 seconds', null)
$$;
revoke execute on function note_single_sign_on(bigint,text) from public;
