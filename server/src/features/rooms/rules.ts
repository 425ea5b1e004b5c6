import { requireName } from '../../directory/display-name.ts'
import { parseConnectionUser, type UserId } from '../../platform/ids.ts'
import { invalidInput, Refusal } from '../../platform/refusal.ts'
import type { ParticipantIdentity } from '../../ports/media.ts'

const METADATA_BYTES_MAX = 16 * 1024
const METADATA_DEPTH_MAX = 32
/** What JSON can say and the database cannot keep: NUL, and halves of characters. */
const UNKEEPABLE_IN_JSON = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/i

/** How long a token to join a room can be used. It says nothing about how long one stays. */
export const JOIN_TOKEN_SECONDS = 10 * 60

const NAME_LENGTHS = { min: 1, max: 255 }
/** In every spelling that RFC 9562 and the database know: in braces, as a URN, without hyphens. */
const UUID_SPELLED = /^(?:urn:uuid:)?\{?[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}\}?$/i

/**
 * The name of a room as it is stored: text as a person's name is. Never a UUID: recordings name a room by its id or by
 * its name, and a name must not stand for another room's id.
 * @throws Refusal invalid
 */
export function requireRoomName(text: string): string {
  const name = requireName(text, 'name', NAME_LENGTHS)
  if (UUID_SPELLED.test(name))
    throw invalidInput([{ field: 'name', message: 'Enter a name that is not a UUID' }])
  return name
}

/** @throws Refusal invalid where the metadata of a room cannot be kept */
export function requireMetadata(metadata: Record<string, unknown>): Record<string, unknown> {
  const message = faultOfMetadata(metadata)
  if (message !== undefined) throw invalidInput([{ field: 'metadata', message }])
  return metadata
}

export function noSuchRoom(): Refusal {
  return Refusal.of('room-not-found')
}

/** It is called as its owner is, and is nothing else than a desk. */
export function deskStays(): Refusal {
  return invalidInput([{ field: 'name', message: 'A desk has the name of its owner, and stays a desk' }])
}

/** Lists of rooms are complete: an organization has as many as can be listed at once. */
export function tooManyRooms(most: number): Refusal {
  const message = `This organization has at most ${most.toLocaleString('en')} rooms; delete one first`
  return Refusal.of('too-many-rooms', { message })
}

const SEATS_MAX = 500

/** The seats of a room that says none itself: front ends keep a `capacity` in the metadata. */
export function seatsOfMetadata({ capacity }: Record<string, unknown>): number | null {
  if (typeof capacity !== 'number' || !Number.isInteger(capacity)) return null
  return capacity >= 1 && capacity <= SEATS_MAX ? capacity : null
}

/** What is wrong with the metadata of a room. */
export function faultOfMetadata(metadata: Record<string, unknown>): string | undefined {
  if (depthOf(metadata) > METADATA_DEPTH_MAX) return `Nest metadata at most ${METADATA_DEPTH_MAX} deep`
  let isKeepable = true
  const text = JSON.stringify(metadata, (_key, value) => {
    // 1e400: JSON says it, and nothing here can keep it
    if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) isKeepable = false
    return value
  })
  if (!isKeepable) return 'Send metadata without numbers that cannot be stored'
  if (Buffer.byteLength(text) > METADATA_BYTES_MAX)
    return `Send at most ${METADATA_BYTES_MAX} bytes of metadata`
  if (UNKEEPABLE_IN_JSON.test(text)) return 'Send metadata without characters that cannot be stored'
  return undefined
}

function depthOf(value: unknown): number {
  let depth = 0
  for (let level: unknown[] = [value]; level.length > 0 && depth <= METADATA_DEPTH_MAX; depth += 1) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return depth
}

/** Whether a connection is one of a user, the first or another beside it. */
export function isConnectionOf(identity: ParticipantIdentity, user: UserId): boolean {
  return parseConnectionUser(identity) === user
}
