import { SessionDescription, TrackSource, TrackType } from '@livekit/protocol'
import {
  MediaStreamTrack,
  type PeerConfig,
  RTCPeerConnection,
  RTCRtpCodecParameters,
  RtpHeader,
  RtpPacket,
  useAudioLevelIndication,
  useSdesMid,
} from 'werift'
import { type SignalClient, until } from './live-media-fixture.ts'

/** A microphone of a client of signals; its packets say how loud it is. */
export interface LiveVoice {
  trackSid: string
  /** As loud as a person beside the microphone, or silent, until it is said otherwise. */
  speak(aloud: boolean): void
  mute(muted: boolean): void
  close(): Promise<void>
}

const PACKET_EVERY_MS = 20
const SAMPLES_PER_PACKET = 960
/** Below the loudest there is, in dB. */
const [VOICE, SILENCE] = [20, 127]
const OPUS = { mimeType: 'audio/opus', clockRate: 48_000, channels: 2, payloadType: 111 }

const TRACK_ID = /a=msid:\S+ (\S+)/
/** The number that the description gives to how loud a packet is. */
const LEVEL_ID = /a=extmap:(\d+) urn:ietf:params:rtp-hdrext:ssrc-audio-level/

/** A connection of a client on this machine, which speaks Opus. */
export function openConnection(more: Partial<PeerConfig> = {}): RTCPeerConnection {
  return new RTCPeerConnection({
    iceServers: [],
    iceUseIpv6: false,
    iceAdditionalHostAddresses: ['127.0.0.1'],
    bundlePolicy: 'max-bundle',
    codecs: { audio: [new RTCRtpCodecParameters(OPUS)] },
    ...more,
  })
}

/** Publishes a microphone, and begins to send silence. */
export async function publishVoice(client: SignalClient): Promise<LiveVoice> {
  const pc = openConnection({
    headerExtensions: { audio: [useSdesMid(), useAudioLevelIndication()] },
  })
  const track = new MediaStreamTrack({ kind: 'audio' })
  pc.addTransceiver(track, { direction: 'sendonly' })
  await pc.setLocalDescription(await pc.createOffer())
  const sdp = pc.localDescription?.sdp ?? ''
  const what = {
    cid: TRACK_ID.exec(sdp)?.[1] ?? '',
    name: '',
    type: TrackType.AUDIO,
    source: TrackSource.MICROPHONE,
  }
  client.send({ case: 'addTrack', value: what as never })
  await until(async () => client.first('trackPublished') !== undefined)
  client.send({ case: 'offer', value: new SessionDescription({ type: 'offer', sdp }) })
  await until(async () => client.first('answer') !== undefined)
  await pc.setRemoteDescription({ type: 'answer', sdp: client.first('answer')?.value.sdp ?? '' })
  await until(async () => pc.connectionState === 'connected')
  const levelId = Number(LEVEL_ID.exec(sdp)?.[1])
  let [level, count] = [SILENCE, 0]
  const send = () => {
    const extensions = [{ id: levelId, payload: Buffer.from([0x80 | level]) }]
    const header = new RtpHeader({
      ...{ extension: true, extensions, sequenceNumber: count, timestamp: count * SAMPLES_PER_PACKET },
    })
    count = (count + 1) % 0x10000
    track.writeRtp(new RtpPacket(header, Buffer.alloc(40, 1)))
  }
  const sending = setInterval(send, PACKET_EVERY_MS)
  const trackSid = client.first('trackPublished')?.value.track?.sid ?? ''
  return {
    trackSid,
    speak(aloud) {
      level = aloud ? VOICE : SILENCE
    },
    mute: (muted) => client.send({ case: 'mute', value: { sid: trackSid, muted } as never }),
    async close() {
      clearInterval(sending)
      await pc.close()
    },
  }
}
