import type { Reply } from '@atrium/contract'
import { readCheckpoint, signCheckpoint } from '../../access/audit/audit-checkpoint.ts'
import type { CallerOf } from '../../access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import type { StatementSigner } from '../../platform/secrets/signed-statement.ts'

interface Needs {
  db: Db
  clock: Clock
  checkpointSigner: StatementSigner
}

/** How far the trail of the active organization has come, signed: to be kept out of reach of this office's operators. */
export async function checkpointAuditLog(
  needs: Needs,
  caller: CallerOf<'checkpointAuditLog'>,
): Promise<Reply<'checkpointAuditLog'>> {
  const checkpoint = await readCheckpoint(needs.db, caller.organization, needs.clock.now())
  return {
    status: 200,
    body: { ...checkpoint, checkpoint: await signCheckpoint(needs.checkpointSigner, checkpoint) },
  }
}
