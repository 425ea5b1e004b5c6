import type { Job } from '../../platform/background/jobs.ts'
import { secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import type { OrganizationId, UserId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import { sideBySide } from '../../platform/side-by-side.ts'
import { type ChangeNeeds, changePresence, PARALLEL_CHANGES } from './change-presence.ts'
import { type DueMeetings, listChanging, listToRead, saveMeetings, setNextChange } from './meeting-store.ts'
import { listPlacesOf } from './poll-store.ts'
import { type MeetingTimes, meetingEnd, nextChange } from './timeline.ts'

export interface MeetingNeeds extends ChangeNeeds {
  log: Pick<Log, 'warn'>
  /** PRESENCE_FROM_CALENDAR. */
  presenceFromCalendar: boolean
  /** By provider; one that did not answer is left out. */
  readMeetings: (user: UserId, span: { from: Date; to: Date }) => Promise<MeetingTimes>
  /** An organization may have calendars switched off. */
  isCalendarOff: (db: Db, organization: OrganizationId) => Promise<boolean>
}

const READ_EVERY_MS = 15_000
const SWITCH_EVERY_MS = 1_000
/** How old what is known of a member's calendars may be. */
const FRESH_SECONDS = 5 * 60
/** How far ahead is read: meetings show as long as a provider is away. */
const AHEAD_SECONDS = 8 * 60 * 60
const READ_BATCH = 100
const SWITCH_BATCH = 200
/** For so many people providers are asked at the same time. */
const PARALLEL_READS = 4

/** What makes a meeting of the calendar read as busy, for those who have chosen it. */
export function meetingJobs(needs: MeetingNeeds): Job[] {
  const switching: Job = {
    name: 'switch-meetings',
    everyMs: SWITCH_EVERY_MS,
    run: (signal) => switchMeetings(needs, signal),
  }
  const reading: Job = {
    name: 'read-meetings',
    everyMs: READ_EVERY_MS,
    run: (signal) => readAll(needs, signal),
  }
  // what was under way when the feature was switched off is ended
  return needs.presenceFromCalendar ? [switching, reading] : [switching]
}

async function readAll(needs: MeetingNeeds, signal: AbortSignal): Promise<void> {
  const due = await listToRead(needs.db, needs.clock.now(), READ_BATCH)
  await sideBySide(due, PARALLEL_READS, async (one) => {
    if (signal.aborted) return
    const from = needs.clock.now()
    const next = secondsAfter(from, FRESH_SECONDS)
    try {
      const times = await needs.readMeetings(one.user, { from, to: secondsAfter(from, AHEAD_SECONDS) })
      await saveMeetings(needs.db, one, { times, at: from, next })
    } catch (err) {
      // one person's calendar does not keep the others from being read
      needs.log.warn({ err }, 'meetings of somebody could not be read')
      await saveMeetings(needs.db, one, { times: {}, at: from, next })
    }
  })
}

async function switchMeetings(needs: MeetingNeeds, signal: AbortSignal): Promise<void> {
  for (;;) {
    const due = await listChanging(needs.db, needs.clock.now(), SWITCH_BATCH)
    await sideBySide(due, PARALLEL_CHANGES, async (one) => {
      if (!signal.aborted) await switchOne(needs, one)
    })
    if (signal.aborted || due.length < SWITCH_BATCH) return
  }
}

async function switchOne(needs: MeetingNeeds, due: DueMeetings): Promise<void> {
  const now = needs.clock.now()
  const goesOn = needs.presenceFromCalendar && meetingEnd(due.times, now) !== null
  for (const place of await listPlacesOf(needs.db, due.user)) {
    const isShown = goesOn && !(await needs.isCalendarOff(needs.db, place.organization.id))
    await changePresence(needs, place, { kind: 'meeting', goesOn: isShown })
  }
  await setNextChange(needs.db, due, nextChange(due.times, now))
}
