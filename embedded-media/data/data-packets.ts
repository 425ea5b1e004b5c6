import {
  DataPacket,
  DataPacket_Kind,
  Transcription,
  TranscriptionSegment,
  UserPacket,
} from '@livekit/protocol'
import type { Caption, Person, ServerData } from '../messages.ts'

/** As long as LiveKit takes them. */
const BYTES_MAX = 64 * 1024
/** Topic of what the server itself says to people. */
const NOTICES = 'atrium.notice'

/** A packet on its way to others. */
export interface Addressed {
  packet: DataPacket
  /** Whether it is for a participant. */
  isFor(person: Person): boolean
}

/**
 * What somebody says to the others: under their own name, in every place of the packet where clients look for it.
 * @returns undefined where it is nothing that a client may say
 */
export function packetOf({ identity, sid, kind }: Person, data: Buffer): Addressed | undefined {
  if (data.byteLength > BYTES_MAX) return undefined
  const packet = parse(data)
  // who speaks is said by the server alone
  if (!packet || packet.value.case === 'speaker') return undefined
  // as with LiveKit, agents alone may say what others have said
  if (packet.value.case === 'transcription' && kind !== 'AGENT') return undefined
  packet.participantIdentity = identity
  packet.participantSid = sid
  const identities = new Set(packet.destinationIdentities)
  const sids = new Set<string>()
  if (packet.value.case === 'user') {
    const user = packet.value.value
    if (user.topic === NOTICES) return undefined
    user.participantIdentity = identity
    user.participantSid = sid
    // older clients say here for whom it is
    for (const one of user.destinationIdentities) identities.add(one)
    for (const one of user.destinationSids) sids.add(one)
  }
  const isForAll = identities.size === 0 && sids.size === 0
  return {
    packet,
    isFor: (person) => isForAll || identities.has(person.identity) || sids.has(person.sid),
  }
}

/** What the holder of the API key says: a packet from no participant, as LiveKit makes it. */
export function packetOfServer({ kind, ...said }: ServerData): Addressed & { isForAll: boolean } {
  const [identities, sids] = [[...said.identities], [...said.sids]]
  const user = new UserPacket({
    payload: Buffer.from(said.payload, 'base64'),
    nonce: Buffer.from(said.nonce, 'base64'),
    destinationIdentities: identities,
    destinationSids: sids,
    ...(said.topic ? { topic: said.topic } : {}),
  })
  const packet = new DataPacket({
    kind: kind === 'lossy' ? DataPacket_Kind.LOSSY : DataPacket_Kind.RELIABLE,
    destinationIdentities: identities,
    value: { case: 'user', value: user },
  })
  const isForAll = identities.length === 0 && sids.length === 0
  return {
    packet,
    isForAll,
    isFor: (person) => identities.includes(person.identity) || sids.includes(person.sid),
  }
}

/** What the server itself says to people, as text: a packet without a sender. */
export function notice(words: string): DataPacket {
  const user = new UserPacket({ payload: Buffer.from(words), topic: NOTICES })
  return new DataPacket({ value: { case: 'user', value: user } })
}

/** What one person has said, as clients of LiveKit take it: `RoomEvent.TranscriptionReceived`. */
export function captionPacket({ id, identity, trackSid, text }: Caption): DataPacket {
  const segments = [new TranscriptionSegment({ id, text, final: true })]
  const value = new Transcription({ transcribedParticipantIdentity: identity, trackId: trackSid, segments })
  return new DataPacket({ value: { case: 'transcription', value } })
}

function parse(data: Buffer): DataPacket | undefined {
  try {
    return DataPacket.fromBinary(data)
  } catch {
    return undefined
  }
}
