import { CompiledQuery } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'
import { type OrganizationId, parseRoomId, trusted, type UserId } from '../../../platform/ids.ts'
import { noSuchRoom } from '../rules.ts'
import type { Room } from '../store.ts'
import type { Decided } from './door-store.ts'

/** A room that a member wants to enter, and what was decided about them at its door. */
export interface RoomAtDoor
  extends Pick<Room, 'id' | 'lockedAt' | 'sealed' | 'agentDispatch' | 'owner' | 'temporary'> {
  /** What the bots are called that are inside, and those that will come. */
  programs: string[]
  tokenUntil: Date | null
  door: Decided | undefined
}

interface Row {
  id: string
  locked_at: Date | null
  sealed: boolean
  agent_dispatch: Room['agentDispatch']
  programs: string[]
  token_until: Date | null
  owner_id: string | null
  temporary: boolean
  decided: boolean
  let_in_until: Date | null
  expected_until: Date | null
  put_out_at: Date | null
  removed_until: Date | null
}

/** As `readRoomFor` and `readDoor` in one; the text is made once, for each who enters pays for it. */
const ROOM_AT_DOOR = `
  select r.id, r.locked_at, r.sealed, r.agent_dispatch, programs_of_room(r, $4) as programs, r.token_until, r.owner_id, r.first_person_id is not null as temporary, d.room_id is not null as decided,
    d.let_in_until, d.expected_until, d.put_out_at, d.removed_until
  from rooms r left join room_doors d on d.room_id = r.id and d.user_id = $3 and d.organization_id = r.organization_id
  where r.organization_id = $1 and r.id = $2 and r.deleted_at is null
    and (r.first_person_id is null or r.first_person_id = $3 or r.second_person_id = $3)`

/** A room that a person may know of: the organization's, or a temporary one of theirs. @throws Refusal not-found */
export async function requireRoomAtDoor(
  db: Db,
  organization: OrganizationId,
  { roomId, person, now }: { roomId: string; person: UserId; now: Date },
): Promise<RoomAtDoor> {
  const id = parseRoomId(roomId)
  if (!id) throw noSuchRoom()
  const { rows } = await db.executeQuery<Row>(
    CompiledQuery.raw(ROOM_AT_DOOR, [organization, id, person, now]),
  )
  const [row] = rows
  if (!row) throw noSuchRoom()
  const decided = {
    letInUntil: row.let_in_until,
    expectedUntil: row.expected_until,
    putOutAt: row.put_out_at,
    removedUntil: row.removed_until,
  }
  return {
    id: trusted.roomId(row.id),
    lockedAt: row.locked_at,
    sealed: row.sealed,
    agentDispatch: row.agent_dispatch,
    programs: row.programs,
    tokenUntil: row.token_until,
    owner: row.owner_id === null ? null : trusted.userId(row.owner_id),
    temporary: row.temporary,
    door: row.decided ? decided : undefined,
  }
}
