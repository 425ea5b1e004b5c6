-- Mails in classes that take no lane of each other, and pictures that are shown for a minute after the next one.

-- platform ----------------------------------------------------------------------------------------

-- `code`: somebody waits for it. The previous release, which knows no classes and runs on beside this one for a while,
-- puts all its mails there: rather an invitation among codes than a code among invitations.
alter table mail_queue
  add column mail_class text not null default 'code' check (mail_class in ('code', 'invitation')),
  -- organizations take turns within a class; 0: of none
  add column organization_id bigint not null default 0;
-- what waits for longer than any code lives is no code
update mail_queue set mail_class = 'invitation' where not_after > created_at + interval '1 hour';
create index mail_queue_in_turn on mail_queue (mail_class, organization_id, next_attempt_at, id);
