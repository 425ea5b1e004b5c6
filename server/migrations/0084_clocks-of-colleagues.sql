-- Colleagues see each other's local time where its person shows it.
alter table users add column time_zone text check (char_length(time_zone) between 1 and 64);
