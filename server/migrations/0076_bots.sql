-- Programs that are members of an organization: bots.

-- directory ---------------------------------------------------------------------------------------

-- In the place of the address of a bot is what is none (`bot:…`), so that no sign-in and no mail can find it.
alter table users add column is_bot boolean not null default false;
alter table users add constraint users_bot_without_address check (not is_bot or position('@' in email) = 0);

-- access ------------------------------------------------------------------------------------------

-- The bot that it belongs to.
alter table bearer_tokens add column user_id bigint references users (id);
alter table bearer_tokens
  drop constraint bearer_tokens_kind_check,
  add constraint bearer_tokens_kind_check check (kind in ('service', 'bot', 'scim')),
  add constraint bearer_tokens_of_bot check ((kind = 'bot') = (user_id is not null));
create index bearer_tokens_of_bots on bearer_tokens (user_id) where user_id is not null;

alter table audit_entries
  drop constraint audit_entries_actor_kind_check,
  add constraint audit_entries_actor_kind_check
    check (actor_kind in ('user', 'operator', 'identity-provider', 'directory', 'token', 'bot'));
