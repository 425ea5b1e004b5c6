-- A name at an issuer tells its person from others, or it is none.

-- features/sign-in --------------------------------------------------------------------------------

-- Whoever an issuer called by an empty name was everybody whom it called so: strangers in one account. The account stays
-- with whoever proves its address; what came in by such a name ends.
update sessions set revoked_at = now()
  where revoked_at is null and method in ('oauth', 'sso')
    and user_id in (select user_id from linked_identities where subject !~ '[^[:space:]]' or length(subject) > 255);
delete from linked_identities where subject !~ '[^[:space:]]' or length(subject) > 255;
alter table linked_identities
  add constraint linked_identities_tell_apart check (length(subject) <= 255 and subject ~ '[^[:space:]]');
