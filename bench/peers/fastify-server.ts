import { createHash } from 'node:crypto'
import cookie from '@fastify/cookie'
import fastify from 'fastify'
import pg from 'pg'
import { toUser, USER } from '../bare-profile.ts'

/**
 * `POST /user/get` as a small application on Fastify has it: a cookie, its session in the database, the one prepared
 * query of the reply, a schema that serializes it. Run by fastify.ts: port and database as arguments.
 */

const [port, connectionString] = process.argv.slice(2)

const pool = new pg.Pool({ connectionString, max: 10 })

const SESSION = `
  select s.user_id, o.identity_organization_id as organization_id
  from sessions s left join organizations o on o.id = s.active_organization_id
  where s.token_hash = $1 and s.revoked_at is null and s.idle_expires_at > now() and s.absolute_expires_at > now()`

const text = { type: 'string' } as const
const textOrNull = { type: 'string', nullable: true } as const
const flag = { type: 'boolean' } as const
const object = (properties: object) => ({ type: 'object', properties })
const list = (items: object) => ({ type: 'array', items })

const REPLY = object({
  id: text,
  email: text,
  displayName: text,
  avatarUrl: textOrNull,
  currentOrganizationId: textOrNull,
  organizationMemberships: list(
    object({
      organization: object({ id: text, name: text, logoUrl: textOrNull }),
      role: text,
      status: text,
      permissions: list(text),
    }),
  ),
  integrations: object({ providerACalendar: object({ connected: flag, enabled: flag }) }),
  manualStatus: textOrNull,
  avatarUploadTriesRemaining: { type: 'integer' },
  createdAt: text,
  updatedAt: text,
  presenceUserId: text,
  firstName: text,
  lastName: text,
  calendarStatus: text,
})

const REFUSAL = object({ message: text })

const app = fastify({ logger: false })
await app.register(cookie)
app.get('/', () => 'ready')
app.post('/user/get', { schema: { response: { 200: REPLY, 401: REFUSAL } } }, async (request, reply) => {
  const hash = createHash('sha256')
    .update(request.cookies.atrium_session ?? '')
    .digest()
  const { rows: sessions } = await pool.query({ name: 'session', text: SESSION, values: [hash] })
  if (!sessions[0]) return await reply.code(401).send({ message: 'Sign in first' })
  const { user_id, organization_id } = sessions[0]
  const { rows } = await pool.query({ name: 'user', text: USER, values: [user_id] })
  return toUser(rows[0], organization_id)
})

process.once('disconnect', () => process.exit(0))
process.once('SIGTERM', () => process.exit(0))
await app.listen({ port: Number(port), host: '127.0.0.1' })
