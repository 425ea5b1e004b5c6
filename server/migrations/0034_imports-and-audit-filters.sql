-- Imports: what an archive brings back has happened already. It is stored as it was, and nobody is told of it again. Only whoever
-- owns the tables can say that it is an import: what comes by the role of chat never is one, whatever it sets.

-- features/chat -----------------------------------------------------------------------------------

drop trigger messages_prepared on messages;
create trigger messages_prepared before insert on messages for each row
  when (current_user = 'authenticated' or coalesce(current_setting('atrium.importing', true), '') <> 'on')
  execute function prepare_message();
drop trigger messages_followed on messages;
create trigger messages_followed after insert on messages for each row
  when (current_user = 'authenticated' or coalesce(current_setting('atrium.importing', true), '') <> 'on')
  execute function follow_message();
drop trigger conversation_members_tell_joined on conversation_members;
create trigger conversation_members_tell_joined after insert on conversation_members
  referencing new table as joined for each statement
  when (current_user = 'authenticated' or coalesce(current_setting('atrium.importing', true), '') <> 'on')
  execute function tell_conversation_joined();

-- directory ---------------------------------------------------------------------------------------

drop trigger memberships_tell_joined on memberships;
create trigger memberships_tell_joined after insert on memberships for each row
  when (new.status = 'active' and coalesce(current_setting('atrium.importing', true), '') <> 'on')
  execute function tell_member_joined();

-- access ------------------------------------------------------------------------------------------

-- What is looked for in a long trail: what one person did, where something was done, what was done when.
create index audit_entries_by_actor on audit_entries (organization_id, actor_user_id, sequence) where actor_user_id is not null;
create index audit_entries_of_action on audit_entries (organization_id, action, sequence);
create index audit_entries_by_time on audit_entries (organization_id, at);
