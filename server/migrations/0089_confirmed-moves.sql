-- directory ---------------------------------------------------------------------------------------

-- A move that has ended stays: its people are told where their organization is. Null: it can be taken back.
alter table organization_moves add column confirmed_at timestamptz;
