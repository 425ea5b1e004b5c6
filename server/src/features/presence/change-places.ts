import { sideBySide } from '../../platform/side-by-side.ts'
import { type ChangeNeeds, changePresences, type PresenceOwner } from './change-presence.ts'
import type { PollRow } from './poll-store.ts'
import type { Occurrence } from './rules.ts'

/** People of one organization whose changes commit together. */
const BATCH = 100
/** Changes under way at the same time: as many as the background has connections. */
const PARALLEL_CHANGES = 2

/**
 * Carries an occurrence into the table for many people anywhere, some of one organization in each transaction: few are
 * held up by it, and a house that goes dark is soon through. What has changed since it was read stays. Answers how many
 * were looked at.
 */
export async function changePlaces(
  needs: ChangeNeeds,
  occurrence: Occurrence,
  places: readonly (PresenceOwner | PollRow)[],
  signal?: AbortSignal,
): Promise<number> {
  let changed = 0
  await sideBySide(batchesOf(places), PARALLEL_CHANGES, async (batch) => {
    const [first] = batch
    if (signal?.aborted || !first) return
    const people = batch.map((place) => ({ user: place.user, ...('status' in place && { expected: place }) }))
    await changePresences(needs, first.organization, occurrence, people)
    changed += batch.length
  })
  return changed
}

function batchesOf<Place extends PresenceOwner>(places: readonly Place[]): Place[][] {
  const ofOrganizations = Map.groupBy(places, ({ organization }) => organization.id).values()
  return [...ofOrganizations].flatMap((own) =>
    Array.from({ length: Math.ceil(own.length / BATCH) }, (_, at) => own.slice(at * BATCH, (at + 1) * BATCH)),
  )
}
