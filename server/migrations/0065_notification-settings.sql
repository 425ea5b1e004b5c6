-- When somebody is left in peace, and whether their office sounds. Of who has chosen nothing there is no row.

-- features/notifications --------------------------------------------------------------------------

create table notification_settings (
  user_id bigint primary key references users (id),
  quiet_from time,
  quiet_to time,
  -- of the IANA database
  quiet_zone text,
  sounds boolean not null,
  updated_at timestamptz not null,
  constraint notification_settings_quiet check (num_nulls(quiet_from, quiet_to, quiet_zone) in (0, 3))
);
