import type { Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import type { Db } from '../../platform/database/database.ts'
import { listBotsOf } from './reads.ts'

interface Needs {
  db: Db
}

/** The bots of the active organization, never their tokens. */
export async function listBots(needs: Needs, caller: CallerOf<'listBots'>): Promise<Reply<'listBots'>> {
  return { status: 200, body: { bots: await listBotsOf(needs.db, caller.organization.id) } }
}
