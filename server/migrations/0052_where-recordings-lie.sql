-- features/recordings ------------------------------------------------------------------------------

-- Where the file of a completed recording lies: in our store, or where its recorder has put it instead. Null of those
-- that are not completed, and of those that were before this was written down: they are taken to be here.
alter table recordings add column stored text check (stored in ('here', 'elsewhere'));
