-- The public keys of people's devices: keys of sealed rooms are sealed to them. The private ones never leave a device.

-- features/device-keys ----------------------------------------------------------------------------

create table device_keys (
  device_id uuid primary key,
  user_id bigint not null references users (id),
  -- X25519, 32 bytes as base64url
  public_key text not null constraint device_keys_x25519 check (octet_length(public_key) = 43),
  name text not null,
  created_at timestamptz not null,
  published_at timestamptz not null
);
create index device_keys_of_user on device_keys (user_id, published_at);
