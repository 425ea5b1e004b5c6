-- A role that no group gives is the role by hand from then on; a removal holds beyond the account that was removed.

-- features/scim -----------------------------------------------------------------------------------

-- A trigger, so that no way to a role can forget it: what somebody had without groups before came back at the next change
-- of a group. Whoever gives a role by groups says afterwards what is kept beside it.
create function forget_role_by_hand() returns trigger language plpgsql as $$
begin
  update scim_users set role_by_hand = null
    where organization_id = new.organization_id and user_id = new.user_id and role_by_hand is not null;
  return null;
end $$;
revoke execute on function forget_role_by_hand() from public;
create trigger memberships_by_hand_added after insert on memberships
  for each row execute function forget_role_by_hand();
create trigger memberships_by_hand_changed after update of role on memberships
  for each row when (old.role <> new.role) execute function forget_role_by_hand();

-- directory ---------------------------------------------------------------------------------------

-- Whoever was removed by others, and has closed their account since: the removal holds for the address, of which nothing
-- stays but this. As `membership_departures` in everything else.
create table removed_addresses (
  organization_id bigint not null references organizations (id) on delete cascade,
  salt text not null,
  -- SHA-256 of the salt and the address, in hex
  hash text not null,
  removed_by text not null check (removed_by in ('user', 'operator', 'identity-provider', 'directory')),
  role text not null check (role in ('guest', 'member', 'moderator', 'admin')),
  at timestamptz not null,
  primary key (organization_id, hash)
);
