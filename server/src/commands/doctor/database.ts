import { checkDatabase, checkDataFolder } from '../../compose/from-configuration/office-database.ts'
import type { Config } from '../../configuration/config.ts'
import { openPool } from '../../platform/database/database.ts'
import { readConnectionRoom, readLookupCost, whyReadOnly } from '../../platform/database/server-facts.ts'
import { FURTHER_DATABASE_CONNECTIONS } from '../../platform/http/connections/connection-limits.ts'
import { askDatabase } from './asked-database.ts'
import type { Finding } from './realtime.ts'
import { lookAtReplica } from './replica.ts'

/** Runs a statement within the transaction. @returns its rows */
type Run = (statement: string) => Promise<unknown[]>

const ANSWER_WITHIN_MS = 5_000
/** From there on, PostgreSQL reads a large table whole where an index would find a few hundred of its rows. */
const LOOKUP_COST_MAX = 2
const INSUFFICIENT_PRIVILEGE = '42501'

/** Whether the database can be used, and, of one that is not ours, whether chat can have its role there. */
export async function lookAtDatabase(config: Config): Promise<Finding[]> {
  const { databaseUrl, dataDir } = config
  const part = 'database'
  try {
    if (!databaseUrl) return [{ part, ok: true, says: await checkDataFolder(dataDir) }]
    const says = await checkDatabase(databaseUrl.reveal())
    return [
      { part, ok: true, says },
      ...(await lookAtWrites(config)),
      ...(await lookAtDatabaseConnections(config)),
      ...(await lookAtPlans(config)),
      ...(await lookAtReplica(config)),
      await lookAtChatRole(databaseUrl.reveal()),
    ]
  } catch (error) {
    return [{ part, ok: false, says: (error as Error).message }]
  }
}

/** Whether it is the primary: a database that others have failed over from still answers. */
async function lookAtWrites({ databaseUrl }: Config): Promise<Finding[]> {
  const why = await askDatabase(databaseUrl, whyReadOnly)
  if (!why) return []
  const says = `it takes no writes: it is ${why === 'standby' ? 'a standby' : why}. Check DATABASE_URL: it must lead to the primary.`
  return [{ part: 'database', ok: false, says }]
}

/** Whether the database has connections for all nodes: those that run, which show themselves by what they listen with. */
async function lookAtDatabaseConnections({
  databaseUrl,
  databasePoolSize,
  environment,
}: Config): Promise<Finding[]> {
  const part = 'database connections'
  const found = await askDatabase(databaseUrl, readConnectionRoom)
  if (!found) return []
  const each = databasePoolSize + FURTHER_DATABASE_CONNECTIONS
  const nodes = Math.max(found.nodes, 1)
  const has = `room for ${found.room}, and a node takes up to ${each}`
  const mend = 'Raise max_connections (or the limit of the user or database), or lower DATABASE_POOL_SIZE'
  if (nodes * each > found.room) {
    const says = `${has}: too few for ${nodes === 1 ? 'one node' : `the ${nodes} nodes that run`}. ${mend}.`
    return [{ part, ok: false, says }]
  }
  if (environment === 'production' && (nodes + 1) * each > found.room) {
    const says = `${has}: none is left for another one, as while nodes are replaced. ${mend}.`
    return [{ part, ok: true, warns: true, says }]
  }
  return [{ part, ok: true, says: `${has}: enough for ${Math.floor(found.room / each)}` }]
}

/** Whether the planner takes the disks for such with moving parts: searches of large organizations are slow then. */
async function lookAtPlans({ databaseUrl }: Config): Promise<Finding[]> {
  const cost = await askDatabase(databaseUrl, readLookupCost)
  if (cost === undefined || cost <= LOOKUP_COST_MAX) return []
  const says = `random_page_cost is ${cost} times seq_page_cost: searches of large organizations are slow. Set it to 1.1, unless its disks have moving parts (docs/database.md).`
  return [{ part: 'database plans', ok: true, warns: true, says }]
}

/** Tries what the migration of chat does, and takes it back: only the database knows what it would allow. */
async function lookAtChatRole(connectionString: string): Promise<Finding> {
  const part = 'chat role'
  const pool = openPool({
    connectionString,
    maxConnections: 1,
    acquireWithinMs: ANSWER_WITHIN_MS,
    statementTimeoutMs: ANSWER_WITHIN_MS,
    onIdleError: () => undefined,
  })
  try {
    const client = await pool.connect()
    try {
      await client.query('begin')
      return { part, ...(await tryChatRole(async (statement) => (await client.query(statement)).rows)) }
    } finally {
      await client.query('rollback').catch(() => undefined)
      client.release()
    }
  } catch (error) {
    const says = `the role "authenticated" cannot be looked at: ${(error as Error).message}`
    return { part, ok: false, says }
  } finally {
    await pool.end()
  }
}

async function tryChatRole(run: Run): Promise<{ ok: boolean; says: string }> {
  const rows = await run(
    `select quote_ident(current_user) as user, rolname is not null as exists,
       coalesce(rolsuper or rolbypassrls, false) as passes
     from (select) one left join pg_roles on rolname = 'authenticated'`,
  )
  const { user, exists, passes } = rows[0] as { user: string; exists: boolean; passes: boolean }
  if (passes)
    return {
      ok: false,
      says: 'the role "authenticated" passes over row-level security: chat would be open to everybody. Have an administrator of the database run: ALTER ROLE authenticated NOSUPERUSER NOBYPASSRLS;',
    }
  if (exists && (await allows(run, 'set local role authenticated')))
    return { ok: true, says: `${user} may work as the role "authenticated"` }
  const making = exists ? [] : ['create role authenticated nologin noinherit']
  const steps = [...making, `grant authenticated to ${user}`, 'set local role authenticated']
  for (const step of steps) {
    if (await allows(run, step)) continue
    const create = exists ? '' : 'CREATE ROLE authenticated NOLOGIN NOINHERIT; '
    return {
      ok: false,
      says: `chat needs the role "authenticated", and ${user} may not ${exists ? 'become it' : 'create it'}. Have an administrator of the database run: ${create}GRANT authenticated TO ${user}; (docs/database.md)`,
    }
  }
  return { ok: true, says: `${user} may ${exists ? 'be given' : 'make'} the role "authenticated"` }
}

/** Whether a statement is allowed. @throws where it fails for another reason */
async function allows(run: Run, statement: string): Promise<boolean> {
  await run('savepoint here')
  try {
    await run(statement)
    return true
  } catch (error) {
    if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE) throw error
    await run('rollback to here')
    return false
  }
}
