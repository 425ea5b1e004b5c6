-- What the database does by itself for this folder: functions, triggers, views and policies as they are now. Change them
-- here: `npm run generate` counts server/migrations/schema.json up, and `migrate` applies what differs.

create or replace function notify_metric_series() returns trigger language plpgsql as $$
begin
  perform pg_notify('metric_series_changed', lower(tg_op));
  return null;
end $$;
create or replace trigger metric_series_changed after insert or update or delete on metric_series
  for each statement execute function notify_metric_series();
