import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { FirstPerson } from './first-person.ts'

/** A room of the organization, of which no media server knows. */
export async function insertRoom(
  databaseUrl: string,
  { userId, organizationId }: FirstPerson,
  name = 'bench',
): Promise<string> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const id = randomUUID()
  const { rowCount } = await client.query(
    `insert into rooms (id, organization_id, name, created_by, created_at)
     select $1, id, $4, $2, now() from organizations where identity_organization_id = $3`,
    [id, userId, organizationId, name],
  )
  await client.end()
  assert.equal(rowCount, 1, 'the room is there')
  return id
}
