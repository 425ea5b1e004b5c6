import { findColleagues, listColleagues } from '../../directory/members/colleagues.ts'
import type { Db } from '../../platform/database/database.ts'
import { sharedReads } from '../../platform/database/shared-reads.ts'
import { type OrganizationId, parseIdentityUserId, parseUserId } from '../../platform/ids.ts'
import { type BoundedCache, boundedCache } from '../../platform/limits/bounded-cache.ts'
import type { Log } from '../../platform/log.ts'
import { unawaited } from '../../platform/timing/unawaited.ts'
import { byIdentityId, type Change, type Copy, copyOf, type KnownPresence, parseChange } from './copy.ts'
import { readRevisions, readStatuses } from './store.ts'

export interface PresenceMirror {
  /**
   * The active members among ids of either kind, each once, ordered by outside id, as the database has them at some
   * moment after the call began. A text that is no id at all finds none.
   */
  find(organization: OrganizationId, ids: readonly string[]): Promise<KnownPresence[]>
  /** The payload of a notification `presence_changed`. */
  hear(payload: string): void
  /** Notifications may have been missed: every copy is made again. */
  forgetAll(): void
  /** How often a copy could answer, and how often the tables had to. */
  counts(): { fromCopy: number; fromTables: number }
  /** Waits for what goes on in the background. */
  settle(): Promise<void>
}

export interface MirrorNeeds {
  db: Db
  log: Pick<Log, 'warn'>
  /** Whether news of changes reach this node; while not, no copy is made. */
  isNotified: () => boolean
}

const ORGANIZATIONS_MAX = 2_000
/** A copy that has been behind for longer has missed something. */
const BEHIND_MAX_MS = 1_000

/** What this node knows of one organization. */
interface CachedOrganization {
  copy: Copy | undefined
  /** Changes heard of while a copy is being read; undefined while none is. */
  heard: Change[] | undefined
  behindSince: number | undefined
  /** The same as of `find`, from the tables, for all who ask at the same time. */
  findInTables(ids: readonly string[]): Promise<KnownPresence[]>
}

/**
 * A copy of each organization's presence in memory, kept exact by notifications. No answer rests on the hope that
 * all of them have arrived: the revision of the copy is compared with that of the database, in one small query for
 * all callers that wait at the same time. A copy that is not current does not answer; the tables do.
 */
export function mirrorPresence(needs: MirrorNeeds): PresenceMirror {
  const places = boundedCache<OrganizationId, CachedOrganization>(ORGANIZATIONS_MAX)
  const loading = unawaited()
  const currentRevision = sharedReads(async (organizations: readonly OrganizationId[]) => {
    const revisions = await readRevisions(needs.db, [...new Set(organizations)])
    return organizations.map((organization) => revisions.get(organization) ?? 0n)
  })
  const counts = { fromCopy: 0, fromTables: 0 }

  const loadInBackground = (organization: OrganizationId, place: CachedOrganization) => {
    if (place.heard || !needs.isNotified()) return
    place.heard = []
    loading.begin(load(needs, places, organization), (err) =>
      needs.log.warn({ err }, 'presence of an organization could not be copied'),
    )
  }
  return {
    async find(organization, ids) {
      const place = placeOf(needs.db, places, organization)
      const exact = place.copy && takeCurrent(place, await currentRevision(organization))
      if (exact) {
        counts.fromCopy += 1
        return exact.find(ids)
      }
      if (!place.copy) loadInBackground(organization, place)
      counts.fromTables += 1
      return await place.findInTables(ids)
    },
    hear(payload) {
      const change = parseChange(payload)
      const place = change && places.get(change.organization)
      if (!change || !place) return
      place.heard?.push(change)
      if (place.copy && !place.copy.apply(change)) place.copy = undefined
    },
    forgetAll: () => places.clear(),
    counts: () => ({ ...counts }),
    settle: loading.settle,
  }
}

type Places = BoundedCache<OrganizationId, CachedOrganization>

function placeOf(db: Db, places: Places, organization: OrganizationId): CachedOrganization {
  const known = places.get(organization)
  if (known) return known
  const place: CachedOrganization = {
    ...{ copy: undefined, heard: undefined, behindSince: undefined },
    findInTables: sharedReads((asked) => findTogether(db, organization, asked)),
  }
  places.set(organization, place)
  return place
}

async function load(
  { db, isNotified }: MirrorNeeds,
  places: Places,
  organization: OrganizationId,
): Promise<void> {
  const place = placeOf(db, places, organization)
  try {
    const read = await readOrganization(db, organization)
    const copy = copyOf(read.revision, read.people)
    // what was heard meanwhile may be in it already, or come after it
    const exact = (place.heard ?? []).every((change) => copy.apply(change))
    if (exact && isNotified() && places.get(organization) === place) place.copy = copy
  } finally {
    place.heard = undefined
  }
}

/** The copy, where it holds all that the database had when its revision was asked. Gives up one that stays behind. */
function takeCurrent(place: CachedOrganization, revision: bigint): Copy | undefined {
  if (place.copy && place.copy.revision() >= revision) {
    place.behindSince = undefined
    return place.copy
  }
  const now = performance.now()
  place.behindSince ??= now
  if (now - place.behindSince > BEHIND_MAX_MS) {
    place.copy = undefined
    place.behindSince = undefined
  }
  return undefined
}

/** The whole organization at one moment. */
async function readOrganization(db: Db, organization: OrganizationId) {
  return await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const revisions = await readRevisions(tx, [organization])
      const colleagues = await listColleagues(tx, organization)
      const statuses = await readStatuses(tx, organization)
      const people = colleagues.map((one) => ({ ...one, status: statuses.get(one.id) ?? 'offline' }))
      return { revision: revisions.get(organization) ?? 0n, people }
    })
}

async function findTogether(
  db: Db,
  organization: OrganizationId,
  asked: readonly (readonly string[])[],
): Promise<KnownPresence[][]> {
  const found = await findInTables(db, organization, [...new Set(asked.flat())])
  return asked.map((ids) => {
    const own = new Set(ids)
    return found.filter(({ id, identityId }) => own.has(id) || own.has(identityId))
  })
}

async function findInTables(
  db: Db,
  organization: OrganizationId,
  ids: readonly string[],
): Promise<KnownPresence[]> {
  const internal = ids.map(parseUserId).filter((id) => id !== undefined)
  const identity = ids.map(parseIdentityUserId).filter((id) => id !== undefined)
  if (internal.length + identity.length === 0) return []
  const colleagues = await findColleagues(db, organization, { internal, identity })
  if (colleagues.length === 0) return []
  const users = colleagues.map(({ id }) => id)
  const statuses = await readStatuses(db, organization, users)
  return colleagues
    .map((one) => ({ ...one, status: statuses.get(one.id) ?? ('offline' as const) }))
    .sort(byIdentityId)
}
