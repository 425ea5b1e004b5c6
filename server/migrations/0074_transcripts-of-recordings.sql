-- What was said in a recording. Its words are null until they are written down; the state is null where nothing is to be done.

-- features/recordings -----------------------------------------------------------------------------

alter table recordings add column transcript jsonb;
alter table recordings add column transcript_state text
  constraint recordings_transcript_state_check check (transcript_state in ('waiting', 'failed'));
