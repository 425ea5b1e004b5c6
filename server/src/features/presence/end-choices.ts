import type { Job } from '../../platform/background/jobs.ts'
import { sideBySide } from '../../platform/side-by-side.ts'
import type { ConnectionCensus } from '../../ports/broker.ts'
import { changePresence, PARALLEL_CHANGES, type PresenceOwner } from './change-presence.ts'
import { isConnected, type PollNeeds } from './jobs.ts'
import { listEnded } from './poll-store.ts'

const EVERY_MS = 1_000
const BATCH = 200

/** Ends what people chose until now, also what came to its end while no node ran. */
export function endChoicesJob(needs: PollNeeds): Job {
  return { name: 'end-choices', everyMs: EVERY_MS, run: (signal) => endChoices(needs, signal) }
}

async function endChoices(needs: PollNeeds, signal: AbortSignal): Promise<void> {
  for (;;) {
    const at = needs.clock.now()
    const ended = await listEnded(needs.db, at, BATCH)
    const hidden = ended.filter(({ status }) => status === 'appear_offline')
    const connected = await connectionsOf(needs, hidden)
    await sideBySide(ended, PARALLEL_CHANGES, async (place) => {
      if (signal.aborted) return
      await changePresence(needs, place, { kind: 'ended', connected: isConnected(connected, place) })
    })
    if (signal.aborted || ended.length < BATCH) return
  }
}

/**
 * Who was invisible is seen again only if they are there. Where the broker cannot say, the poll finds them when it can.
 */
async function connectionsOf(
  { broker, log }: PollNeeds,
  hidden: readonly PresenceOwner[],
): Promise<ConnectionCensus['connected']> {
  if (hidden.length === 0) return new Map()
  try {
    const organizations = [...new Set(hidden.map(({ organization }) => organization.identityId))]
    return (await broker.connectedUsers(organizations)).connected
  } catch (err) {
    log.warn({ err }, 'the broker did not say whether people are there whose choice has ended')
    return new Map()
  }
}
