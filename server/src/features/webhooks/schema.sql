-- What the database does by itself for this folder: functions, triggers, views and policies as they are now. Change them
-- here: `npm run generate` counts server/migrations/schema.json up, and `migrate` applies what differs.

-- What concerns one room, person or conversation is delivered in its order.
create or replace function enqueue_webhook_delivery(delivery webhook_deliveries) returns void language sql as $$
  select enqueue_work('webhooks', 'default', delivery.organization_id, null,
    delivery.webhook_id || ' ' || coalesce(delivery.data ->> 'roomId',
      delivery.data ->> 'conversationId', delivery.data ->> 'conversation_id', delivery.data ->> 'userId', ''),
    jsonb_build_object('delivery', delivery.id::text), delivery.queued_at, delivery.queued_at, null)
$$;
revoke execute on function enqueue_webhook_delivery(public.webhook_deliveries) from public;

create or replace function keep_webhook_delivery(organization bigint, webhook bigint, event jsonb, kept jsonb)
returns void language plpgsql set search_path = public, pg_temp as $$
declare
  delivery webhook_deliveries;
  at timestamptz := date_trunc('milliseconds', clock_timestamp());
begin
  insert into webhook_deliveries (organization_id, webhook_id, event_id, event, time, data, created_at, queued_at)
    values (organization, webhook, (event ->> 'id')::uuid, event ->> 'type', event ->> 'time', kept, at, at)
    returning * into delivery;
  perform enqueue_webhook_delivery(delivery);
end $$;
revoke execute on function keep_webhook_delivery(bigint,bigint,jsonb,jsonb) from public;

-- A trigger, so that no event is published and not sent. Of those of one person nothing leaves the office.
create or replace function send_event_to_webhooks() returns trigger language plpgsql
  security definer set search_path = public, pg_temp as $$
declare
  event jsonb := new.payload -> 'data';
  webhook record;
begin
  for webhook in
    select w.id, w.organization_id from organizations o join webhooks w on w.organization_id = o.id
    where o.identity_organization_id = substr(new.payload ->> 'channel', 5) and o.deleted_at is null
      and w.switched_off_at is null and event ->> 'type' = any(w.events)
    order by w.id
  loop
    perform keep_webhook_delivery(webhook.organization_id, webhook.id, event, event -> 'data');
  end loop;
  return null;
end $$;
revoke execute on function send_event_to_webhooks() from public;
create or replace trigger outbox_to_webhooks after insert on centrifugo_outbox
  for each row when (new.method = 'publish' and new.payload ->> 'channel' like 'org:%')
  execute function send_event_to_webhooks();

-- What a bot hears of its own conversations. Of messages only the ids are kept: no text outlives its edit or deletion here,
-- and what is sent is read then.
create or replace function send_event_to_webhooks_of_bots() returns trigger language plpgsql
  security definer set search_path = public, pg_temp as $$
declare
  event jsonb := new.payload -> 'data';
  channels jsonb := coalesce(new.payload -> 'channels', jsonb_build_array(new.payload -> 'channel'));
  webhook record;
begin
  for webhook in
    select w.id, w.organization_id from organizations o
      join webhooks w on w.organization_id = o.id and w.bot_id is not null
      join memberships m on m.organization_id = o.id and m.user_id = w.bot_id and m.status = 'active'
      join users u on u.id = m.user_id
    where o.identity_organization_id = split_part(channels ->> 0, ':', 2) and o.deleted_at is null
      and w.switched_off_at is null and event ->> 'type' = any(w.events)
      and channels ? ('user:' || o.identity_organization_id || ':' || u.identity_user_id)
    order by w.id
  loop
    perform keep_webhook_delivery(webhook.organization_id, webhook.id, event,
      case when event ->> 'type' in ('message.created', 'message.updated')
        then jsonb_build_object('message_id', event -> 'data' -> 'message_id',
          'conversation_id', event -> 'data' -> 'conversation_id')
        else event -> 'data' end);
  end loop;
  return null;
end $$;
revoke execute on function send_event_to_webhooks_of_bots() from public;
create or replace trigger outbox_to_webhooks_of_bots after insert on centrifugo_outbox
  for each row when (new.payload -> 'data' ->> 'type' in ('message.created', 'message.updated', 'message.deleted',
    'reaction.changed', 'conversation.joined'))
  execute function send_event_to_webhooks_of_bots();
