-- Administrators and those who let guests in are few: they are found without reading everybody of the organization.
create index memberships_by_role on memberships (organization_id, role) where status = 'active';
