import { createHash, randomBytes, randomInt } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { keyedHash, open, seal } from './sealing.ts'

/**
 * The least that can sign a person in: bare node:http and pg on the tables of the office, with its hashes and one
 * transaction of the statements without which there is no code, no session, and no entry in the trail. No budgets, no
 * single sign-on asked about, no invitations, no log, no mail. Run by logins.ts: port, database, SECRET_KEY, and which.
 */

const [port, connectionString, secretKey = '', which = ''] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString, max: 10 })

interface Person {
  id: string
  email: string
  organization: string
}
type Sent = { email: string; code: string }
type Query = (name: string, sql: string, values?: unknown[]) => Promise<pg.QueryResult>

const WAYS: Record<string, (query: Query, sent: Sent, browser: Buffer) => Promise<Person | undefined>> = {
  'sign-in': askForCode,
  'finalize-magic-auth': spendCode,
  'finalize-oauth': spendReturned,
}

const server = createServer(async (request, response) => {
  if (request.method === 'GET') return response.end()
  const sent = JSON.parse(await text(request)) as Sent
  const client = await pool.connect()
  const query: Query = (name, sql, values = []) => client.query({ name, text: sql, values })
  try {
    await query('begin', 'begin')
    const person = await WAYS[which]?.(query, sent, browserOf(request))
    const token = person && (await beginSession(query, person))
    await query('commit', 'commit')
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    response.writeHead(
      200,
      token ? { ...headers, 'set-cookie': `atrium_session=${token}; HttpOnly` } : headers,
    )
    return response.end(JSON.stringify({ user: person ?? null }))
  } finally {
    client.release()
  }
})

function browserOf({ headers }: IncomingMessage): Buffer {
  return sha256(headers.cookie?.split('atrium_browser=')[1] ?? '')
}

function sha256(value: string): Buffer {
  return createHash('sha256').update(value).digest()
}

async function askForCode(query: Query, { email }: Sent, browser: Buffer): Promise<undefined> {
  const code = randomInt(0, 1_000_000).toString().padStart(6, '0')
  await query('account', 'select id from users where email = $1', [email])
  await query(
    'end',
    'update email_codes set ended_at = now() where email = $1 and browser_hash = $2 and ended_at is null',
    [email, browser],
  )
  await query(
    'code',
    `insert into email_codes (email, browser_hash, code_hash, attempts, created_at, expires_at)
     values ($1, $2, $3, 0, now(), now() + interval '10 minutes')`,
    [email, browser, keyedHash(secretKey, 'email-codes', 'email-code', email, code)],
  )
  const sealed = seal(secretKey, 'mail', `Your code is ${code}`, [email])
  // looked at by no worker: it is not of a queue of the office
  await query(
    'mail',
    `insert into code_requests (email, browser_hash, sealed_purpose, created_at, expires_at)
     values ($1, $2, $3, now(), now() + interval '1 hour')
     on conflict (email, browser_hash) do update set sealed_purpose = excluded.sealed_purpose`,
    [email, browser, sealed],
  )
}

async function spendCode(query: Query, { email, code }: Sent, browser: Buffer): Promise<Person> {
  const hash = keyedHash(secretKey, 'email-codes', 'email-code', email, code)
  const { rowCount } = await query(
    'spend',
    `update email_codes set ended_at = now()
     where email = $1 and browser_hash = $2 and code_hash = $3 and ended_at is null and expires_at > now()`,
    [email, browser, hash],
  )
  if (rowCount !== 1) throw new Error(`no code of ${email}`)
  return await personOf(query, 'u.email = $1', [email])
}

async function spendReturned(query: Query, { code }: Sent, browser: Buffer): Promise<Person> {
  const { rows } = await query(
    'spend',
    `update redirect_sign_ins set spent_at = now()
     where code_hash = $1 and browser_hash = $2 and spent_at is null and code_expires_at > now()
     returning id, sealed_identity`,
    [sha256(code), browser],
  )
  const context = ['redirect_sign_ins.sealed_identity', rows[0].id]
  const { issuer, subject } = JSON.parse(
    open(secretKey, 'redirect-sign-in', rows[0].sealed_identity, context),
  )
  return await personOf(
    query,
    'u.id = (select user_id from linked_identities where issuer = $1 and subject = $2)',
    [issuer, subject],
  )
}

async function personOf(query: Query, condition: string, values: unknown[]): Promise<Person> {
  const { rows } = await query(
    'person',
    `select u.id, u.email, m.organization_id as organization from users u join memberships m on m.user_id = u.id
     where ${condition} and m.status = 'active' and u.deleted_at is null for key share of u`,
    values,
  )
  return rows[0]
}

async function beginSession(query: Query, { id, organization }: Person): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await query(
    'session',
    `insert into sessions (token_hash, user_id, active_organization_id, method, created_at, last_seen_at,
       idle_expires_at, absolute_expires_at)
     values ($1, $2, $3, 'magic_auth', now(), now(), now() + interval '7 days', now() + interval '30 days')`,
    [sha256(token), id, organization],
  )
  await query('last', 'update users set last_organization_id = $2 where id = $1', [id, organization])
  const { rows } = await query(
    'head',
    'select sequence, hash from audit_heads where organization_id = $1 for update',
    [organization],
  )
  const sequence = String(BigInt(rows[0].sequence) + 1n)
  const detail = JSON.stringify({ method: 'magic_auth' })
  const hash = createHash('sha256').update(rows[0].hash).update(`${sequence} ${id} ${detail}`).digest()
  await query(
    'audit',
    `with entry as (
       insert into audit_entries (chain, organization_id, sequence, at, actor_kind, actor_user_id, action, target_kind,
         target_id, request_id, address, detail, personal, hash)
       values (1, $1, $2, now(), 'user', $3, 'member.signed-in', 'user', $6, '', '', $4, '{}', $5))
     update audit_heads set sequence = $2, hash = $5 where organization_id = $1`,
    [organization, sequence, id, detail, hash, id],
  )
  return token
}

process.once('disconnect', () => process.exit(0))
process.once('SIGTERM', () => process.exit(0))
server.listen(Number(port), '127.0.0.1')
