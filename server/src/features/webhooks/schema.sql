-- What the database does by itself for this folder: functions, triggers, views and policies as they are now. Change them
-- here: `npm run generate` counts server/migrations/schema.json up, and `migrate` applies what differs.

-- What concerns one room, or one person, is delivered in its order.
create or replace function enqueue_webhook_delivery(delivery webhook_deliveries) returns void language sql as $$
  select enqueue_work('webhooks', 'default', delivery.organization_id, null,
    delivery.webhook_id || ' ' || coalesce(delivery.data ->> 'roomId', delivery.data ->> 'userId', ''),
    jsonb_build_object('delivery', delivery.id::text), delivery.queued_at, delivery.queued_at, null)
$$;
revoke execute on function enqueue_webhook_delivery(public.webhook_deliveries) from public;

-- A trigger, so that no event is published and not sent. Of those of one person nothing leaves the office.
create or replace function send_event_to_webhooks() returns trigger language plpgsql
  security definer set search_path = public, pg_temp as $$
declare
  event jsonb := new.payload -> 'data';
  webhook record;
  delivery webhook_deliveries;
  at timestamptz := date_trunc('milliseconds', clock_timestamp());
begin
  for webhook in
    select w.id, w.organization_id from organizations o join webhooks w on w.organization_id = o.id
    where o.identity_organization_id = substr(new.payload ->> 'channel', 5) and o.deleted_at is null
      and w.switched_off_at is null and event ->> 'type' = any(w.events)
    order by w.id
  loop
    insert into webhook_deliveries (organization_id, webhook_id, event_id, event, time, data, created_at, queued_at)
      values (webhook.organization_id, webhook.id, (event ->> 'id')::uuid, event ->> 'type', event ->> 'time', event -> 'data', at, at)
      returning * into delivery;
    perform enqueue_webhook_delivery(delivery);
  end loop;
  return null;
end $$;
revoke execute on function send_event_to_webhooks() from public;
create or replace trigger outbox_to_webhooks after insert on centrifugo_outbox
  for each row when (new.method = 'publish' and new.payload ->> 'channel' like 'org:%')
  execute function send_event_to_webhooks();
