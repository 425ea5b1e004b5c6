-- directory ----------------------------------------------------------------------------------------

-- The language that somebody read the office in when they last signed in: of mails that no request of theirs asks for.
-- Null: nobody knows.
alter table users add column language text check (language in ('en', 'de'));
