import type { Config } from './config.ts'
import { type PollNeeds, presenceJobs } from './features/presence/jobs.ts'
import { mirrorPresence, type PresenceMirror } from './features/presence/mirror.ts'
import type { PresenceRules } from './features/presence/rules.ts'
import type { Clock } from './platform/clock.ts'
import type { Db } from './platform/database/database.ts'
import type { Job } from './platform/jobs.ts'
import type { Log } from './platform/log.ts'
import type { Notifications } from './platform/notifications.ts'

export interface PresenceParts {
  /** What the handlers of presence need beside database and clock. */
  needs: { presenceMirror: PresenceMirror; presenceRules: PresenceRules }
  /** What runs in the background, on connections of the background. */
  jobs(needs: Omit<PollNeeds, 'presenceRules'>): Job[]
}

/** Puts presence together: the mirror that hears of changes, and the rules of the configuration. */
export function composePresence(given: {
  config: Pick<Config, 'presenceRestoreManual'>
  db: Db
  clock: Clock
  log: Log
  notifications: Notifications
}): PresenceParts {
  const { db, log, notifications } = given
  const presenceRules = { restoreManual: given.config.presenceRestoreManual }
  const presenceMirror = mirrorPresence({ db, log, isNotified: notifications.isLive })
  notifications.on('presence_changed', presenceMirror.hear)
  return {
    needs: { presenceMirror, presenceRules },
    jobs: (needs) => presenceJobs({ ...needs, presenceRules }),
  }
}
