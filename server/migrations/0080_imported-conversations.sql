-- features/chat -------------------------------------------------------------------------------------

-- Of a conversation that came from another chat: the same one again, when its export is imported again.
alter table conversations add column import_key uuid;
create unique index conversations_imported on conversations (org_id, import_key) where import_key is not null;
