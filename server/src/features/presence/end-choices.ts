import type { Job } from '../../platform/background/jobs.ts'
import { sideBySide } from '../../platform/side-by-side.ts'
import { changePresence, PARALLEL_CHANGES } from './change-presence.ts'
import { isConnected, type PollNeeds, takeCensus } from './jobs.ts'
import { type EndedChoice, listEnded } from './poll-store.ts'

const EVERY_MS = 1_000
const BATCH = 200

/** Ends what people chose until now, also what came to its end while no node ran. */
export function endChoicesJob(needs: PollNeeds): Job {
  return { name: 'end-choices', everyMs: EVERY_MS, run: (signal) => endChoices(needs, signal) }
}

async function endChoices(needs: PollNeeds, signal: AbortSignal): Promise<void> {
  for (;;) {
    const ended = await listEnded(needs.db, needs.clock.now(), BATCH)
    const isThere = await presenceAmong(needs, ended)
    await sideBySide(ended, PARALLEL_CHANGES, async (place) => {
      if (signal.aborted) return
      await changePresence(needs, place, { kind: 'ended', connected: isThere(place) }, place)
    })
    if (signal.aborted || ended.length < BATCH) return
  }
}

/**
 * Which members with a choice that has ended have a connection. Where an absence proves nothing, those who are seen are taken
 * to be there, and those who are invisible not: the poll finds out when it can.
 */
async function presenceAmong(
  needs: PollNeeds,
  ended: readonly EndedChoice[],
): Promise<(place: EndedChoice) => boolean> {
  const present = ended.filter(({ status }) => status !== 'offline')
  if (present.length === 0) return () => false
  const organizations = [...new Set(present.map(({ organization }) => organization.identityId))]
  const census = await takeCensus(needs, organizations)
  const isProof = census !== undefined && !census.quiet
  return (place) => {
    if (census && isConnected(census.connected, place)) return true
    return !isProof && place.status !== 'appear_offline'
  }
}
