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

export function openOwnTracks(options: OwnTracksOptions): OwnTracks {
  const announced = new Map<string, TrackInfo>()
  const published = new Map<string, Publication>()

  const refuse = (request: AddTrackRequest, reason: RequestResponse_Reason, message: string) => {
    const value = new RequestResponse({ reason, message, request: { case: 'addTrack', value: request } })
    options.send({ case: 'requestResponse', value })
    options.tell(message)
  }
  const isCamera = ({ source }: TrackInfo) => source === TrackSource.CAMERA
  const close = (publication: Publication) => {
    published.delete(publication.info.sid)
    publication.close()
    options.onUnpublished(publication)
  }
  return {
    announce(request) {
      if (!options.mayPublish())
        return refuse(request, RequestResponse_Reason.NOT_ALLOWED, 'You may not publish in this room')
      if (options.encryptedOnly && request.encryption === Encryption_Type.NONE)
        return refuse(
          request,
          RequestResponse_Reason.NOT_ALLOWED,
          'This room is sealed: come in with a client that encrypts',
        )
      if (request.type !== TrackType.AUDIO && request.type !== TrackType.VIDEO)
        return refuse(request, RequestResponse_Reason.UNSUPPORTED_TYPE, 'There are no such tracks here')
      if (!isBrief(request))
        return refuse(
          new AddTrackRequest({ cid: request.cid.slice(0, CID_SHOWN) }),
          RequestResponse_Reason.LIMIT_EXCEEDED,
          'What is said of this track is too long',
        )
      if (published.size + announced.size >= TRACKS_MAX)
        return refuse(request, RequestResponse_Reason.LIMIT_EXCEEDED, 'You publish too many tracks')
      if (request.source === TrackSource.CAMERA && !options.hasRoomForCamera())
        return refuse(
          request,
          RequestResponse_Reason.LIMIT_EXCEEDED,
          'This room has as many cameras as the embedded media server can carry',
        )
      const info = infoOf(request)
      announced.set(request.cid, info)
      const value = new TrackPublishedResponse({ cid: request.cid, track: info })
      options.send({ case: 'trackPublished', value })
    },
    follow(transceivers) {
      for (const publication of [...published.values()]) {
        const carrier = transceivers.find((one) => publication.isBoundTo(one))
        if (!carrier || !isReceived(carrier)) close(publication)
        else publication.bind(carrier)
      }
      for (const transceiver of transceivers) {
        const { remoteTrackId = '' } = transceiver.receiver
        const info = announced.get(remoteTrackId)
        if (!info || !isReceived(transceiver)) continue
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
    },
    list: () => [...published.values()],
    find: (sid) => published.get(sid),
    cameras: () =>
      [...announced.values(), ...[...published.values()].map(({ info }) => info)].filter(isCamera).length,
    closeAll() {
      announced.clear()
      for (const publication of [...published.values()]) close(publication)
    },
  }
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
