-- platform ----------------------------------------------------------------------------------------

-- How many queues the outbox has (OUTBOX_PARTITIONS): one number for all nodes, whatever each of them is set to.
create table outbox_partitions (
  partitions integer not null default 4 check (partitions between 1 and 64),
  single boolean primary key default true check (single)
);
insert into outbox_partitions default values;
alter table centrifugo_outbox
  drop constraint centrifugo_outbox_is_read,
  add constraint centrifugo_outbox_is_read check (partition between 0 and 63);
