-- guests ------------------------------------------------------------------------------------------

-- Whoever may admit guests asks for those who wait before any room.
create index guests_waiting on guests (organization_id, since) where state = 'waiting';
