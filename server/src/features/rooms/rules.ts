import type { UserId } from '../../platform/ids.ts'
import type { ParticipantIdentity } from '../../ports/media.ts'

const NAME_MAX = 255
const METADATA_BYTES_MAX = 16 * 1024
const METADATA_DEPTH_MAX = 32
/** What JSON can say and the database cannot keep: NUL, and halves of characters. */
const UNKEEPABLE_IN_JSON = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/i

/** How long a token to join a room can be used. It says nothing about how long one stays. */
export const JOIN_TOKEN_SECONDS = 10 * 60

/** What is wrong with the name of a room: any characters will do, as far as they can be kept. */
export function faultOfRoomName(name: string): string | undefined {
  if ([...name].length > NAME_MAX) return `Enter a name of 1 to ${NAME_MAX} characters`
  if (name.includes('\0') || !name.isWellFormed()) return 'Enter a name without control characters'
  return undefined
}

/** What is wrong with the metadata of a room. */
export function faultOfMetadata(metadata: Record<string, unknown>): string | undefined {
  if (depthOf(metadata) > METADATA_DEPTH_MAX) return `Nest metadata at most ${METADATA_DEPTH_MAX} deep`
  const text = JSON.stringify(metadata)
  if (Buffer.byteLength(text) > METADATA_BYTES_MAX)
    return `Send at most ${METADATA_BYTES_MAX} bytes of metadata`
  if (UNKEEPABLE_IN_JSON.test(text)) return 'Send metadata that holds only text that can be kept'
  return undefined
}

function depthOf(value: unknown): number {
  let depth = 0
  for (let level: unknown[] = [value]; level.length > 0 && depth <= METADATA_DEPTH_MAX; depth += 1) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return depth
}

/**
 * Whether a connection is one of a user: a second one of the same person carries a suffix behind a `#`, which
 * clients may choose.
 */
export function isConnectionOf(identity: ParticipantIdentity, user: UserId): boolean {
  return identity === user || identity.startsWith(`${user}#`)
}
