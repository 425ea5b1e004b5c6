-- What the database does by itself for this folder: functions, triggers, views and policies as they are now. Change them
-- here: `npm run generate` counts server/migrations/schema.json up, and `migrate` applies what differs.

create or replace function audit_entry_hash(entry audit_entries, previous bytea) returns bytea language sql stable as $$
  select case entry.chain when 1 then audit_hash(variadic
      array[encode(previous, 'hex'), entry.organization_id::text, entry.sequence::text,
        to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), entry.actor_user_id::text, entry.action,
        entry.target_kind, entry.target_id, entry.request_id, entry.address, entry.detail::text]
      || case when entry.actor_kind is null then '{}'::text[] else array[entry.actor_kind] end
      || case when entry.actor_token_id is null then '{}'::text[] else array[entry.actor_token_id::text] end)
    else audit_hash('2', encode(previous, 'hex'), entry.organization_id::text, entry.sequence::text,
      to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), entry.actor_kind, entry.actor_user_id::text,
      entry.actor_token_id::text, entry.action, entry.target_kind, entry.target_id, entry.request_id,
      entry.detail::text, encode(entry.address_commitment, 'hex'), encode(entry.personal_commitment, 'hex')) end
$$;
revoke execute on function audit_entry_hash(public.audit_entries,bytea) from public;

-- As JSON.stringify writes an array of texts and nulls.
create or replace function audit_hash(variadic covered text[]) returns bytea language sql immutable as $$
  select sha256(convert_to('[' || string_agg(coalesce(to_json(value)::text, 'null'), ',' order by place) || ']', 'UTF8'))
  from unnest(covered) with ordinality as one (value, place)
$$;
revoke execute on function audit_hash(text[]) from public;

-- Makes a chain anew in which every entry is of the second kind, and keeps the head of before. One that does not hold is
-- left as it is, so that it is still seen. Answers how many entries the new chain has; null where nothing was done.
create or replace function rechain_audit_trail(organization bigint) returns bigint language plpgsql as $$
declare
  head audit_heads;
  entry audit_entries;
  before bytea := '\x0000000000000000000000000000000000000000000000000000000000000000';
  after bytea := before;
  place bigint := 0;
begin
  select * into head from audit_heads where organization_id = organization for update;
  if not exists (select from audit_entries where organization_id = organization and chain = 1) then return null; end if;
  for entry in select * from audit_entries where organization_id = organization order by sequence loop
    place := place + 1;
    if entry.sequence <> place or entry.hash <> audit_entry_hash(entry, before) then return null; end if;
    before := entry.hash;
  end loop;
  if place <> head.sequence or before <> head.hash then return null; end if;
  perform set_config('atrium.rechaining', 'on', true);
  for entry in select * from audit_entries where organization_id = organization order by sequence loop
    if entry.chain = 1 then entry := with_commitments(entry); end if;
    after := audit_entry_hash(entry, after);
    update audit_entries set chain = entry.chain, detail = entry.detail, personal = entry.personal,
        target_id = entry.target_id, address_salt = entry.address_salt, address_commitment = entry.address_commitment,
        personal_salt = entry.personal_salt, personal_commitment = entry.personal_commitment, hash = after
      where organization_id = organization and sequence = entry.sequence;
  end loop;
  perform set_config('atrium.rechaining', '', true);
  insert into audit_former_heads (organization_id, sequence, hash) values (organization, head.sequence, head.hash);
  update audit_heads set hash = after where organization_id = organization;
  return place;
end $$;
revoke execute on function rechain_audit_trail(bigint) from public;

-- What an entry says of persons goes into `personal`, under commitments.
create or replace function with_commitments(entry audit_entries) returns audit_entries language plpgsql as $$
declare
  said jsonb := '{}';
  kept jsonb := entry.detail::jsonb;
  key text;
begin
  foreach key in array array['displayName', 'email', 'name'] loop
    if kept ? key and (key <> 'name' or entry.action like 'guest.%') then
      said := said || jsonb_build_object(key, kept -> key);
      kept := kept - key;
    end if;
  end loop;
  if entry.target_kind = 'email' then
    said := said || jsonb_build_object('email', entry.target_id);
    entry.target_id := '';
  end if;
  entry.chain := 2;
  if said <> '{}' then
    entry.detail := kept::json;
    entry.personal := said::json;
    entry.personal_salt := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
    entry.personal_commitment := sha256(entry.personal_salt || convert_to(entry.personal::text, 'UTF8'));
  end if;
  if entry.address <> '' then
    entry.address_salt := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
    entry.address_commitment := sha256(entry.address_salt || convert_to(entry.address, 'UTF8'));
  end if;
  return entry;
end $$;
revoke execute on function with_commitments(public.audit_entries) from public;

-- As before (0032_erasable-audit.sql), and besides: what lies before a cut may be removed.
create or replace function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and tg_level = 'ROW' then
    if exists (select from audit_cuts c
        where c.organization_id = old.organization_id and c.sequence >= old.sequence)
    then return old; end if;
  end if;
  if tg_op = 'UPDATE' and tg_level = 'ROW' then
    if current_setting('atrium.rechaining', true) = 'on' then return new; end if;
    if (old.address_salt is not null and new.address_salt is null
        or old.personal_salt is not null and new.personal_salt is null)
      and (new.address_salt is not distinct from old.address_salt and new.address = old.address
        or new.address_salt is null and new.address = '')
      and (new.personal_salt is not distinct from old.personal_salt and new.personal::text = old.personal::text
        or new.personal_salt is null and new.personal::text = '{}')
      and to_jsonb(new) - array['address', 'address_salt', 'personal', 'personal_salt']
        = to_jsonb(old) - array['address', 'address_salt', 'personal', 'personal_salt']
    then return new; end if;
  end if;
  raise exception 'entries of the audit trail are never changed';
end $$;
create or replace trigger audit_entries_stay before update or delete on audit_entries
  for each row execute function refuse_audit_change();
create or replace trigger audit_entries_stay_all before truncate on audit_entries
  for each statement execute function refuse_audit_change();
