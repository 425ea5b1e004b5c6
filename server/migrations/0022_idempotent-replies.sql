-- access ------------------------------------------------------------------------------------------

-- Replies of operations that make something, for whoever sends the same request again under the same Idempotency-Key.
create table idempotent_replies (
  operation text not null,
  user_id bigint not null references users on delete cascade,
  -- 0: none was active
  organization_id bigint not null,
  key_hash bytea not null,
  input_hash bytea not null,
  created_at timestamptz not null,
  -- of the request that is at it; null when there is a reply
  lease uuid,
  lease_until timestamptz,
  status smallint,
  -- sealed, as JSON
  sealed_body bytea,
  primary key (operation, user_id, organization_id, key_hash),
  check ((lease is null) = (lease_until is null)),
  check ((lease is null) = (status is not null))
);
create index idempotent_replies_age on idempotent_replies (created_at);
