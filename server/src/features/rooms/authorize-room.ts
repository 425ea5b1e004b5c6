import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { requireName } from '../../directory/display-name.ts'
import { type Clock, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { identityOfUser } from '../../platform/ids.ts'
import { invalidInput, Refusal } from '../../platform/refusal.ts'
import type { AgentRights, MediaPort } from '../../ports/media.ts'
import { nameOfAgent, requireAgents } from './agents/agent-entry.ts'
import { requireEntry, spendEntry } from './doors/entry.ts'
import { requireRoomAtDoor } from './doors/room-at-door.ts'
import type { OpenRooms } from './open-rooms.ts'
import { wantTemporaryRoom } from './private/private-store.ts'
import { EMPTY_SECONDS } from './private/temporary-room.ts'
import { requireNotElsewhere } from './reads.ts'
import { JOIN_TOKEN_SECONDS } from './rules.ts'
import { noteToken } from './sealed/live-tokens.ts'

interface Needs {
  db: Db
  clock: Clock
  media: Pick<MediaPort, 'openRoom' | 'closeRoom' | 'mintToken' | 'participants'>
  openRooms: OpenRooms
  /** Where clients reach the media server. */
  mediaUrl: string
}

const NAME_LENGTHS = { min: 1, max: 100 }

/**
 * A token for the caller to join a room with. Who they are in it is not theirs to choose, what they are called is. A bot
 * comes as a bot, under its own name.
 */
export async function authorizeRoom(
  needs: Needs,
  caller: CallerOf<'authorizeRoom'>,
  input: Input<'authorizeRoom'>,
): Promise<Reply<'authorizeRoom'>> {
  const name = requireName(input.username, 'username', NAME_LENGTHS)
  const about = { roomId: input.roomId, person: caller.user.id, now: needs.clock.now() }
  const room = await requireRoomAtDoor(needs.db, caller.organization.id, about)
  const isBot = 'bot' in caller
  if (isBot) await requireAgents(needs.db, caller.organization.id, room)
  const at = { organization: caller.organization.id, room: room.id, user: caller.user.id }
  const entersBy = await requireEntry(
    needs.db,
    room,
    { at, role: caller.organization.role },
    needs.clock.now(),
  )
  if (room.temporary)
    await wantTemporaryRoom(needs.db, room.id, secondsAfter(needs.clock.now(), EMPTY_SECONDS))
  const identity = identityOfUser(caller.user.id, input.connection)
  // a token does not make a room: only we do
  const entering = { organization: caller.organization.id, room: room.id, identity }
  await needs.openRooms.ensure(needs, entering, input.returning !== undefined)
  await requireNotElsewhere(needs.media, { room: room.id, identity }, input.returning)
  if (entersBy === 'let-in') await spendEntry(needs.db, at, needs.clock.now())
  const sealed = await noteToken(needs.db, at, needs.clock.now(), room)
  // sealed since it was looked at
  if (isBot && sealed) throw Refusal.of('room-sealed')
  const asWhom = isBot
    ? { name: await nameOfAgent(needs.db, at.organization, at.user), agent: rightsOf(input) }
    : { name, session: caller.session.mark }
  const token = await needs.media.mintToken({
    room: room.id,
    identity,
    ...asWhom,
    rights: 'take-part',
    sealed,
    expiresInSeconds: JOIN_TOKEN_SECONDS,
  })
  return { status: 200, body: { token, url: needs.mediaUrl, programs: room.programs } }
}

/** @throws Refusal invalid: who neither hears nor is heard waits, as guests do */
function rightsOf({ listens = true, speaks = true }: Input<'authorizeRoom'>): AgentRights {
  if (!listens && !speaks) throw invalidInput([{ field: 'speaks', message: 'Listen, speak, or both' }])
  return { listens, speaks }
}
