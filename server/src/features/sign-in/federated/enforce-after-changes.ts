import { listDomainsOwnedBy } from '../../../directory/domains/domains.ts'
import { enqueue } from '../../../platform/background/work-items.ts'
import { workQueue } from '../../../platform/background/work-payload.ts'
import type { WorkQueue } from '../../../platform/background/work-queue.ts'
import { DAY_MS, secondsAfter } from '../../../platform/clock.ts'
import type { IdentityOrganizationId } from '../../../platform/ids.ts'
import { Type } from '../../../platform/schema.ts'
import type { IdentityPort } from '../../../ports/identity.ts'
import { type EnforceNeeds, enforceEverywhere, enforceSingleSignOn } from './enforce-single-sign-on.ts'

/** What triggers enqueue for it: migration 0049. */
const QUEUE = 'single-sign-on'
/** A sign-in that began under what held before is done by then, on a node that remembers its provider's answer too. */
const AGAIN_AFTER_SECONDS = 5 * 60
const EVERYWHERE_EVERY_MS = DAY_MS

/** Enforces single sign-on for domains where something has changed: soon, and once more for what was under way. */
export function singleSignOnQueue(needs: EnforceNeeds): WorkQueue {
  return workQueue({
    name: QUEUE,
    lanes: { default: 1 },
    retry: { firstSeconds: 5, lastSeconds: AGAIN_AFTER_SECONDS },
    payload: Type.Object({ domain: Type.String() }),
    async handle({ payload: { domain }, createdAt }) {
      await enforceSingleSignOn(needs, { domain })
      const againAt = secondsAfter(createdAt, AGAIN_AFTER_SECONDS)
      return needs.clock.now() < againAt ? { againAt } : undefined
    },
  })
}

interface FollowNeeds extends EnforceNeeds {
  identity: Pick<IdentityPort, 'hasSingleSignOn' | 'listSingleSignOn'>
}

/**
 * Makes a run that looks at every domain the first time and once a day, and in between asks for changed connections
 * where they change elsewhere: changes of our own tables enqueue their work by themselves.
 * @throws ProviderFailure the run, where it is not known who has single sign-on: no user is signed out then
 */
export function followSingleSignOn(
  needs: FollowNeeds,
  { changesElsewhere }: { changesElsewhere: boolean },
): () => Promise<void> {
  let known: ReadonlySet<IdentityOrganizationId> = new Set()
  let lookedAt: number | undefined
  return async () => {
    const now = needs.clock.now()
    const isDue = lookedAt === undefined || now.getTime() - lookedAt >= EVERYWHERE_EVERY_MS
    if (!isDue && !changesElsewhere) return
    const connected = await needs.identity.listSingleSignOn()
    if (isDue) {
      await enforceEverywhere(needs, connected)
      lookedAt = now.getTime()
    } else {
      await enqueueDomainsOf(needs, differing(connected, known))
    }
    known = connected
  }
}

/** What only one of two has. */
function differing<T>(one: ReadonlySet<T>, other: ReadonlySet<T>): T[] {
  return [...[...one].filter((item) => !other.has(item)), ...[...other].filter((item) => !one.has(item))]
}

async function enqueueDomainsOf(
  { db, clock }: Pick<FollowNeeds, 'db' | 'clock'>,
  organizations: readonly IdentityOrganizationId[],
): Promise<void> {
  if (organizations.length === 0) return
  const now = clock.now()
  const work = (await listDomainsOwnedBy(db, organizations)).map(({ domain, organization }) => ({
    queue: QUEUE,
    organization: organization.id,
    key: domain,
    payload: { domain },
    now,
  }))
  await enqueue(db, ...work)
}
