import type pg from 'pg'
import type { TestOffice } from '../office.ts'

/** The database as a user with the role of chat sees it, without any code of ours before it. */

/** The claims of a chat token, as the database is given them. */
export function claimsIn(token: string): string {
  return Buffer.from(token.split('.')[1] as string, 'base64url').toString('utf8')
}

/** Takes on the role and the claims, for the transaction that the connection is in. */
export async function becomeRole(client: pg.PoolClient, claims: string | undefined): Promise<void> {
  await client.query('set local role authenticated')
  if (claims !== undefined) await client.query(`select set_config('request.jwt.claims', $1, true)`, [claims])
}

/** Runs `work` as the role, and undoes it. */
export async function asRole<T>(
  office: Pick<TestOffice, 'database'>,
  claims: string | undefined,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await office.database.pool.connect()
  try {
    await client.query('begin')
    await becomeRole(client, claims)
    return await work(client)
  } finally {
    await client.query('rollback')
    client.release()
  }
}
