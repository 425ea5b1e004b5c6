import { workQueue } from '../../platform/background/work-payload.ts'
import type { WorkQueue } from '../../platform/background/work-queue.ts'
import type { Db } from '../../platform/database/database.ts'
import type { IdentityPort } from '../../ports/identity.ts'
import {
  ChangePayload,
  changedPlace,
  IDENTITY_QUEUE,
  type IdentityChange,
  readIdentityChange,
} from './identity-changes.ts'

interface Needs {
  db: Db
  identity: Pick<IdentityPort, 'createMembership' | 'removeMembership' | 'renameOrganization'>
}

/** About three days. */
const ATTEMPTS_MAX = 300

/**
 * Brings the identity provider to what our tables say, which is decided here and nowhere else: memberships, their
 * roles, names of organizations. An interrupted change is done again; all of them are repeatable.
 */
export function identityQueue({ db, identity }: Needs): WorkQueue {
  return workQueue({
    name: IDENTITY_QUEUE,
    lanes: { default: 1 },
    retry: { firstSeconds: 5, lastSeconds: 15 * 60, maxAttempts: ATTEMPTS_MAX },
    payload: ChangePayload,
    async handle({ payload }) {
      const change = await readIdentityChange(db, changedPlace(payload))
      if (change) await tell(identity, change)
    },
  })
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
