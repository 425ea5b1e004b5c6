import { isMarkOfLiveSession } from '../../access/sessions/session-mark.ts'
import { findMember } from '../../directory/members/members.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { type OrganizationId, parseConnectionUser, type RoomId, type UserId } from '../../platform/ids.ts'
import { ProviderFailure } from '../../platform/refusal.ts'
import type { MediaParticipant, MediaPort } from '../../ports/media.ts'
import { connectionsOfBots, isInside, roomsOfPerson } from '../media-events/reads.ts'
import { mayAgentBeInside } from './agents/agent-entry.ts'
import { dispatchAlways } from './agents/dispatch.ts'
import { botOfWorkerIn } from './agents/workers.ts'
import { forgetDispatched } from './doors/door-store.ts'
import { mayStay } from './doors/entry.ts'
import { isConnectionOf } from './rules.ts'
import { readWhoseRoom } from './store.ts'

interface Needs {
  db: Db
  clock: Clock
  media: Pick<MediaPort, 'participants' | 'remove'>
}

type MediaOfArrivals = Pick<MediaPort, 'remove' | 'rename' | 'openRoom' | 'askWorker' | 'askedWorkers'>

/** A connection to a room, as far as it says whom it belongs to. */
type Connection = Pick<MediaParticipant, 'identity' | 'kind' | 'session' | 'worker'>

/**
 * A person has appeared in a room. The media server checks tokens by itself, and an earlier one lets in people who have
 * been removed since, or have signed out, or are not for the room that was locked since: they are put out again at once.
 * A program that is no bot of the organization, or of one that wants none, is put out too. Guests are not looked at
 * here. May be repeated.
 * @throws ProviderFailure: to be tried again
 */
export async function personConnected(
  { db, clock, media }: Omit<Needs, 'media'> & { media: MediaOfArrivals },
  appeared: Connection & { room: RoomId; connection: string; at: Date },
): Promise<void> {
  const named = parseConnectionUser(appeared.identity)
  const isAgent = appeared.kind === 'agent'
  const whose = (named || isAgent) && (await readWhoseRoom(db, appeared.room))
  if (!whose) return
  const { organization } = whose
  const { room, worker } = appeared
  const user = isAgent && worker ? await botOfWorkerIn({ db, media }, { organization, room, worker }) : named
  const may = isAgent
    ? user && (await mayAgentBeInside(db, organization, { bot: user, room: whose }))
    : user && (await mayBeInside({ db, clock }, organization, user, appeared))
  if (!user || !may) {
    await media.remove(appeared.room, appeared.identity)
    return
  }
  const member = await findMember(db, organization, user)
  if (!member) return
  const at = { organization, room: appeared.room, user }
  const entering = { at, role: member.role, connection: appeared.connection, appearedAt: appeared.at }
  if (!(await mayStay(db, whose, entering, clock.now()))) await media.remove(appeared.room, appeared.identity)
  else if (isAgent) {
    await forgetDispatched(db, at, clock.now())
    // workers choose a name by themselves, and a bot may have been renamed since it took its token
    await media.rename(room, appeared.identity, member.displayName, user)
  } else if (whose.agentDispatch === 'always') await dispatchAlways({ db, clock, media }, at)
}

/**
 * The connections of a user to a room. People and bots have their id in the identity; workers choose theirs by themselves,
 * and are known from the moment when they were let in.
 * @throws ProviderFailure
 */
export async function connectionsTo(
  { db, media }: { db: Db; media: Pick<MediaPort, 'participants'> },
  { organization, room, user }: { organization: OrganizationId; room: RoomId; user: UserId },
): Promise<MediaParticipant[]> {
  const known = (await connectionsOfBots(db, organization, user)).map(({ identity }) => identity)
  return (await media.participants(room)).filter(
    ({ identity }) => isConnectionOf(identity, user) || known.includes(identity),
  )
}

/** Whether a user is in a room: as the media server says, and where it cannot say, as it has told. */
export async function isInsideNow(
  needs: { db: Db; media: Pick<MediaPort, 'participants'> },
  at: { organization: OrganizationId; room: RoomId; user: UserId },
): Promise<boolean> {
  try {
    return (await connectionsTo(needs, at)).length > 0
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    const asBot = await connectionsOfBots(needs.db, at.organization, at.user)
    return asBot.some(({ room }) => room === at.room) || (await isInside(needs.db, at.organization, at))
  }
}

/**
 * A session has ended: its connections to rooms end. One that begins at this moment is found as it appears. May be
 * repeated.
 * @throws ProviderFailure: to be tried again
 */
export async function endConnectionsOf(
  { db, clock, media }: Needs,
  organization: OrganizationId,
  user: UserId,
): Promise<void> {
  for (const room of await roomsOfPerson(db, organization, user))
    for (const connection of await connectionsTo({ db, media }, { organization, room, user })) {
      if (await mayBeInside({ db, clock }, organization, user, connection)) continue
      await media.remove(room, connection.identity)
    }
}

async function mayBeInside(
  { db, clock }: Pick<Needs, 'db' | 'clock'>,
  organization: OrganizationId,
  user: UserId,
  { session }: Connection,
): Promise<boolean> {
  if (!(await findMember(db, organization, user))) return false
  // a token of the release before says no session
  return session === undefined || (await isMarkOfLiveSession(db, user, session, clock.now()))
}
