import { createServer } from 'node:http'
import pg from 'pg'
import { toUser, USER } from './bare-profile.ts'

/**
 * The least that can answer `POST /user/get`: bare node:http, one pool of the office's size, the one prepared query
 * that the reply needs. No session, no check, no log. Run by user-get.ts: port, database, user and organization as
 * arguments.
 */

const [port, connectionString, userId, organizationId] = process.argv.slice(2)

const pool = new pg.Pool({ connectionString, max: 10 })

const server = createServer(async (_request, response) => {
  const { rows } = await pool.query({ name: 'user', text: USER, values: [userId] })
  const body = JSON.stringify(toUser(rows[0], organizationId ?? null))
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
})

process.once('disconnect', () => process.exit(0))
process.once('SIGTERM', () => process.exit(0))
server.listen(Number(port), '127.0.0.1')
