-- A receiver is asked once whether it agrees: until it has, nothing else is sent there.

-- features/webhooks -------------------------------------------------------------------------------

alter table webhooks
  -- since the receiver at this address has agreed
  add column verified_at timestamptz,
  -- what the last test has carried
  add column sealed_challenge bytea,
  add column challenge_until timestamptz,
  add column challenge_tries integer not null default 0;

-- Receivers that have taken something have agreed.
update webhooks set verified_at = now()
  where exists (select from webhook_deliveries d where d.webhook_id = webhooks.id and d.state = 'delivered');
