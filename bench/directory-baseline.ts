import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import pg from 'pg'

/**
 * The least that can keep the people of a directory: bare node:http and pg on the tables of the office. Nobody is asked who
 * they are, no name is looked up, no trail written. Run by directory.ts: port, database and organization as arguments.
 */

const [port, connectionString, organization] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString, max: 10 })

interface Wanted {
  userName: string
  externalId: string
  displayName: string
  name: { givenName: string; familyName: string }
}

const CREATE = `
  with made as (
    insert into users (identity_user_id, email, display_name, created_at, updated_at)
    values ('bare_' || $2::text, 'bare-' || $2::text, $4, now(), now()) returning id),
  joined as (
    insert into memberships (organization_id, user_id, role, status, created_at, updated_at)
    select $1, id, 'member', 'active', now(), now() from made)
  insert into scim_users (organization_id, user_id, user_name, external_id, given_name, family_name, display_name,
    created_at, updated_at)
  select $1, id, 'bare-' || $2::text, $3, $5, $6, $4, now(), now() from made
  returning user_id, user_name, external_id, given_name, family_name, display_name, created_at, updated_at`
const LIST = `
  select s.user_id, s.user_name, s.external_id, s.given_name, s.family_name, s.display_name, s.created_at, s.updated_at
  from scim_users s join users u on u.id = s.user_id
  where s.organization_id = $1 order by s.user_id limit $2 offset $3`

function resourceOf(row: Record<string, unknown>): object {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    id: row.user_id,
    userName: row.user_name,
    externalId: row.external_id,
    name: { givenName: row.given_name, familyName: row.family_name },
    displayName: row.display_name,
    emails: [{ value: row.user_name, type: 'work', primary: true }],
    active: true,
    meta: { resourceType: 'User', created: row.created_at, lastModified: row.updated_at },
  }
}

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bare')
  if (pathname === '/') return response.end()
  if (request.method === 'POST') {
    const { userName, externalId, displayName, name } = (await json(request)) as Wanted
    const values = [organization, userName, externalId, displayName, name.givenName, name.familyName]
    const { rows } = await pool.query({ name: 'create', text: CREATE, values })
    response.writeHead(201, { 'content-type': 'application/scim+json' })
    return response.end(JSON.stringify(resourceOf(rows[0])))
  }
  const values = [organization, searchParams.get('count'), Number(searchParams.get('startIndex')) - 1]
  const { rows } = await pool.query({ name: 'list', text: LIST, values })
  response.writeHead(200, { 'content-type': 'application/scim+json' })
  return response.end(JSON.stringify({ Resources: rows.map(resourceOf) }))
})

process.once('disconnect', () => process.exit(0))
process.once('SIGTERM', () => process.exit(0))
server.listen(Number(port), '127.0.0.1')
