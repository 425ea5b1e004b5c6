import type { Job } from '../../platform/background/jobs.ts'
import { DAY_MS, DAY_SECONDS, HOUR_MS, secondsAfter } from '../../platform/clock.ts'
import { hasUnprocessed, purgeEvents } from './inbox.ts'
import { type TellNeeds, tellListeners } from './listeners.ts'
import { countAdmissions, type ProcessNeeds, processArrivals } from './process.ts'
import { purgeKnown } from './store.ts'
import { mediaSweep, type SweepNeeds } from './sweep.ts'

export interface MediaJobsNeeds
  extends ProcessNeeds,
    Omit<TellNeeds, 'log'>,
    Omit<SweepNeeds, 'log' | 'media'> {
  log: ProcessNeeds['log'] & TellNeeds['log'] & SweepNeeds['log']
  /** Undefined: there is no media server to ask. */
  media: SweepNeeds['media'] | undefined
  duplicateWindowSeconds: number
  /** 0: never. */
  sweepSeconds: number
}

export const PROCESS_JOB = 'process-media-events'
const PROCESS_EVERY_MS = 500
const TELL_EVERY_MS = 500
/** Rows of the activity that unique users are counted from. */
const ACTIVITY_DAYS = 90

/** What runs in the background, on the leader. */
export function mediaJobs(needs: MediaJobsNeeds): Job[] {
  const { db, clock } = needs
  const jobs: Job[] = [
    {
      name: PROCESS_JOB,
      everyMs: PROCESS_EVERY_MS,
      async run(signal) {
        // a look takes neither transaction nor lock, and most turns find nothing
        if (await hasUnprocessed(db)) await processArrivals(needs, signal)
        await countAdmissions(needs)
      },
    },
    {
      name: 'tell-media-events',
      everyMs: TELL_EVERY_MS,
      run: (signal) => tellListeners(needs, signal),
    },
    {
      name: 'purge-media-events',
      everyMs: HOUR_MS,
      run: () => purgeEvents(db, secondsAfter(clock.now(), -needs.duplicateWindowSeconds)),
    },
    {
      name: 'purge-media-activity',
      everyMs: DAY_MS,
      run: () =>
        purgeKnown(db, {
          activity: secondsAfter(clock.now(), -ACTIVITY_DAYS * DAY_SECONDS),
          ended: secondsAfter(clock.now(), -DAY_SECONDS),
        }),
    },
  ]
  const { media } = needs
  if (media && needs.sweepSeconds > 0) {
    const everyMs = needs.sweepSeconds * 1_000
    jobs.push({ name: 'sweep-media', everyMs, run: mediaSweep({ ...needs, media }) })
  }
  return jobs
}
