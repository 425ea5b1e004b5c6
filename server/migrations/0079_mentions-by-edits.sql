-- It has a parameter more: how far a person had read when an edit mentioned them.
drop function if exists push_of_message(bigint, bigint, timestamptz);
