import { randomUUID } from 'node:crypto'
import { type Input, type Reply, ROOM_KEY } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { listMemberIds } from '../../directory/members/members.ts'
import { appendEvent } from '../../platform/background/outbox.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { parseGuestIdentity, type UserId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import { invalidInput, Refusal } from '../../platform/refusal.ts'
import type { MediaPort } from '../../ports/media.ts'
import { ownersOfDevices } from '../device-keys/reads.ts'
import { admittedGuests } from '../guests/reads.ts'
import { holdInside } from '../media-events/reads.ts'
import { peopleInRoom, requireRoomFor } from '../rooms/reads.ts'
import { beginEpoch, type Place, type Recipient, saveBoxes } from './store.ts'

interface Needs {
  db: Db
  clock: Clock
  log: Pick<Log, 'warn'>
  media: Pick<MediaPort, 'sendData'>
}

type Caller = CallerOf<'sendRoomKey'>
type Box = Input<'sendRoomKey'>['boxes'][number]

/** Takes the next key of a sealed room from a member inside, and passes on what it was sealed to. */
export async function sendRoomKey(
  { db, clock, log, media }: Needs,
  caller: Caller,
  { roomId, epoch, boxes }: Input<'sendRoomKey'>,
): Promise<Reply<'sendRoomKey'>> {
  const organization = caller.organization.id
  requireOneRecipientEach(boxes)
  const { id: room, sealed } = await requireRoomFor(db, organization, { roomId, person: caller.user.id })
  if (!sealed) throw Refusal.of('room-not-sealed')
  const now = clock.now()
  await transaction(db, async (tx) => {
    // held: the key ends with the session, so the session does not end before the key is kept
    if (!(await holdInside(tx, organization, { room, user: caller.user.id }))) throw Refusal.of('not-inside')
    const place = { organization, room }
    if (!(await beginEpoch(tx, place, epoch, now))) throw Refusal.of('epoch-taken')
    const owners = await ownersOfDevices(
      tx,
      boxes.flatMap(({ deviceId }) => deviceId ?? []),
    )
    const inside = new Set(await peopleInRoom(tx, organization, room))
    const members = await listMemberIds(tx, organization, [...new Set([...owners.values(), ...inside])])
    const known = { owners, members: new Set(members.map(({ id }) => id)) }
    await saveBoxes(tx, place, await deliverable(tx, place, boxes, known))
    await appendEvent(tx, caller.organization.identityId, {
      id: randomUUID(),
      type: 'room.key',
      time: now,
      data: { roomId: room, epoch },
      to: {
        scope: 'user',
        users: members.filter(({ id }) => inside.has(id)).map(({ identityId }) => identityId),
      },
      orderingKey: `room:${room}`,
    })
  })
  // a page that misses it asks as soon as a picture cannot be opened
  await media.sendData(room, ROOM_KEY, { roomId: room, epoch }).catch((err) => {
    log.warn({ err }, 'guests were not told of a new key')
  })
  return { status: 204 }
}

function requireOneRecipientEach(boxes: readonly Box[]): void {
  const wrong = boxes.findIndex(
    ({ deviceId, guestIdentity }) => (deviceId === undefined) === (guestIdentity === undefined),
  )
  if (wrong >= 0)
    throw invalidInput([{ field: `boxes/${wrong}`, message: 'Name either a device or a guest' }])
}

/** The boxes of devices of members and of admitted guests, of several for one the last. */
async function deliverable(
  tx: Tx,
  { room }: Place,
  boxes: readonly Box[],
  { owners, members }: { owners: ReadonlyMap<string, UserId>; members: ReadonlySet<UserId> },
): Promise<{ to: Recipient; box: string }[]> {
  const admitted = await admittedGuests(tx, room)
  const found = new Map<string, { to: Recipient; box: string }>()
  for (const { deviceId, guestIdentity, box } of boxes) {
    const owner = deviceId && owners.get(deviceId)
    if (deviceId && owner && members.has(owner)) found.set(deviceId, { to: { device: deviceId }, box })
    const guest = guestIdentity && admitted.has(guestIdentity) && parseGuestIdentity(guestIdentity)
    if (guest) found.set(guest, { to: { guest }, box })
  }
  return [...found.values()]
}
