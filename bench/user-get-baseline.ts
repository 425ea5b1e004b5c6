import { createServer } from 'node:http'
import { permissions } from '@atrium/contract'
import pg from 'pg'

/**
 * The least that can answer `POST /user/get`: bare node:http, one pool of the office's size, the one prepared query
 * that the reply needs. No session, no check, no log. Run by user-get.ts: port, database, user and organization as
 * arguments.
 */

const [port, connectionString, userId, organizationId] = process.argv.slice(2)

const pool = new pg.Pool({ connectionString, max: 10 })

const USER = `
  select u.id, u.identity_user_id, u.calendar_status, u.email, u.first_name, u.last_name, u.display_name, u.created_at, u.updated_at,
    (select json_agg(json_build_object('id', o.identity_organization_id, 'name', o.name, 'role', m.role,
      'status', m.status) order by m.created_at, m.organization_id)
    from memberships m join organizations o on o.id = m.organization_id
    where m.user_id = u.id and o.deleted_at is null) as memberships
  from users u where u.id = $1`

interface Membership {
  id: string
  name: string
  role: string
  status: string
}

const server = createServer(async (_request, response) => {
  const { rows } = await pool.query({ name: 'user', text: USER, values: [userId] })
  const body = JSON.stringify(toUser(rows[0]))
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
})

// biome-ignore lint/suspicious/noExplicitAny: a row as it comes
function toUser(row: any) {
  return {
    id: row.id,
    email: row.email,
    displayName: row.display_name,
    avatarUrl: null,
    currentOrganizationId: organizationId,
    organizationMemberships: (row.memberships as Membership[]).map(({ id, name, role, status }) => ({
      organization: { id, name, logoUrl: null },
      role,
      status,
      // the founder is an administrator, who holds all
      permissions,
    })),
    integrations: { providerACalendar: { connected: false, enabled: true } },
    manualStatus: null,
    avatarUploadTriesRemaining: 3,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    // last, where the office's serializer puts optional fields: both sides answer the same bytes
    presenceUserId: row.identity_user_id,
    firstName: row.first_name,
    lastName: row.last_name,
    calendarStatus: row.calendar_status ? 'on' : 'off',
  }
}

process.once('disconnect', () => process.exit(0))
process.once('SIGTERM', () => process.exit(0))
server.listen(Number(port), '127.0.0.1')
