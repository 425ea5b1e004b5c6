import { randomUUID } from 'node:crypto'
import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../../access/caller.ts'
import { listAdmitters } from '../../../directory/members/members.ts'
import { type Clock, secondsAfter } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import type { UserId } from '../../../platform/ids.ts'
import { invalidInput, Refusal } from '../../../platform/refusal.ts'
import type { KeyRing } from '../../../platform/secrets/sealed-column.ts'
import { sealToken } from '../../../platform/secrets/sealed-token.ts'
import { requireRoom } from '../../rooms/reads.ts'
import { insertInvite } from './invite-store.ts'
import { GUEST_INVITE, guestUrlOf } from './invite-token.ts'

interface Needs {
  db: Db
  clock: Clock
  guestRing: KeyRing
  frontendUrl: string
}

type Caller = CallerOf<'inviteGuest'>

/** Makes the link of a guest. All that it allows travels in it, sealed; what is stored lists it and ends it early. */
export async function inviteGuest(
  needs: Needs,
  caller: Caller,
  input: Input<'inviteGuest'>,
): Promise<Reply<'inviteGuest'>> {
  const { id: organization, identityId } = caller.organization
  if (input.orgId !== identityId) throw Refusal.of('organization-not-found')
  const room = await requireRoom(needs.db, organization, input.roomId, caller.user.id)
  const allowedAdmins = await requireAdmins(needs.db, caller, input.allowedAdmins ?? [])
  const allowAll = input.allowAll ?? false
  const now = needs.clock.now()
  const expiresAt = secondsAfter(now, input.durationSeconds)
  const claims = { organization, room: room.id, invitedBy: caller.user.id, allowAll, allowedAdmins }
  const inviteId = randomUUID()
  // a token ends with a whole second: the link works no shorter than it is listed
  const life = { expiresAt: wholeSecond(expiresAt), now, id: inviteId }
  const token = await sealToken(needs.guestRing, GUEST_INVITE, claims, life)
  const invite = { id: inviteId, organization, room: room.id, createdBy: caller.user.id, createdAt: now }
  await transaction(needs.db, async (tx) => {
    const sealedWith = needs.guestRing.current.kid
    await insertInvite(tx, { ...invite, expiresAt, allowAll, allowedAdmins, sealedWith })
    await recordAudit(tx, organization, caller, now, {
      action: 'guest.invited',
      target: { kind: 'room', id: room.id },
      detail: { expiresAt: expiresAt.toISOString(), inviteId },
    })
  })
  return { status: 201, body: { inviteUrl: guestUrlOf(needs.frontendUrl, token), inviteId } }
}

function wholeSecond(time: Date): Date {
  return new Date(Math.ceil(time.getTime() / 1_000) * 1_000)
}

/** @throws Refusal invalid where the list names a user who is no admin here, in the same words for users elsewhere */
async function requireAdmins(db: Db, { organization }: Caller, ids: readonly string[]): Promise<UserId[]> {
  if (ids.length === 0) return []
  const admins = new Map<string, UserId>((await listAdmitters(db, organization.id)).map(({ id }) => [id, id]))
  const chosen = new Set<UserId>()
  const details: { field: string; message: string }[] = []
  for (const [index, id] of ids.entries()) {
    const admin = admins.get(id)
    if (admin) chosen.add(admin)
    else
      details.push({
        field: `allowedAdmins.${index}`,
        message: 'Give user ids of admins of this organization',
      })
  }
  if (details.length === 0) return [...chosen]
  throw invalidInput(details)
}
