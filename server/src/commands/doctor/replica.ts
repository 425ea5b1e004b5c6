import type { Config } from '../../configuration/config.ts'
import { readReplication } from '../../platform/database/server-facts.ts'
import { askDatabase } from './asked-database.ts'
import type { Finding } from './realtime.ts'

/** So far behind, hardly a read of an office at work is answered by it. */
const BEHIND_SECONDS = 5

/** Whether DATABASE_REPLICA_URL leads to a standby of the database, and how far it is behind. */
export async function lookAtReplica(
  config: Pick<Config, 'databaseUrl' | 'databaseReplicaUrl'>,
): Promise<Finding[]> {
  if (!config.databaseReplicaUrl) return []
  const part = 'database replica'
  const [primary, replica] = await Promise.all([
    askDatabase(config.databaseUrl, readReplication),
    askDatabase(config.databaseReplicaUrl, readReplication),
  ])
  if (!replica)
    return [{ part, ok: false, says: 'it does not answer: the primary answers everything meanwhile' }]
  if (primary && primary.system !== replica.system)
    return [{ part, ok: false, says: 'it is a copy of another database. Check DATABASE_REPLICA_URL.' }]
  if (!replica.isStandby)
    return [
      {
        part,
        ok: false,
        says: 'it is a primary: nothing is read there. It must be a standby of DATABASE_URL.',
      },
    ]
  const seconds = Math.round(replica.secondsBehind)
  const says = `a standby, ${seconds} s behind what it has received`
  if (seconds <= BEHIND_SECONDS) return [{ part, ok: true, says }]
  return [{ part, ok: true, warns: true, says: `${says}: the primary answers for organizations at work` }]
}
