import type { EndedAccess } from '../access/ended-access.ts'
import type { Config } from '../configuration/config.ts'
import {
  type ConnectionEnder,
  connectionEnder,
  type EnderNeeds,
  endConnectionsJob,
} from '../features/presence/end-connections.ts'
import { type PollNeeds, presenceJobs } from '../features/presence/jobs.ts'
import { mirrorPresence, type PresenceMirror } from '../features/presence/mirror.ts'
import type { PresenceRules } from '../features/presence/rules.ts'
import type { Job } from '../platform/background/jobs.ts'
import type { Notifications } from '../platform/background/notifications.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/database/database.ts'
import type { Log } from '../platform/log.ts'

export interface PresenceParts {
  /** What the handlers of presence need beside database and clock. */
  needs: { presenceMirror: PresenceMirror; presenceRules: PresenceRules }
  /** What runs in the background, on connections of the background. */
  jobs(needs: Omit<PollNeeds, 'presenceRules'>): Job[]
  /** Closes the connections of what has ended, from now on. */
  endConnections(needs: Omit<EnderNeeds, 'presenceRules'>, ended: EndedAccess): Ending
}

interface Ending {
  ender: ConnectionEnder
  job: Job
}

/** Puts presence together: the mirror that hears of changes, and the rules of the configuration. */
export function composePresence(given: {
  config: Pick<Config, 'presenceRestoreManual' | 'broker'>
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
    endConnections(needs, ended) {
      const ender = connectionEnder({ ...needs, presenceRules })
      ended.onEnded((endings) => void ender.end(endings))
      return { ender, job: endConnectionsJob(ender, ended, given.config.broker.centrifugo !== undefined) }
    },
  }
}
