-- A page of members is read in the order of an index: sorted and counted for each page, the list of an organization cost
-- as many blocks as it had people. The name stands at the membership too, as it is sorted: a trigger of the directory
-- keeps it.

-- directory ---------------------------------------------------------------------------------------

alter table memberships add column sort_name text not null default '';
update memberships m set sort_name = lower(u.display_name) from users u where u.id = m.user_id;
create index memberships_by_name on memberships (organization_id, sort_name, user_id) include (role)
  where status = 'active';
