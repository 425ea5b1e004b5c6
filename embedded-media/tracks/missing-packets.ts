import { GenericNack, type RTCRtpReceiver, type RTCRtpSender, RtcpTransportLayerFeedback } from 'werift'
import { numberBefore } from './sequence-numbers.ts'

/** What of one source is missing, and when it is worth asking for again. */
export interface MissingPackets {
  /** @param ahead of the highest that has come so far; 1 where nothing is missing, 0 or less for a late one */
  arrived(sequenceNumber: number, ahead: number): void
  /** To be asked for now: each some times, with a pause for the answer. */
  due(now: number): number[]
}

/** More at once is no loss but a break: a new picture mends it sooner. */
const GAP_MAX = 60
const MISSING_MAX = 120
const ASK_TIMES = 5
/** There and back, on a slow way. */
const ASK_EVERY_MS = 60

export function openMissingPackets(): MissingPackets {
  const missing = new Map<number, { times: number; at: number }>()
  return {
    arrived(sequenceNumber, ahead) {
      missing.delete(sequenceNumber)
      if (ahead > GAP_MAX) missing.clear()
      else
        for (let back = ahead - 1; back > 0; back -= 1) {
          const lost = numberBefore(sequenceNumber, back)
          if (missing.size < MISSING_MAX) missing.set(lost, { times: 0, at: 0 })
        }
    },
    due(now) {
      const wanted: number[] = []
      for (const [sequenceNumber, asked] of missing) {
        if (asked.at > now) continue
        if (asked.times === ASK_TIMES) missing.delete(sequenceNumber)
        else {
          wanted.push(sequenceNumber)
          asked.times += 1
          asked.at = now + ASK_EVERY_MS
        }
      }
      return wanted
    },
  }
}

interface LibraryReceiver {
  rtcpSsrc: number
  nack: { addPacket(): void }
}

/** The library's own way counts the layers of a track as one source: it misses what is lost, and asks for what is not. */
export function askOurselves(receiver: RTCRtpReceiver): void {
  const { nack } = receiver as unknown as LibraryReceiver
  nack.addPacket = () => {}
}

export function askAgain(receiver: RTCRtpReceiver, source: number, lost: number[]): void {
  const { rtcpSsrc: senderSsrc } = receiver as unknown as LibraryReceiver
  const feedback = new GenericNack({ senderSsrc, mediaSourceSsrc: source, lost })
  void receiver.dtlsTransport?.sendRtcp([new RtcpTransportLayerFeedback({ feedback })]).catch(() => undefined)
}

const RESENT_PER_SECOND = 500

/** One packet of feedback can name thousands, and the same one many times: each is sent again once, and not without end. */
export function resendInMeasure(sender: RTCRtpSender): void {
  const obey = sender.handleRtcpPacket.bind(sender)
  let [second, inSecond] = [0, 0]
  sender.handleRtcpPacket = (packet) => {
    if (packet instanceof RtcpTransportLayerFeedback && packet.feedback instanceof GenericNack) {
      const now = Math.floor(performance.now() / 1_000)
      if (now !== second) [second, inSecond] = [now, 0]
      const { feedback } = packet
      feedback.lost = [...new Set(feedback.lost)].slice(0, Math.max(0, RESENT_PER_SECOND - inSecond))
      inSecond += feedback.lost.length
    }
    obey(packet)
  }
}
