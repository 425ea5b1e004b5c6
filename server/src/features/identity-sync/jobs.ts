import { type Clock, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import type { Log } from '../../platform/log.ts'
import type { IdentityPort } from '../../ports/identity.ts'
import {
  type IdentityChange,
  listIdentityChanges,
  postponeIdentityChange,
  settleIdentityChange,
} from './identity-changes.ts'

interface Needs {
  db: Db
  clock: Clock
  log: Pick<Log, 'warn'>
  identity: Pick<IdentityPort, 'createMembership' | 'removeMembership' | 'renameOrganization'>
}

const BATCH = 100
const FIRST_RETRY_SECONDS = 5
const LAST_RETRY_SECONDS = 15 * 60

/**
 * Brings the identity provider to what our tables say, which is decided here and nowhere else: memberships, their
 * roles, names of organizations. Whatever was interrupted is done again; all of it is repeatable.
 */
export async function reconcileIdentity(needs: Needs, signal: AbortSignal): Promise<void> {
  for (;;) {
    const changes = await listIdentityChanges(needs.db, needs.clock.now(), BATCH)
    for (const change of changes) {
      if (signal.aborted) return
      await reconcile(needs, change)
    }
    if (changes.length < BATCH) return
  }
}

async function reconcile(needs: Needs, change: IdentityChange): Promise<void> {
  try {
    await tell(needs.identity, change)
  } catch (error) {
    const wait = Math.min(FIRST_RETRY_SECONDS * 2 ** change.attempts, LAST_RETRY_SECONDS)
    needs.log.warn({ err: error, attempts: change.attempts + 1 }, 'the identity provider could not be told')
    await postponeIdentityChange(needs.db, change, secondsAfter(needs.clock.now(), wait))
    return
  }
  await settleIdentityChange(needs.db, change)
}

async function tell(identity: Needs['identity'], { organization, member }: IdentityChange): Promise<void> {
  if (!member) {
    await identity.renameOrganization({ organization: organization.identityId, name: organization.name })
    return
  }
  const membership = { organization: organization.identityId, user: member.identityId }
  if (member.role === undefined) await identity.removeMembership(membership)
  else await identity.createMembership({ ...membership, role: member.role })
}
