import { shortenTrails } from '../../../access/audit/audit-retention.ts'
import { SESSION_ABSOLUTE_SECONDS } from '../../../access/sessions/session-rules.ts'
import { type DeploymentRetention, pagesOfDue } from '../../../directory/retention.ts'
import { deleteOldMessages } from '../../../features/chat/retention.ts'
import { DAY_SECONDS, HOUR_MS } from '../../../platform/clock.ts'
import type { Opening, Part } from '../../part.ts'
import type { Access } from '../access.ts'
import type { Databases } from '../platform/databases.ts'

/** How long organizations keep their messages and audit trails. Recordings are looked after where their files are. */
export function openRetention(
  { config, clock }: Opening,
  { databases, access }: { databases: Databases; access: Access },
): Part & { needs: { retention: DeploymentRetention } } {
  const { background: db } = databases
  const { chatDays, auditDays, auditDaysMin } = config.retention
  const signer = access.needs.checkpointSigner
  return {
    needs: {
      retention: {
        chatDays,
        auditDays,
        auditDaysMin,
        recordingDays: config.recordings.fileDays,
        sessionDays: SESSION_ABSOLUTE_SECONDS / DAY_SECONDS,
      },
    },
    jobs: [
      {
        name: 'purge-messages',
        everyMs: HOUR_MS,
        async run(signal) {
          for await (const due of pagesOfDue(db, 'chat', chatDays, clock.now()))
            await deleteOldMessages(db, due, signal)
        },
      },
      {
        name: 'shorten-audit-trails',
        everyMs: HOUR_MS,
        async run(signal) {
          const now = clock.now()
          for await (const due of pagesOfDue(db, 'audit', auditDays, now))
            await shortenTrails({ db, signer, now }, due, signal)
        },
      },
    ],
  }
}
