import { randomBytes } from 'node:crypto'
import {
  AddTrackRequest,
  Encryption_Type,
  RequestResponse,
  RequestResponse_Reason,
  SubscribedCodec,
  SubscribedQuality,
  SubscribedQualityUpdate,
  TrackInfo,
  TrackPublishedResponse,
  TrackSource,
  TrackType,
  VideoQuality,
} from '@livekit/protocol'
import type { RTCRtpTransceiver } from 'werift'
import { isBrief } from '../incoming-limits.ts'
import type { SignalAnswer } from '../signal.ts'
import { openPublication, type Publication } from './publication.ts'

export interface OwnTracksOptions {
  publisherSid: string
  mayPublish(): boolean
  /** Refuses what is not encrypted. */
  encryptedOnly: boolean
  /** Whether one more camera would be too many for the room. */
  hasRoomForCamera(): boolean
  send(message: SignalAnswer): void
  /** Says it where the client shows it: what is refused, it only waits for in vain. */
  tell(words: string): void
  onPublished(publication: Publication): void
  onUnpublished(publication: Publication): void
}

/** What a participant publishes: announced by a signal, there when it is described. */
export interface OwnTracks {
  announce(request: AddTrackRequest): void
  /** Takes up what has been announced and is received now, and lets go of what no longer is. */
  follow(transceivers: readonly RTCRtpTransceiver[]): void
  list(): Publication[]
  find(sid: string): Publication | undefined
  /** Cameras, announced ones included. */
  cameras(): number
  closeAll(): void
}

const TRACKS_MAX = 12
const CID_SHOWN = 256
const QUALITIES = [VideoQuality.LOW, VideoQuality.MEDIUM, VideoQuality.HIGH]
const MIME_TYPES: Partial<Record<TrackType, string>> = {
  [TrackType.AUDIO]: 'audio/opus',
  [TrackType.VIDEO]: 'video/VP8',
}

/** The tracks of one participant, for the functions below. */
interface Tracks {
  readonly options: OwnTracksOptions
  /** By the name that the client gave. */
  readonly announced: Map<string, TrackInfo>
  readonly published: Map<string, Publication>
}

export function openOwnTracks(options: OwnTracksOptions): OwnTracks {
  const tracks: Tracks = { options, announced: new Map(), published: new Map() }
  const { announced, published } = tracks
  return {
    announce: (request) => announce(tracks, request),
    follow(transceivers) {
      for (const publication of [...published.values()]) {
        const carrier = transceivers.find((one) => publication.isBoundTo(one))
        if (!carrier || !isReceived(carrier)) close(tracks, publication)
        else publication.bind(carrier)
      }
      for (const transceiver of transceivers) publish(tracks, transceiver)
    },
    list: () => [...published.values()],
    find: (sid) => published.get(sid),
    cameras: () =>
      [...announced.values(), ...[...published.values()].map(({ info }) => info)].filter(isCamera).length,
    closeAll() {
      announced.clear()
      for (const publication of [...published.values()]) close(tracks, publication)
    },
  }
}

function announce(tracks: Tracks, request: AddTrackRequest): void {
  const { options, announced } = tracks
  const refusal = refusalOf(tracks, request)
  if (refusal) {
    refuse(options, refusal)
    return
  }
  const info = infoOf(request)
  announced.set(request.cid, info)
  const value = new TrackPublishedResponse({ cid: request.cid, track: info })
  options.send({ case: 'trackPublished', value })
}

interface Refusal {
  request: AddTrackRequest
  reason: RequestResponse_Reason
  message: string
}

function refusalOf({ options, announced, published }: Tracks, request: AddTrackRequest): Refusal | undefined {
  const { NOT_ALLOWED, UNSUPPORTED_TYPE, LIMIT_EXCEEDED } = RequestResponse_Reason
  if (!options.mayPublish())
    return { request, reason: NOT_ALLOWED, message: 'You may not publish in this room' }
  if (options.encryptedOnly && request.encryption === Encryption_Type.NONE) {
    const message = 'This room is sealed: come in with a client that encrypts'
    return { request, reason: NOT_ALLOWED, message }
  }
  if (request.type !== TrackType.AUDIO && request.type !== TrackType.VIDEO)
    return { request, reason: UNSUPPORTED_TYPE, message: 'There are no such tracks here' }
  if (!isBrief(request)) {
    const shown = new AddTrackRequest({ cid: request.cid.slice(0, CID_SHOWN) })
    return { request: shown, reason: LIMIT_EXCEEDED, message: 'What is said of this track is too long' }
  }
  if (published.size + announced.size >= TRACKS_MAX)
    return { request, reason: LIMIT_EXCEEDED, message: 'You publish too many tracks' }
  if (request.source === TrackSource.CAMERA && !options.hasRoomForCamera()) {
    const message = 'This room has as many cameras as the embedded media server can carry'
    return { request, reason: LIMIT_EXCEEDED, message }
  }
  return undefined
}

function refuse({ send, tell }: OwnTracksOptions, { request, reason, message }: Refusal): void {
  const value = new RequestResponse({ reason, message, request: { case: 'addTrack', value: request } })
  send({ case: 'requestResponse', value })
  tell(message)
}

/** Publishes what was announced, where the transceiver receives it. */
function publish({ options, announced, published }: Tracks, transceiver: RTCRtpTransceiver): void {
  const { remoteTrackId = '' } = transceiver.receiver
  const info = announced.get(remoteTrackId)
  if (!info || !isReceived(transceiver)) return
  announced.delete(remoteTrackId)
  info.mid = transceiver.mid ?? ''
  const publication = openPublication(info, {
    publisherSid: options.publisherSid,
    onWanted: (quality) =>
      options.send({ case: 'subscribedQualityUpdate', value: wantedQualities(info.sid, quality) }),
  })
  publication.bind(transceiver)
  published.set(info.sid, publication)
  options.onPublished(publication)
}

function close({ options, published }: Tracks, publication: Publication): void {
  published.delete(publication.info.sid)
  publication.close()
  options.onUnpublished(publication)
}

function isCamera({ source }: TrackInfo): boolean {
  return source === TrackSource.CAMERA
}

/** The layers that are of use to anybody: a client that follows (`dynacast`) rests the others. */
function wantedQualities(trackSid: string, best = -1): SubscribedQualityUpdate {
  const subscribedQualities = QUALITIES.map(
    (quality) => new SubscribedQuality({ quality, enabled: quality <= best }),
  )
  const codec = new SubscribedCodec({ codec: 'vp8', qualities: subscribedQualities })
  return new SubscribedQualityUpdate({ trackSid, subscribedQualities, subscribedCodecs: [codec] })
}

function isReceived({ currentDirection, offerDirection }: RTCRtpTransceiver): boolean {
  return ['recvonly', 'sendrecv'].includes(currentDirection ?? offerDirection)
}

function infoOf(request: AddTrackRequest): TrackInfo {
  const { name, type, source, muted, width, height, layers, stereo, disableDtx, stream, encryption } = request
  const sid = `TR_${randomBytes(9).toString('base64url').replace(/[-_]/g, 'x')}`
  return new TrackInfo({
    sid,
    name,
    type,
    source,
    muted,
    width,
    height,
    layers,
    stereo,
    disableDtx,
    stream,
    // by it the others know that pictures and sound are sealed: without it they take them for damaged
    encryption,
    simulcast: layers.length > 1,
    disableRed: true,
    mimeType: MIME_TYPES[type] ?? '',
  })
}
