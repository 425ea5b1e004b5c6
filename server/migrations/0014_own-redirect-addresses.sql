-- Single sign-on: a redirect address for each connection; which domains are proven by DNS. Forward only.

-- adapters/local-identity -------------------------------------------------------------------------

-- last part of the redirect address that belongs to this connection alone
alter table sso_connections add column redirect_name text not null unique
  default replace(gen_random_uuid()::text, '-', '');
-- From before there was one for each: what is registered at the issuer is the address that all of them shared. The
-- default is for the release before this one, which registers that address too.
alter table sso_connections add column shares_address boolean not null default true;

-- features/sign-in --------------------------------------------------------------------------------

-- where the browser has to come back to, after BASE_URL; null: begun by the release before, /auth/callback/<way>
alter table redirect_sign_ins add column return_path text;

-- directory ---------------------------------------------------------------------------------------

-- The TXT record was there when it was looked up last. A verified domain without it is believed on the operator's word.
alter table organization_domains add column proven_by_dns boolean not null default false;
-- when the DNS last answered, whatever it was; null: not yet
alter table organization_domains add column looked_up_at timestamptz;
