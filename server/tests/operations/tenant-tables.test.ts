import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../fresh-database.ts'

/** Tables with rows that belong to no organization, or name it another way; everything else has the column. */
const WITHOUT: Record<string, string> = {
  account_confirmations: 'of a user',
  calendar_codes: 'of a user',
  calendar_connections: 'of a user',
  centrifugo_outbox: 'Centrifugo gives its columns; the channels of the payload name the organization',
  code_requests: 'of an address',
  device_keys: 'of a user',
  email_codes: 'of an address',
  identity_news: 'one cursor',
  linked_identities: 'of a user',
  media_events: 'an inbox: whose it is, is found out when it is processed',
  notification_settings: 'of a user',
  organization_foundings: 'come before the organization',
  outbox_partitions: 'of the office itself',
  pending_sign_ins: 'of a user who has not chosen yet',
  pending_sign_ups: 'of an address',
  pilot_tokens: 'come before the organization',
  presence_meetings: 'of a user',
  presence_poll: 'one row: the poll itself',
  push_keys: 'of the office itself',
  push_subscriptions: 'of a user',
  rate_limits: 'of addresses and e-mails',
  readiness_probes: 'of the office itself',
  replaced_images: 'of a user or an organization: in the key',
  sandbox_mails: 'of an address',
  schema_migrations: 'of the schema',
  upload_tickets: 'of a user or an organization: `owner`',
  users: 'may belong to several',
}

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

it('every table of tenants carries the organization', async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables t
      where table_schema = 'public' and table_type = 'BASE TABLE' and not exists (
        select 1 from information_schema.columns c
        where c.table_schema = 'public' and c.table_name = t.table_name
          and c.column_name in ('organization_id', 'identity_organization_id', 'active_organization_id', 'org_id'))
      order by table_name`,
  )
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(WITHOUT).sort())
})
