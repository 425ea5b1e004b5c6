import type pg from 'pg'

type Session = Pick<pg.Client, 'query'>

/**
 * Whether a connection has a session of its own: what it listens to, locks and prepares stays with it. A pool that
 * gives sessions out for one transaction each (PgBouncer, `pool_mode = transaction`) lets two connections meet in one.
 * @param other a second connection by the same address, open at the same time
 */
export async function hasOwnSession(one: Session, other: Session): Promise<boolean> {
  const before = await sessionOf(one)
  await other.query('begin')
  try {
    const taken = await sessionOf(other)
    // the pool has given the session of the first to the second, or has to find the first another one
    return taken !== before && (await sessionOf(one)) === before
  } finally {
    await other.query('rollback')
  }
}

async function sessionOf(client: Session): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid
}
