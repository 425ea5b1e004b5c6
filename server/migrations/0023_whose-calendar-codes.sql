-- features/calendar -------------------------------------------------------------------------------

-- `code_hash` packs two things: the SHA-256 of the person and the provider, then that of the code. Each has columns of
-- its own now. The release before this one goes on writing `code_hash` alone, and asks whether it is there: a trigger
-- writes it for rows of this release, so that each finds the codes of the other. Both leave with a later migration.
alter table calendar_codes
  -- null: of the release before
  add column user_id bigint references users (id) on delete cascade,
  add column provider text check (provider in ('provider-a', 'provider-b')),
  -- SHA-256 of the code
  add column code_digest bytea,
  alter column code_hash set default '';

update calendar_codes c set user_id = u.id, provider = p.provider, code_digest = substring(c.code_hash from 33)
from users u, (values ('provider-a'), ('provider-b')) p (provider)
where substring(c.code_hash for 32) = sha256(convert_to(p.provider || ' ' || u.id, 'UTF8'));
-- nobody is left who could hand it in
delete from calendar_codes where user_id is null;

create unique index calendar_codes_of_user on calendar_codes (user_id, provider, code_digest);

create function pack_calendar_code() returns trigger language plpgsql as $$
begin
  new.code_hash := sha256(convert_to(new.provider || ' ' || new.user_id, 'UTF8')) || new.code_digest;
  return new;
end $$;
create trigger pack_calendar_code before insert on calendar_codes
  for each row when (new.user_id is not null) execute function pack_calendar_code();
