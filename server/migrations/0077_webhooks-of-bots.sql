-- Webhooks that are sent what a bot hears in its own conversations.

-- features/webhooks -------------------------------------------------------------------------------

-- null: nothing of one member alone
alter table webhooks add column bot_id bigint references users (id);
