import { AtriumError } from '@atrium/client'
import { ConnectionError, DisconnectReason } from 'livekit-client'

/** Why a person is not in the room any more, as it is told to them. */
export type CallEnd =
  | 'left'
  | 'away'
  | 'elsewhere'
  | 'removed'
  | 'room-gone'
  | 'session-ended'
  | 'full'
  | 'refused'
  | 'unreachable'

const ENDS: Partial<Record<DisconnectReason, CallEnd>> = {
  [DisconnectReason.DUPLICATE_IDENTITY]: 'elsewhere',
  [DisconnectReason.PARTICIPANT_REMOVED]: 'removed',
  [DisconnectReason.USER_REJECTED]: 'removed',
  [DisconnectReason.ROOM_DELETED]: 'room-gone',
  [DisconnectReason.ROOM_CLOSED]: 'room-gone',
}

/** What the media server's reason means; undefined: it was not wanted, so come in again with a new token. */
export function endOfReason(reason: DisconnectReason | undefined): CallEnd | undefined {
  return reason === undefined ? undefined : ENDS[reason]
}

/** What the office's refusal of a token means for a person who was inside; undefined: it may be better soon. */
export function endOfRefusal(error: unknown): CallEnd | undefined {
  if (!(error instanceof AtriumError)) return undefined
  if (error.status === 401) return 'session-ended'
  if (error.error === 'already-inside') return 'elsewhere'
  if (error.status === 404 || error.status === 410) return 'room-gone'
  if (error.status === 403) return 'removed'
  return undefined
}

/** What it means that the media server did not let a connection in; undefined: it may be better soon. */
export function endOfConnecting(error: unknown): CallEnd | undefined {
  if (!(error instanceof ConnectionError)) return undefined
  if (/\bfull\b|max.?participants/i.test(error.message)) return 'full'
  return error.status === 401 || error.status === 403 ? 'refused' : undefined
}
