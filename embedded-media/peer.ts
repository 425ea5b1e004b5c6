import {
  type PeerConfig,
  ReceiverEstimatedMaxBitrate,
  RTCPeerConnection,
  RTCRtpCodecParameters,
  type RTCRtpReceiver,
  RTP_EXTENSION_URI,
  RtcpPayloadSpecificFeedback,
  type RtpPacket,
  rtpHeaderExtensionsParser,
  useAudioLevelIndication,
  useNACK,
  usePLI,
  useREMB,
  useSdesMid,
  useSdesRTPStreamId,
} from 'werift'
import { hearAll } from './ports/consent.ts'
import { onHandshake } from './ports/handshakes.ts'
import { routeFeedback } from './tracks/feedback.ts'

const OPUS = { mimeType: 'audio/opus', clockRate: 48_000, channels: 2, payloadType: 111 } as const
const VP8 = { mimeType: 'video/VP8', clockRate: 90_000, payloadType: 96 } as const
const OPUS_PARAMETERS = 'minptime=10;useinbandfec=1'

/**
 * A connection without any server of others (the library's default is a public one), with Opus and VP8, and without
 * the feedback of transport-cc: the library negotiates it, but does not report losses, and bandwidth sinks.
 */
export function openPeer(address: string, role: 'publisher' | 'subscriber'): RTCPeerConnection {
  const config: Partial<PeerConfig> = {
    iceServers: [],
    iceUseIpv4: true,
    iceUseIpv6: false,
    iceInterfaceAddresses: { udp4: address },
    iceAdditionalHostAddresses: [address],
    bundlePolicy: 'max-bundle',
    codecs: {
      audio: [new RTCRtpCodecParameters({ ...OPUS, parameters: OPUS_PARAMETERS })],
      video: [new RTCRtpCodecParameters({ ...VP8, rtcpFeedback: [useNACK(), usePLI(), useREMB()] })],
    },
    // publishers say which layer a packet is of; what is forwarded is told by its source alone
    headerExtensions:
      role === 'publisher'
        ? { audio: [useSdesMid(), useAudioLevelIndication()], video: [useSdesMid(), useSdesRTPStreamId()] }
        : { audio: [], video: [] },
  }
  const pc = new RTCPeerConnection(config)
  routeFeedback(pc)
  if (role === 'publisher') routeByMedia(pc)
  onHandshake(pc, () => hearAll(pc))
  return pc
}

/** Of one client in all its time there. */
const SOURCES_MAX = 1_000

interface Router {
  extIdUriMap: Record<number, string>
  ssrcTable: Record<number, unknown>
  routeRtp(packet: RtpPacket): void
}

/**
 * The library finds a simulcast layer by its name alone, and a camera and a screen have layers of the same names: here
 * the section of the description decides first.
 */
function routeByMedia(pc: RTCPeerConnection): void {
  const { router } = pc as unknown as { router: Router }
  const routeByName = router.routeRtp
  const known = new Map<number, { receiver: RTCRtpReceiver; rid: string }>()
  const seen = new Set<number>()
  router.routeRtp = (packet) => {
    const { ssrc } = packet.header
    // the library keeps something of each
    if (!seen.has(ssrc) && seen.size >= SOURCES_MAX) return
    seen.add(ssrc)
    const extensions = rtpHeaderExtensionsParser(packet.header.extensions, router.extIdUriMap)
    const mid = extensions[RTP_EXTENSION_URI.sdesMid]
    const rid = extensions[RTP_EXTENSION_URI.sdesRTPStreamID]
    if (!known.has(ssrc) && typeof mid === 'string' && typeof rid === 'string') {
      const receiver = pc.getTransceivers().find((transceiver) => transceiver.mid === mid)?.receiver
      if (receiver?.trackByRID[rid]) {
        known.set(ssrc, { receiver, rid })
        // reports and retransmissions of it find their way by the source
        router.ssrcTable[ssrc] = receiver
      }
    }
    const layer = known.get(ssrc)
    if (layer) layer.receiver.handleRtpByRid(packet, layer.rid, extensions)
    else routeByName(packet)
  }
}

const REMB_MANTISSA_BITS = 18

/** Tells a publisher how much it may send: without it, browsers begin low and rise for ten seconds. */
export async function allowBitrate(
  pc: RTCPeerConnection,
  { sources, bitsPerSecond }: { sources: readonly number[]; bitsPerSecond: number },
): Promise<void> {
  const transport = pc.dtlsTransports[0]
  if (transport?.state !== 'connected' || sources.length === 0) return
  const brExp = Math.max(0, Math.ceil(Math.log2(bitsPerSecond)) - REMB_MANTISSA_BITS)
  const feedback = new ReceiverEstimatedMaxBitrate({
    senderSsrc: 1,
    mediaSsrc: 0,
    ssrcNum: sources.length,
    brExp,
    brMantissa: Math.floor(bitsPerSecond / 2 ** brExp),
    ssrcFeedbacks: [...sources],
  })
  await transport.sendRtcp([new RtcpPayloadSpecificFeedback({ feedback })])
}
