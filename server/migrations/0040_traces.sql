-- An item of work and an event say which step of a trace they come of: whoever traces says so to the transaction, whichever
-- way they are added, by a trigger too. Nodes of the release before say nothing, and read nothing of it.
alter table work_items
  add column traceparent text default nullif(current_setting('atrium.traceparent', true), '');
alter table centrifugo_outbox
  add column traceparent text default nullif(current_setting('atrium.traceparent', true), '');
