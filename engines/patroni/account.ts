import { run } from '../commands.ts'

/** Who PostgreSQL runs as: it refuses root. Empty: the user of this process. */
export interface Account {
  uid?: number
  gid?: number
}

/** The user that Debian's package makes, where this process is root's. */
export async function postgresAccount(): Promise<Account> {
  if (process.getuid?.() !== 0) return {}
  const [uid, gid] = await Promise.all(['-u', '-g'].map((which) => run('id', [which, 'postgres'])))
  return { uid: Number(uid), gid: Number(gid) }
}
