import type { Config } from '../../configuration/config.ts'
import { countDead } from '../../platform/background/dead-work.ts'
import { askDatabase } from './asked-database.ts'
import type { Finding } from './realtime.ts'

/** Whether background work was given up. */
export async function lookAtWork({ databaseUrl }: Config): Promise<Finding[]> {
  const part = 'background work'
  const dead = await askDatabase(databaseUrl, countDead)
  if (!dead) return []
  if (dead.length === 0) return [{ part, ok: true, says: 'nothing was given up' }]
  const queues = dead.map(({ queue, count }) => `${count} of ${queue}`).join(', ')
  const says = `given up after many tries: ${queues}. Look with: npx atrium work list; then npx atrium work retry or drop <id>`
  return [{ part, ok: true, warns: true, says }]
}
