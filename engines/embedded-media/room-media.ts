import { type LocalTrackPublication, type RemoteParticipant, Track } from 'livekit-client'
import { arrivedSamples } from '../arrived-sound.ts'

/** What has come of one track. */
export interface MediaState {
  frames: number
  samples: number
  muted: boolean
}

/** The same, for people who want to know how well. */
export interface Figures extends MediaState {
  media: string
  freezes: number
  frozenSeconds: number
  firstPictureMs: number | undefined
  packetsLost: number
  /** Asked for again, and for a picture that needs none before it. */
  nacks: number
  plis: number
}

interface Received {
  media: string
  trackSid: string
  muted: boolean
  isSound: boolean
  inbound: RTCInboundRtpStreamStats | undefined
}

export async function mediaOf(others: readonly RemoteParticipant[]): Promise<Record<string, MediaState>> {
  const all = await receivedFrom(others)
  return Object.fromEntries(all.map((one) => [one.media, amountOf(one)]))
}

export async function figuresOf(
  others: readonly RemoteParticipant[],
  firstPictures: ReadonlyMap<string, number>,
): Promise<Figures[]> {
  const all = await receivedFrom(others)
  return all.map((one) => ({
    media: one.media,
    ...amountOf(one),
    freezes: one.inbound?.freezeCount ?? 0,
    frozenSeconds: one.inbound?.totalFreezesDuration ?? 0,
    firstPictureMs: firstPictures.get(one.trackSid),
    packetsLost: one.inbound?.packetsLost ?? 0,
    nacks: one.inbound?.nackCount ?? 0,
    plis: one.inbound?.pliCount ?? 0,
  }))
}

/** By layer; a track without layers has one without a name. */
export async function sentOf(
  publication: LocalTrackPublication | undefined,
): Promise<Record<string, number>> {
  const report = await publication?.track?.getRTCStatsReport()
  const outbound = [...(report?.values() ?? [])].filter(({ type }) => type === 'outbound-rtp')
  return Object.fromEntries(outbound.map(({ rid = '', framesEncoded = 0 }) => [rid, framesEncoded]))
}

async function receivedFrom(others: readonly RemoteParticipant[]): Promise<Received[]> {
  const found: Received[] = []
  for (const { identity, trackPublications } of others)
    for (const { track, source, kind, isMuted, trackSid } of trackPublications.values()) {
      if (!track) continue
      const report = await track.getRTCStatsReport()
      const inbound = [...(report?.values() ?? [])].find(({ type }) => type === 'inbound-rtp')
      const isSound = kind === Track.Kind.Audio
      found.push({ media: `${identity} ${source}`, trackSid, muted: isMuted, isSound, inbound })
    }
  return found
}

function amountOf({ inbound, isSound, muted }: Received): MediaState {
  return {
    frames: inbound?.framesDecoded ?? 0,
    samples: isSound ? arrivedSamples(inbound) : 0,
    muted,
  }
}
