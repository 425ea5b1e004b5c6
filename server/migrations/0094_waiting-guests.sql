-- guests ------------------------------------------------------------------------------------------

-- Those who may admit guests ask for the ones who wait before any room.
create index guests_waiting on guests (organization_id, since, id) where state = 'waiting';
