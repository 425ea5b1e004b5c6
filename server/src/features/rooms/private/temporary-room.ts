import { randomUUID } from 'node:crypto'
import { holdMembership } from '../../../directory/members/members.ts'
import { appendEvent } from '../../../platform/background/outbox.ts'
import { secondsAfter } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import {
  type IdentityOrganizationId,
  type IdentityUserId,
  type OrganizationId,
  type RoomId,
  trusted,
  type UserId,
} from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { putTemporaryRoom } from './private-store.ts'

/** How long an empty temporary room stays. */
export const EMPTY_SECONDS = 60

export interface Person {
  id: UserId
  identityId: IdentityUserId
  displayName: string
}

/**
 * The room of two people: the one that they have, or a new one. The two are told of a new one.
 * @returns its id
 * @throws Refusal not-found where one of them is no member any more
 */
export async function openTemporaryRoom(
  tx: Tx,
  organization: { id: OrganizationId; identityId: IdentityOrganizationId },
  [one, other]: readonly [Person, Person],
  now: Date,
): Promise<RoomId> {
  // it ends with the membership of either
  for (const person of [one, other])
    if (!(await holdMembership(tx, organization.id, person.id))) throw Refusal.of('member-not-found')
  const { id, isNew } = await putTemporaryRoom(
    tx,
    {
      id: trusted.roomId(randomUUID()),
      organization: organization.id,
      pair: [one.id, other.id],
      wantedUntil: secondsAfter(now, EMPTY_SECONDS),
    },
    now,
  )
  if (!isNew) return id
  const named = [one, other].sort((a, b) => Number(a.id) - Number(b.id))
  await appendEvent(tx, organization.identityId, {
    id: randomUUID(),
    type: 'room.created',
    time: now,
    data: {
      roomId: id,
      name: named.map(({ displayName }) => displayName).join(', '),
      metadata: {},
      kind: 'meeting',
      seats: null,
      locked: true,
      sealed: false,
      // the place of a room that was given none
      position: 1_000_000,
      temporary: true,
      ownerId: null,
      createdAt: now.toISOString(),
    },
    to: { scope: 'user', users: named.map(({ identityId }) => identityId) },
    orderingKey: `room:${id}`,
  })
  return id
}
