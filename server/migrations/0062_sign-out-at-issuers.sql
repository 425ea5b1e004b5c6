-- Whether a sign-out at the issuer of an organization comes back to the office: a trial has shown it.

-- adapters/local-identity ---------------------------------------------------------------------------

alter table sso_drafts add column ends_sessions boolean not null default false;
alter table sso_connections add column ends_sessions boolean not null default false;
