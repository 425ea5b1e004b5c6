import type { Job } from '../../platform/background/jobs.ts'
import { secondsAfter } from '../../platform/clock.ts'
import { sideBySide } from '../../platform/side-by-side.ts'
import { changePresence, PARALLEL_CHANGES } from './change-presence.ts'
import { isConnected, type PollNeeds, takeCensus } from './jobs.ts'
import { type EndedChoice, listEnded } from './poll-store.ts'

const EVERY_MS = 1_000
const BATCH = 200
/** A page that is loaded again is away for a moment: an absence counts where it lasts for as long as a round of the poll. */
const ABSENT_AFTER_SECONDS = 15

/** Ends what people chose until now, also what came to its end while no node ran. */
export function endChoicesJob(needs: PollNeeds): Job {
  return { name: 'end-choices', everyMs: EVERY_MS, run: (signal) => endChoices(needs, signal) }
}

async function endChoices(needs: PollNeeds, signal: AbortSignal): Promise<void> {
  for (;;) {
    const now = needs.clock.now()
    const ended = await listEnded(needs.db, now, BATCH)
    const connectedOf = await presenceAmong(needs, ended, now)
    const known = ended.flatMap((place) => {
      const connected = connectedOf(place)
      return connected === undefined ? [] : [{ place, connected }]
    })
    await sideBySide(known, PARALLEL_CHANGES, async ({ place, connected }) => {
      if (signal.aborted) return
      await changePresence(needs, place, { kind: 'ended', connected }, place)
    })
    if (signal.aborted || ended.length < BATCH || known.length === 0) return
  }
}

/**
 * Which members with a choice that has ended have a connection; undefined where it is to be looked at again. Where an absence
 * proves nothing, those who are seen are taken to be there, and those who are invisible not: the poll finds out when it can.
 */
async function presenceAmong(
  needs: PollNeeds,
  ended: readonly EndedChoice[],
  now: Date,
): Promise<(place: EndedChoice) => boolean | undefined> {
  const present = ended.filter(({ status }) => status !== 'offline')
  if (present.length === 0) return () => false
  const organizations = [...new Set(present.map(({ organization }) => organization.identityId))]
  const census = await takeCensus(needs, organizations)
  const isProof = census !== undefined && !census.quiet
  const settled = secondsAfter(now, -ABSENT_AFTER_SECONDS)
  return (place) => {
    if (census && isConnected(census.connected, place)) return true
    if (place.status === 'appear_offline' || place.status === 'offline') return false
    if (!isProof) return true
    return place.endsAt > settled ? undefined : false
  }
}
