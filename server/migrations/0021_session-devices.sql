-- Where a session was made, for its person to recognise it in a list: a network and what the browser says it is.
alter table sessions add column network text not null default '';
alter table sessions add column device text not null default '';
