import {
  PictureLossIndication,
  type RTCPeerConnection,
  RtcpPayloadSpecificFeedback,
  RtcpSrPacket,
} from 'werift'

interface Router {
  ssrcTable: Record<number, { handleRtcpPacket(packet: unknown): void } | undefined>
  routeRtcp(packet: unknown): void
}

/**
 * Leads what a client says of the media that it receives to the sender of that media. The library looks for the client's
 * own source first: where a client publishes and receives on one connection, its requests for a key frame end there
 * unanswered, and what it lost, which it tells beside its own clock, is not read.
 */
export function routeFeedback(pc: RTCPeerConnection): void {
  const { router } = pc as unknown as { router: Router }
  const routeByLibrary = router.routeRtcp
  router.routeRtcp = (packet) => {
    if (packet instanceof RtcpPayloadSpecificFeedback && packet.feedback instanceof PictureLossIndication) {
      router.ssrcTable[packet.feedback.mediaSsrc]?.handleRtcpPacket(packet)
      return
    }
    routeByLibrary(packet)
    if (packet instanceof RtcpSrPacket)
      for (const source of new Set(packet.reports.map(({ ssrc }) => ssrc)))
        router.ssrcTable[source]?.handleRtcpPacket(packet)
  }
}
