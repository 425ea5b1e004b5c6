-- What a recording is called, and until when everybody of its organization may watch it.

-- features/recordings -----------------------------------------------------------------------------

alter table recordings add column name text;
alter table recordings add column shared_until timestamptz;
