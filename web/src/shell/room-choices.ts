import type { Room } from '@atrium/client/rooms'

/** What a room can be for. Without `desk`: a desk has an owner, and is made in another way. */
export const ROOM_KINDS = [
  'meeting',
  'office',
  'focus',
  'kitchen',
  'lounge',
  'stage',
] as const satisfies readonly Room['kind'][]
/** In a list of choices: as many seats as are usual for the kind. */
export const USUAL_SEATS = ''
export const ROOM_SEATS = [USUAL_SEATS, '2', '4', '6', '8', '12', '20', '40'] as const
