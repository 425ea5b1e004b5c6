-- Who came, left, shared a screen and spoke in a recording. Null: it is not over, or its end was before this.

-- features/recordings -----------------------------------------------------------------------------

alter table recordings add column chapters jsonb;
