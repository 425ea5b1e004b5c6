import {
  ConnectionQuality,
  type LocalTrack,
  RemoteTrackPublication,
  type Room,
  Track,
  type TrackPublication,
} from 'livekit-client'
import type { Sample, WaySample } from './standstill.ts'

/** What others show of a screen may stand still for an hour. */
const WATCHED: readonly Track.Source[] = [Track.Source.Microphone, Track.Source.Camera]
/** One that flows is enough to know. */
const TRACKS_MAX = 6

/** What flows at the moment, to and from the media server. Never rejects. */
export async function sampleMedia(room: Room): Promise<Sample> {
  const own = [...room.localParticipant.trackPublications.values()].filter(isSent)
  const others = [...room.remoteParticipants.values()].filter(
    ({ connectionQuality }) => connectionQuality !== ConnectionQuality.Lost,
  )
  const received = others.flatMap(({ trackPublications }) =>
    [...trackPublications.values()].filter(isReceived),
  )
  const [sending, receiving] = await Promise.all([wayOf(own, 'outbound-rtp'), wayOf(received, 'inbound-rtp')])
  return { sending, receiving }
}

function isSent({ source, isMuted, track }: TrackPublication): boolean {
  return WATCHED.includes(source) && !isMuted && track?.mediaStreamTrack.readyState === 'live'
}

/** What is out of sight is not sent. */
function isReceived(publication: TrackPublication): boolean {
  const { source, isMuted, track } = publication
  return (
    WATCHED.includes(source) &&
    !isMuted &&
    track?.streamState === Track.StreamState.Active &&
    (!(publication instanceof RemoteTrackPublication) || publication.isEnabled)
  )
}

type Direction = 'outbound-rtp' | 'inbound-rtp'

interface Stat {
  type: string
  active?: boolean
  framesSent?: number
  framesReceived?: number
  packetsSent?: number
  packetsReceived?: number
}

async function wayOf(publications: readonly TrackPublication[], direction: Direction): Promise<WaySample> {
  const tracks = new Map<string, number>()
  let packets: number | undefined
  for (const { track, trackSid } of publications.slice(0, TRACKS_MAX)) {
    const report = await (track as LocalTrack | undefined)?.getRTCStatsReport().catch(() => undefined)
    const stats = [...((report ?? new Map()) as Map<string, Stat>).values()]
    const flowing = stats.filter(({ type, active }) => type === direction && active !== false)
    if (flowing.length > 0)
      tracks.set(
        trackSid,
        flowing.reduce((sum, stat) => sum + amountOf(stat), 0),
      )
    for (const { type, packetsReceived } of stats) if (type === 'transport') packets = packetsReceived
  }
  return { tracks, packets }
}

function amountOf({ framesSent, framesReceived, packetsSent, packetsReceived }: Stat): number {
  return framesSent ?? framesReceived ?? packetsSent ?? packetsReceived ?? 0
}
