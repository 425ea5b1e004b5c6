import type { PresenceOf } from '../../../directory/members/member-view.ts'
import { endChoicesJob } from '../../../features/presence/end-choices.ts'
import {
  type ConnectionEnder,
  connectionEnder,
  endConnectionsJob,
} from '../../../features/presence/end-connections.ts'
import { eraseFromPresence } from '../../../features/presence/erase.ts'
import { presenceJobs } from '../../../features/presence/jobs.ts'
import { mirrorPresence, type PresenceMirror } from '../../../features/presence/mirror.ts'
import { memberPresenceOf } from '../../../features/presence/reads.ts'
import type { PresenceRules } from '../../../features/presence/rules.ts'
import type { Opening, Part } from '../../part.ts'
import type { Access } from '../access.ts'
import type { Databases } from '../platform/databases.ts'
import type { OfficeJobs } from '../platform/jobs.ts'
import type { OfficeNotifications } from '../platform/notifications.ts'
import type { Realtime } from '../ports/realtime.ts'

export interface Presence extends Part {
  needs: { presenceMirror: PresenceMirror; presenceRules: PresenceRules; presenceOf: PresenceOf }
  /** Closes the connections of what has ended. */
  connectionEnder: ConnectionEnder
}

/** The mirror that hears of changes, the rules of the configuration, and who closes connections. */
export function openPresence(
  { config, clock, log, stack }: Opening,
  given: {
    databases: Databases
    notifications: OfficeNotifications
    access: Access
    realtime: Realtime
    jobs: OfficeJobs
  },
): Presence {
  const { realtime, jobs } = given
  const { endedAccess } = given.access
  const { db, background } = given.databases
  const presenceRules = { restoreManual: config.presenceRestoreManual }
  const presenceMirror = mirrorPresence({ db, log, isNotified: given.notifications.isLive })
  stack.defer(() => presenceMirror.settle())
  const needs = { db: background, clock, log, broker: realtime.broker, presenceRules }
  const ender = connectionEnder({ ...needs, isOurs: realtime.holdsConnections ?? jobs.isLeader })
  stack.defer(() => ender.settle())
  endedAccess.onEnded((endings) => void ender.end(endings))
  return {
    needs: { presenceMirror, presenceRules, presenceOf: memberPresenceOf },
    connectionEnder: ender,
    jobs: [
      ...presenceJobs(needs),
      endChoicesJob(needs),
      endConnectionsJob(ender, endedAccess, config.broker.centrifugo !== undefined),
    ],
    erasers: [{ name: 'presence', erase: (person) => eraseFromPresence(background, person) }],
    listeners: { presence_changed: presenceMirror.hear },
    onNotificationGap: presenceMirror.forgetAll,
  }
}
