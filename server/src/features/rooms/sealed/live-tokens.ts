import { sql } from 'kysely'
import { secondsAfter } from '../../../platform/clock.ts'
import type { Db, Tx } from '../../../platform/database/database.ts'
import type { OrganizationId, RoomId } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { wasUsedSince } from '../../media-events/reads.ts'
import { JOIN_TOKEN_SECONDS, noSuchRoom } from '../rules.ts'

/** Media servers take a token for a minute longer, and tell of who came by it a moment later. */
const TOKEN_ENDS_WITHIN_SECONDS = JOIN_TOKEN_SECONDS + 90
/** The row of a room is written once in this time, however many come in. */
const NOTED_AHEAD_SECONDS = 60

interface Place {
  organization: OrganizationId
  room: RoomId
}

interface Tokens {
  sealed: boolean
  /** No token of the room lives longer; null: it never had one. */
  tokenUntil: Date | null
}

/**
 * Notes that a token of a room is about to be made.
 * @param known the same, where it was read a moment ago
 * @returns whether the room is sealed, which stays so while the token lives
 * @throws Refusal not-found
 */
export async function noteToken(
  db: Db,
  { organization, room }: Place,
  now: Date,
  known?: Tokens,
): Promise<boolean> {
  const needed = secondsAfter(now, TOKEN_ENDS_WITHIN_SECONDS)
  const { sealed, tokenUntil } = known ?? (await readTokens(db, { organization, room }))
  if (tokenUntil && tokenUntil >= needed) return sealed
  // what another request decides at this moment is waited for, and read
  const { rows } = await sql<{ sealed: boolean }>`
    update rooms set token_until = greatest(token_until, ${secondsAfter(needed, NOTED_AHEAD_SECONDS)})
    where id = ${room} and organization_id = ${organization} and deleted_at is null returning sealed`.execute(
    db,
  )
  const [row] = rows
  if (!row) throw noSuchRoom()
  return row.sealed
}

/** Whether only encrypted tracks are published in a room, at this moment. @throws Refusal not-found */
export async function isSealed(db: Db, place: Place): Promise<boolean> {
  return (await readTokens(db, place)).sealed
}

/**
 * Whether a room is sealed changes only while it is empty, not recorded, and no token for it is alive. Tokens that the media server gave
 * to people inside outlast their stay by as long. The transaction has locked the room.
 * @throws Refusal conflict
 */
export async function requireUnused(tx: Tx, { organization, room }: Place, now: Date): Promise<void> {
  const { tokenUntil } = await readTokens(tx, { organization, room })
  const hasToken = tokenUntil !== null && tokenUntil > now
  const since = secondsAfter(now, -TOKEN_ENDS_WITHIN_SECONDS)
  if (hasToken || (await wasUsedSince(tx, organization, { room, since }))) throw Refusal.of('room-in-use')
}

async function readTokens(db: Db, { organization, room }: Place): Promise<Tokens> {
  const row = await db
    .selectFrom('rooms')
    .select(['sealed', 'token_until as tokenUntil'])
    .where('id', '=', room)
    .where('organization_id', '=', organization)
    .executeTakeFirst()
  if (!row) throw noSuchRoom()
  return row
}
