import type { Room } from '@atrium/client/rooms'
import type { PermissionName } from '../live/permissions.ts'

/** What a member may do in a room, and before it, beside the controls: each is offered only where the office does it. */
export interface RoomOffers {
  chat: boolean
  admitGuests: boolean
  invite: boolean
  record: boolean
  /** What was recorded there before it may have been sealed. */
  recordings: boolean
  lock: boolean
  settings: boolean
}

/** A table for two is locked for good, has no conversation, no guests and no recording. */
const AT_TABLE: RoomOffers = {
  ...{ chat: false, admitGuests: false, invite: false },
  ...{ record: false, recordings: false, lock: false, settings: false },
}

export function roomOffers(
  { temporary, sealed, ownerId }: Pick<Room, 'temporary' | 'sealed' | 'ownerId'>,
  may: (permission: PermissionName) => boolean,
): RoomOffers {
  if (temporary) return AT_TABLE
  return {
    // a desk has no conversation either
    chat: ownerId === null,
    lock: true,
    admitGuests: may('AdmitGuest'),
    invite: may('InviteUser'),
    // no recorder can open what is said in a sealed room
    record: may('RecordRoom') && !sealed,
    recordings: may('RecordRoom'),
    settings: may('EditRoom'),
  }
}
