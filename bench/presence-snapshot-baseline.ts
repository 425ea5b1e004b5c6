import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import pg from 'pg'

/**
 * The least that can answer `POST /presence/snapshot`: bare node:http, one pool of the office's size, the one prepared
 * query that the reply needs. No session, no check, no log. Run by presence-snapshot.ts: port, database, caller and
 * organization as arguments.
 */

const [port, connectionString, userId, organizationId] = process.argv.slice(2)

const pool = new pg.Pool({ connectionString, max: 10 })

const SNAPSHOT = `
  select u.id, u.identity_user_id as "userId", coalesce(p.status, 'offline') as status
  from memberships m
    join organizations o on o.id = m.organization_id
    join users u on u.id = m.user_id
    left join presence p on p.organization_id = m.organization_id and p.user_id = m.user_id
  where o.identity_organization_id = $1 and m.status = 'active'
    and (u.identity_user_id = any($2) or u.id::text = any($2))
  order by u.identity_user_id collate "C"`

const server = createServer(async (request, response) => {
  const userIds = request.method === 'POST' ? ((await json(request)) as { userIds: string[] }).userIds : []
  const { rows } = await pool.query({ name: 'snapshot', text: SNAPSHOT, values: [organizationId, userIds] })
  const statuses = rows.map(({ id, userId: person, status }) => ({
    userId: person,
    status: status === 'appear_offline' && id !== userId ? 'offline' : status,
  }))
  const body = JSON.stringify({ statuses })
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
})

process.once('disconnect', () => process.exit(0))
process.once('SIGTERM', () => process.exit(0))
server.listen(Number(port), '127.0.0.1')
