import { randomBytes, randomUUID } from 'node:crypto'
import { newBot } from '../chapters/bots.ts'
import { connectToIssuer } from '../chapters/single-sign-on.ts'
import type { TestOffice } from '../office.ts'
import { type FilledOrganization, filledOrganization } from './archives.ts'

/** Every table with rows of organizations, and the column that says of which. */
export async function ownedTables({
  database: { pool },
}: TestOffice): Promise<{ table: string; column: string }[]> {
  const { rows } = await pool.query<{ table: string; column: string }>(
    `select distinct on (c.table_name) c.table_name as table, c.column_name as column
      from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.table_name <> 'organizations'
        and c.column_name in ('org_id', 'organization_id', 'identity_organization_id')
      order by c.table_name, c.column_name desc`,
  )
  return rows
}

/** What each table has of an organization: a digest of its rows. */
export async function rowsOf(
  office: TestOffice,
  ids: { id: string; organizationId: string },
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const { table, column } of await ownedTables(office)) {
    const { rows } = await office.database.pool.query<{ digest: string | null }>(
      `select md5(string_agg(md5(t::text), '' order by md5(t::text))) as digest from "${table}" t where ${column}::text = $1`,
      [column === 'identity_organization_id' ? ids.organizationId : ids.id],
    )
    const digest = rows[0]?.digest
    if (digest) found.set(table, digest)
  }
  return found
}

export interface PlantedOrganization extends FilledOrganization {
  id: string
  organizationId: string
  bot: string
  /** Nothing else in the office has any of them in it. */
  texts: string[]
}

/** The notifications of a trigger make work items of its rows at once. */
const NEVER_FILLED = ['mail_queue']
/** Others refer to them. */
const FIRST = ['room_keys', 'scim_groups', 'scim_users']

/** An organization with something of its own in every table that can hold something of one. The image check has to run. */
export async function plantOrganization(office: TestOffice, name: string): Promise<PlantedOrganization> {
  const { pool } = office.database
  const filled = await filledOrganization(office, name)
  const { organizationId } = filled.founder
  const bot = await newBot(office, filled.founder, `Bot of ${name}`)
  const { rows } = await pool.query<{ id: string }>(
    'select id from organizations where identity_organization_id = $1',
    [organizationId],
  )
  const texts = [`of ${name}`]
  const planted = { ...filled, id: rows[0]?.id as string, organizationId, bot: bot.id, texts }
  await connectToIssuer(office, organizationId, `https://issuer.example/of ${name}`)
  const given = await valuesOf(office, planted)
  const tables = (await ownedTables(office)).map(({ table }) => table)
  for (const table of new Set([...FIRST, ...tables])) {
    const isThere = (await rowsOf(office, planted)).has(table)
    if (isThere || NEVER_FILLED.includes(table)) continue
    await plantRow(office, table, { ...given, ...(await parentsOf(office, planted)) }, `of ${name}`)
  }
  await plantFiles(office, planted)
  return planted
}

async function parentsOf({ database: { pool } }: TestOffice, { id }: { id: string }) {
  const { rows } = await pool.query<{ group_id: string; webhook_id: string }>(
    `select (select min(id) from scim_groups where organization_id = $1) as group_id,
      (select min(id) from webhooks where organization_id = $1) as webhook_id`,
    [id],
  )
  return rows[0]
}

/** Those that rows name, and those that no row does. */
async function plantFiles(
  office: TestOffice,
  { id, organizationId, texts }: PlantedOrganization,
): Promise<void> {
  const { rows } = await office.database.pool.query<{ key: string }>(
    `select object_key as key from exports where organization_id = $1
      union all select file_key from recordings where organization_id = $1`,
    [id],
  )
  const stray = [
    ...[`attachments/${id}/${randomUUID()}`, `tmp/files/${id}/${randomUUID()}`],
    ...['logos', 'recordings', 'tmp'].map((folder) => `${folder}/${organizationId}/${randomUUID()}`),
  ]
  for (const key of [...rows.map((row) => row.key), ...stray])
    await office.office.needs.storage.write(key, Buffer.from(texts.join()), {
      contentType: 'text/plain',
      cacheControl: 'no-store',
    })
}

/** An account that an import has made, and that no sign-in leads to. */
async function plantAuthor({ database: { pool } }: TestOffice, email: string, name: string): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into users (identity_user_id, email, first_name, last_name, display_name, created_at, updated_at)
      values ('user_' || gen_random_uuid(), $1, '', '', $2, now(), now()) returning id`,
    [email, name],
  )
  return rows[0]?.id as string
}

/** What columns hold, by their names; `table.column` comes before. */
async function valuesOf(
  office: TestOffice,
  { id, organizationId, founder, member, room, texts: [text = ''] }: PlantedOrganization,
): Promise<Record<string, unknown>> {
  const { rows } = await office.database.pool.query<{ conversation: string; message: string; guest: string }>(
    `select conversation_id as conversation, message_id as message,
      (select id from guests where organization_id = $1 limit 1) as guest from messages where org_id = $1 limit 1`,
    [id],
  )
  const former = await plantAuthor(office, `former-${id}@former.invalid`, `Former ${text}`)
  const waiting = await plantAuthor(office, `waiting-${id}@imported.invalid`, `Waiting ${text}`)
  await office.database.pool.query('update messages set sender_id = $2 where message_id = $1', [
    rows[0]?.message,
    former,
  ])
  await office.database.pool.query(
    `insert into memberships (organization_id, user_id, role, status, created_at, updated_at)
      values ($1, $2, 'member', 'active', now(), now())`,
    [id, waiting],
  )
  return {
    ...{ organization_id: id, org_id: id, identity_organization_id: organizationId, room_id: room.id },
    ...{ conversation_id: rows[0]?.conversation, message_id: rows[0]?.message },
    ...{ user_id: member.id, started_by: founder.id, from_user_id: founder.id },
    ...{ 'knocks.to_user_id': member.id, 'room_key_boxes.guest_id': rows[0]?.guest },
    ...{ 'imported_accounts.user_id': waiting, 'imported_accounts.email': `someone@${id}.example` },
    ...{
      'chat_presence.status': 'away',
      'exports.state': 'failed',
      'exports.ended_at': new Date(),
      'media_jobs.kind': 'egress',
    },
    ...{ 'organization_domains.state': 'pending', 'reactions.emoji': '👍', 'recordings.state': 'completed' },
    ...{ 'recordings.file_key': `recordings/${organizationId}/${randomUUID()}.mp4` },
    ...{ 'recordings.ended_at': new Date(), 'exports.object_key': `exports/${randomUUID()}.tar.gz` },
    ...{ 'redirect_sign_ins.way': 'sso', 'removed_addresses.removed_by': 'user' },
    ...{ 'removed_addresses.role': 'member' },
    ...{ 'organization_moves.confirmed_at': new Date() },
  }
}

const BY_TYPE: Record<string, (text: string) => unknown> = {
  text: (text) => `${randomUUID()} ${text}`,
  bytea: () => randomBytes(32),
  timestamptz: () => new Date(),
  uuid: () => randomUUID(),
  json: (text) => ({ text }),
  jsonb: (text) => ({ text }),
  bool: () => false,
}

/** A row with something in each column that has to have something. */
async function plantRow(
  { database: { pool } }: TestOffice,
  table: string,
  given: Readonly<Record<string, unknown>>,
  text: string,
): Promise<void> {
  const { rows } = await pool.query<{ name: string; type: string }>(
    `select column_name as name, udt_name as type from information_schema.columns
      where table_schema = 'public' and table_name = $1 and is_identity = 'NO' and column_default is null
        and (is_nullable = 'NO' or column_name in ('organization_id', 'org_id') or table_name || '.' || column_name = any($2))`,
    [table, Object.keys(given)],
  )
  const values = rows.map(
    ({ name, type }) => given[`${table}.${name}`] ?? given[name] ?? (BY_TYPE[type] ?? (() => 1))(text),
  )
  const [columns, places] = [rows.map(({ name }) => `"${name}"`), rows.map((_, index) => `$${index + 1}`)]
  await pool
    .query(`insert into "${table}" (${columns}) values (${places})`, values)
    .catch((error) => Promise.reject(new Error(`${table}: ${error.message}`, { cause: error })))
}
