-- Events of an organization, sent to addresses of its choice.

-- features/webhooks -------------------------------------------------------------------------------

create table webhooks (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations (id),
  url text not null,
  -- names of events
  events text[] not null,
  sealed_secret bytea not null,
  -- signs beside the new one for a while
  sealed_former_secret bytea,
  former_secret_until timestamptz,
  created_by bigint references users (id),
  created_at timestamptz not null,
  switched_off_at timestamptz,
  -- since the first failure after which nothing was delivered
  failing_since timestamptz,
  failures integer not null default 0,
  -- nothing is sent there before this
  paused_until timestamptz
);
create index webhooks_of_organization on webhooks (organization_id);

create table webhook_deliveries (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations (id),
  webhook_id bigint not null references webhooks (id) on delete cascade,
  -- the same at every webhook, and when it is sent again
  event_id uuid not null,
  event text not null,
  time text not null,
  data jsonb not null,
  created_at timestamptz not null,
  -- it is given up a day after this
  queued_at timestamptz not null,
  attempts integer not null default 0,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  status integer
);
create index webhook_deliveries_in_order on webhook_deliveries (webhook_id, created_at desc, id desc);
create index webhook_deliveries_by_age on webhook_deliveries (created_at);

-- What concerns one room, or one person, is delivered in its order.
create function enqueue_webhook_delivery(delivery webhook_deliveries) returns void language sql as $$
  select enqueue_work('webhooks', 'default', delivery.organization_id, null,
    delivery.webhook_id || ' ' || coalesce(delivery.data ->> 'roomId', delivery.data ->> 'userId', ''),
    jsonb_build_object('delivery', delivery.id::text), delivery.queued_at, delivery.queued_at, null)
$$;

-- A trigger, so that no event is published and not sent. Of those of one person nothing leaves the office.
create function send_event_to_webhooks() returns trigger language plpgsql
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
create trigger outbox_to_webhooks after insert on centrifugo_outbox
  for each row when (new.method = 'publish' and new.payload ->> 'channel' like 'org:%')
  execute function send_event_to_webhooks();

-- Functions are open to everybody until it is said otherwise.
revoke execute on function enqueue_webhook_delivery, send_event_to_webhooks from public;
