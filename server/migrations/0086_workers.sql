-- Workers of the media server, and the bots that they are.

-- directory ---------------------------------------------------------------------------------------

-- of a bot: the name by which the workers register that take part as it
alter table memberships add column agent_name text;
create unique index memberships_by_agent_name on memberships (organization_id, agent_name) where agent_name is not null;
