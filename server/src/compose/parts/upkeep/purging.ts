import { purgeReplies } from '../../../access/idempotency/idempotency-store.ts'
import { purgeEndings } from '../../../access/sessions/ended-access-store.ts'
import { purgeSessions } from '../../../access/sessions/session-endings.ts'
import { purgeCodes } from '../../../adapters/local-identity/code-store.ts'
import { purgeConfirmations } from '../../../features/account/store.ts'
import { purgeCodeRequests } from '../../../features/sign-in/code/code-requests.ts'
import { purgeRedirectSignIns } from '../../../features/sign-in/federated/redirect-store.ts'
import { purgeRecoveryLinks } from '../../../features/sign-in/recovery/recovery-store.ts'
import { purgePendingSignUps } from '../../../features/sign-in/sign-up/sign-up-store.ts'
import { purgeTests } from '../../../features/sign-in/single-sign-on/test-store.ts'
import { purgePendingSignIns } from '../../../features/sign-in/switching/store.ts'
import { purgeDeliveries } from '../../../features/webhooks/delivery-store.ts'
import { purgeDead } from '../../../platform/background/dead-work.ts'
import type { Job } from '../../../platform/background/jobs.ts'
import { DAY_SECONDS, HOUR_MS, secondsAfter } from '../../../platform/clock.ts'
import { purgeRateLimits } from '../../../platform/limits/rate-limit.ts'
import type { Opening, Part } from '../../part.ts'
import type { Databases } from '../platform/databases.ts'

const MONTH_SECONDS = 30 * DAY_SECONDS

/** What has been over for a day is of no use. */
export function openPurging({ clock }: Opening, { databases }: { databases: Databases }): Part {
  const { background: db, backgroundPool: pool } = databases
  const yesterday = () => secondsAfter(clock.now(), -DAY_SECONDS)
  const hourly = (name: string, run: Job['run']): Job => ({ name, everyMs: HOUR_MS, run })
  return {
    needs: {},
    jobs: [
      hourly('purge-sessions', () => purgeSessions(db, yesterday())),
      hourly('purge-ended-access', () => purgeEndings(db, DAY_SECONDS)),
      hourly('purge-idempotent-replies', () => purgeReplies(db, yesterday())),
      hourly('purge-email-codes', () => purgeCodes(db, yesterday())),
      hourly('purge-rate-limits', () => purgeRateLimits(pool, yesterday())),
      hourly('purge-pending-sign-ins', () => purgePendingSignIns(db, yesterday())),
      hourly('purge-redirect-sign-ins', () => purgeRedirectSignIns(db, yesterday())),
      hourly('purge-single-sign-on-tests', () => purgeTests(db, yesterday())),
      hourly('purge-recovery-links', () => purgeRecoveryLinks(db, yesterday())),
      hourly('purge-account-confirmations', () => purgeConfirmations(db, yesterday())),
      hourly('purge-code-requests', () => purgeCodeRequests(db, yesterday())),
      hourly('purge-pending-sign-ups', () => purgePendingSignUps(db, yesterday())),
      hourly('purge-webhook-deliveries', () =>
        purgeDeliveries(db, secondsAfter(clock.now(), -MONTH_SECONDS)),
      ),
      hourly('purge-dead-work', () => purgeDead(db, secondsAfter(clock.now(), -MONTH_SECONDS))),
    ],
  }
}
