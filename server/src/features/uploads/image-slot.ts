import { recordAudit } from '../../access/audit/audit-trail.ts'
import type { OrganizationLimits } from '../../access/budgets/organization-limits.ts'
import type { MemberCaller, SignedInCaller } from '../../access/caller.ts'
import { requireReachOfAll } from '../../access/sessions/sign-on-reach.ts'
import { type ImageOwner, readTries, secondsToRefill, triesLeft } from '../../directory/image-tries.ts'
import { replaceLogo, shownLogos } from '../../directory/organizations.ts'
import { replaceAvatar, shownAvatars } from '../../directory/users.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { Refusal } from '../../platform/refusal.ts'

/** The place of one image: a person's avatar, or an organization's logo. */
export interface ImageSlot {
  owner: ImageOwner
  /** As keys have it. */
  ownerId: string
  folder: 'avatars' | 'logos'
  tries: number
  /** Shows another image, or none. @returns the key of the one before */
  replace(tx: Tx, key: string | null, now: Date): Promise<string | null>
  /** Which of these keys are shown anywhere. */
  shown(db: Db, keys: readonly string[]): Promise<string[]>
}

export function avatarOf(caller: SignedInCaller, tries: number): ImageSlot {
  const { id } = caller.user
  return {
    owner: { kind: 'user', id },
    ownerId: id,
    folder: 'avatars',
    tries,
    async replace(tx, key, now) {
      await requireReachOfAll(tx, caller)
      return await replaceAvatar(tx, id, key, now)
    },
    shown: shownAvatars,
  }
}

export function logoOf(caller: MemberCaller, limits: Pick<OrganizationLimits, 'of'>): ImageSlot {
  const { id, identityId } = caller.organization
  return {
    owner: { kind: 'organization', id },
    ownerId: identityId,
    folder: 'logos',
    tries: limits.of(id, 'logo-uploads'),
    async replace(tx, key, now) {
      const before = await replaceLogo(tx, id, key, now)
      await recordAudit(tx, id, caller, now, {
        action: 'organization.logo-changed',
        target: { kind: 'organization', id: identityId },
        detail: { logo: key === null ? 'removed' : 'replaced' },
      })
      return before
    },
    shown: shownLogos,
  }
}

/** @throws Refusal too-many where all tries of the slot are spent */
export async function requireTries(needs: { db: Db; clock: Clock }, slot: ImageSlot): Promise<void> {
  const now = needs.clock.now()
  const tries = await readTries(needs.db, slot.owner)
  if (triesLeft(tries, slot.tries, now) > 0) return
  throw noTriesLeft(secondsToRefill(tries, now))
}

export function noTriesLeft(retryAfterSeconds: number): Refusal {
  return Refusal.of('no-upload-tries-left', { retryAfterSeconds })
}
