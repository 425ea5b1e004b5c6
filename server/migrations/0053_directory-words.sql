-- What a directory says of somebody that their account may not follow, and whether it has ever vouched for them by an id.

-- features/scim -----------------------------------------------------------------------------------

alter table scim_users
  -- the address as the directory says it, where the account keeps another one; null: that of the account
  add column email text,
  -- an external id was said of them, and has been taken back
  add column had_external_id boolean not null default false;
