-- What is compared with the identity provider as a whole, and what must not be left behind there.

-- directory ---------------------------------------------------------------------------------------

-- when memberships and domains were last compared, all of them; null: never, or news have been missed since
alter table identity_news add column reconciled_at timestamptz;

-- Organizations that are being made at the identity provider. A row is written before the provider is asked and goes
-- in the transaction that makes the organization here: one that stays behind says what may be left over there.
create table organization_foundings (
  -- under which the provider knows the organization
  key text primary key,
  began_at timestamptz not null,
  -- from then on it cannot be finished any more, and is taken away there
  given_up_at timestamptz
);
create index organization_foundings_begun on organization_foundings (began_at);

-- sign-in -----------------------------------------------------------------------------------------

-- what the identity provider keeps of a sign-in that waits for the choice of an organization
alter table pending_sign_ins add column sealed_upstream bytea;
