import type { AddTrackRequest } from '@livekit/protocol'
import type { RTCPeerConnection } from 'werift'

/** An offer of a client that has shared its screen some dozen times. */
const SDP_CHARACTERS_MAX = 128 * 1024
const SECTIONS_MAX = 100
/** In all of its sections: a camera has three layers, and names its sources in a few lines. */
const LINES_MAX: readonly (readonly [RegExp, number])[] = [
  [/^a=rid:/gm, 3 * SECTIONS_MAX],
  [/^a=ssrc:/gm, 12 * SECTIONS_MAX],
  [/^a=candidate:/gm, 2 * SECTIONS_MAX],
]
const TEXT_CHARACTERS_MAX = 256
const LAYERS_MAX = 3
/** What of a message has come waits for the rest of it, beyond what the client was told that there is room for. */
const UNREAD_BYTES_MAX = 1024 * 1024
const LOOK_EVERY_MS = 500

/**
 * @throws Error where a description is none (the library takes it for one without media, and its sender for connected), or
 * would keep the process busy for longer than its room deserves
 */
export function checkDescription(sdp: string): void {
  if (sdp.length > SDP_CHARACTERS_MAX) throw new Error('a description is too long')
  const sections = sdp.match(/^m=/gm)?.length ?? 0
  if (!sdp.startsWith('v=0') || sections === 0) throw new Error('this is no description')
  if (sections > SECTIONS_MAX) throw new Error('a description has too many sections')
  for (const [line, most] of LINES_MAX)
    if ((sdp.match(line)?.length ?? 0) > most) throw new Error('a description has too many lines of a kind')
}

/**
 * Names that only a network of others could resolve are left out.
 * @throws SyntaxError where it is none
 */
export function usableCandidate(init: string): object | undefined {
  const candidate = JSON.parse(init) as { candidate?: string }
  const isUsable = typeof candidate.candidate === 'string' && !candidate.candidate.includes('.local ')
  return isUsable ? candidate : undefined
}

/** Everybody in the room is sent what is said of a track, at each change: all of it is short. */
export function isBrief({ cid, name, stream, layers }: AddTrackRequest): boolean {
  const texts = [cid, name, stream, ...layers.map(({ rid }) => rid)]
  return layers.length <= LAYERS_MAX && texts.every(({ length }) => length <= TEXT_CHARACTERS_MAX)
}

/** The library believes that clients stop where there is no more room. @returns ends it */
export function limitUnread(pc: RTCPeerConnection, onTooMuch: (error: Error) => void): () => void {
  const timer = setInterval(() => {
    const room = pc.sctpTransport?.sctp as unknown as { advertisedRwnd: number } | undefined
    if (room && room.advertisedRwnd < -UNREAD_BYTES_MAX) onTooMuch(new Error('a message has no end'))
  }, LOOK_EVERY_MS)
  return () => clearInterval(timer)
}
