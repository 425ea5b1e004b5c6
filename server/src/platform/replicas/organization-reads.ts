import { CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Db, Pool, Tables } from '../database/database.ts'
import { isConnectionEnded, isDatabaseAway } from '../database/database-errors.ts'
import { type PipelinedStatement, runPipeline, sendPipeline, type TextRows } from '../database/pipeline.ts'
import type { Log } from '../log.ts'
import { settledWithin } from '../timing/pause.ts'

/** A database that answers: the primary, or one connection to a replica. */
export interface ReadSource {
  db: Db
  /** As `runPipeline`. */
  send(statements: readonly PipelinedStatement[]): Promise<TextRows[]>
}

/** For lists and pages that show an organization. Who may see them has been decided before, at the primary. */
export interface OrganizationReads {
  /**
   * @param organization the identity provider's id
   * @param work reads only; what fails at a replica is done again at the primary
   */
  read<T>(organization: string, work: (source: ReadSource) => Promise<T>): Promise<T>
}

export interface ReplicaOptions {
  primary: ReadSource
  /** Leads to a standby, or to several by a balancer: each connection is asked how far it has come. */
  replica: Pool
  /** Where the replica must have come to; undefined: that cannot be said, and the primary answers. */
  positionOf(organization: string): Promise<string | undefined>
  onRead(from: 'primary' | 'replica'): void
  log: Pick<Log, 'info' | 'warn'>
}

/** A replica that is away is asked again after so long: requests between do not wait for it. */
const RESTS_MS = 5_000
/** A primary that is silent is not waited for here: what is asked of it next has a bound of its own. */
const POSITION_WITHIN_MS = 300
const HAS_PASSED = 'select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::pg_lsn as passed'

/** The primary, for an office without replicas. */
export function primarySource(pool: Pool, db: Db): ReadSource {
  return { db, send: (statements) => runPipeline(pool, statements) }
}

/** Of which database something is a copy: a primary and its standbys say the same. */
const NAME = `select system_identifier::text || ' ' || current_database() as name from pg_control_system()`

/** A replica that is of no use now. */
class ReplicaProblem extends Error {}

interface Replica {
  readonly options: ReplicaOptions
  /** Connections that were found to lead to a copy of the primary. */
  readonly copies: WeakSet<pg.ClientBase>
  restsUntil: number
  isAway: boolean
}

type Work<T> = (source: ReadSource) => Promise<T>

/** Asks a replica that has come as far as the organization has been told, else the primary. */
export function readsAtReplica(options: ReplicaOptions): OrganizationReads {
  const replica: Replica = { options, copies: new WeakSet(), restsUntil: 0, isAway: false }
  return {
    async read(organization, work) {
      const answer = await tryReplica(replica, organization, work)
      options.onRead(answer ? 'replica' : 'primary')
      return answer ? answer.read : await work(options.primary)
    },
  }
}

async function tryReplica<T>(
  replica: Replica,
  organization: string,
  work: Work<T>,
): Promise<{ read: T } | undefined> {
  const { positionOf, log } = replica.options
  if (performance.now() < replica.restsUntil) return undefined
  const position = await settledWithin(POSITION_WITHIN_MS, positionOf(organization))
  if (position === undefined) return undefined
  try {
    const answer = await askReplica(replica, position, work)
    if (replica.isAway) log.info({}, 'the replica of the database is back')
    replica.isAway = false
    return answer
  } catch (err) {
    // a refusal or a fault of the statement: the primary says so itself
    if (!isDatabaseAway(err) && !(err instanceof ReplicaProblem)) return undefined
    replica.restsUntil = performance.now() + RESTS_MS
    // once per outage
    if (!replica.isAway) log.warn({ err }, 'the replica of the database is of no use: the primary answers')
    replica.isAway = true
    return undefined
  }
}

/** One connection for all, so that a balancer cannot lead the next statement elsewhere. */
async function askReplica<T>(
  replica: Replica,
  position: string,
  work: Work<T>,
): Promise<{ read: T } | undefined> {
  const client = await replica.options.replica.connect()
  let broken: Error | undefined
  try {
    await requireCopy(replica, client)
    const { rows } = await client.query<{ passed: boolean | null }>(HAS_PASSED, [position])
    if (rows[0]?.passed !== true) return undefined
    const send = (statements: readonly PipelinedStatement[]) => sendPipeline(client, statements)
    return { read: await work({ db: heldBy(client), send }) }
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || isConnectionEnded(error)) broken = error as Error
    throw error
  } finally {
    client.release(broken)
  }
}

/** Another database, reached by mistake, would show what is not of this office. */
async function requireCopy({ options, copies }: Replica, client: pg.ClientBase): Promise<void> {
  if (copies.has(client)) return
  const ours = await options.primary.db.executeQuery<{ name: string }>(CompiledQuery.raw(NAME))
  const theirs = await client.query<{ name: string }>(NAME)
  if (theirs.rows[0]?.name !== ours.rows[0]?.name)
    throw new ReplicaProblem('DATABASE_REPLICA_URL leads to another database')
  copies.add(client)
}

/** The query builder over one connection, which stays with its holder. */
function heldBy(client: pg.PoolClient): Db {
  const held = { query: client.query.bind(client), release() {} } as pg.PoolClient
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: { connect: async () => held, end: async () => {} } }),
  })
}
