-- An organization may decide that whoever works in it signs in more often than the office demands.

-- access ------------------------------------------------------------------------------------------

-- When the person signed in: kept where a session goes on under another id. Null: written by the release before.
alter table sessions add column signed_in_at timestamptz;
-- until now a session ended thirty days after its beginning, whatever id it has
update sessions set signed_in_at = absolute_expires_at - 30 * interval '24 hours' where revoked_at is null;

-- A trigger, so that there is no way into an organization on which a session keeps its later end. It does not come back
-- on the way out: a session that was once at work there ends when it does.
create function end_session_early() returns trigger language plpgsql as $$
declare
  days integer;
begin
  new.signed_in_at := coalesce(new.signed_in_at, new.created_at);
  -- who begins while another number is being written down waits for it: there may be no row yet to wait for
  perform pg_advisory_xact_lock_shared(hashtextextended('organization_retention', new.active_organization_id));
  select session_days into days from organization_retention
    where organization_id = new.active_organization_id;
  if days is not null then
    new.absolute_expires_at := least(new.absolute_expires_at, new.signed_in_at + days * interval '24 hours');
  end if;
  return new;
end $$;
create trigger sessions_end_early before insert or update of active_organization_id on sessions
  for each row execute function end_session_early();

revoke execute on function end_session_early from public;
