import { MediaStream, type RTCRtpTransceiver, RtcpRrPacket, type RtpPacket } from 'werift'
import type { MediaPacket, Publication } from './publication.ts'

/** One publication on its way to one subscriber. */
export interface Forwarding {
  readonly publication: Publication
  readonly transceiver: RTCRtpTransceiver
  /** @param quality 0 to 2; nothing is sent where `disabled` */
  choose(quality: number, disabled: boolean): void
  /** Of what was sent lately, as the receiver says: 0 to 1. */
  loss(): number
  stop(): void
}

/** Of the clock of video: what lies between two pictures where the layer changes. */
const PICTURE_STEP = 3_000
const AUDIO_STEP = 960
const HIGH = 2
/** What a receiver says is a fraction of this. */
const FRACTIONS = 256

/** @param transceiver of the subscriber; it may have sent another publication before */
export function forward(publication: Publication, transceiver: RTCRtpTransceiver): Forwarding {
  const { sender, kind } = transceiver
  let quality = HIGH
  let disabled = false
  let current: string | undefined
  let lost = 0

  sender.setStreams([
    new MediaStream({ id: `${publication.publisherSid}|${publication.info.sid}`, tracks: [] }),
  ])
  const write = (rtp: RtpPacket) => void sender.sendRtp(rtp).catch(() => undefined)
  const begin = (layer: string, { header }: RtpPacket) => {
    current = layer
    sender.replaceRTP(header, false, kind === 'video' ? PICTURE_STEP : AUDIO_STEP)
  }
  const take = ({ rtp, layer, startsPicture }: MediaPacket) => {
    if (disabled) return
    if (layer === current) {
      write(rtp)
      if (kind === 'video') reach(publication.layerFor(quality))
    } else if (kind === 'audio' || (startsPicture && layer === publication.layerFor(quality))) {
      begin(layer, rtp)
      write(rtp)
    } else reach(publication.layerFor(quality))
  }
  const reach = (layer: string | undefined) => {
    if (layer !== undefined && layer !== current) publication.askForKeyframe(layer)
  }
  const stopListening = publication.listen({ take, wanted: () => (disabled ? undefined : quality) })
  const reports = sender.onRtcp.subscribe((packet) => {
    if (!(packet instanceof RtcpRrPacket)) return
    const report = packet.reports.find(({ ssrc }) => ssrc === sender.ssrc)
    if (report) lost = report.fractionLost / FRACTIONS
  })
  const { unSubscribe } = sender.onPictureLossIndication.subscribe(() => {
    if (current !== undefined) publication.askForKeyframe(current)
  })
  return {
    publication,
    transceiver,
    choose(nextQuality, nextDisabled) {
      // after a pause, pictures of before are of no use
      if (disabled && !nextDisabled) current = undefined
      quality = nextQuality
      disabled = nextDisabled
      publication.reconsider()
    },
    loss: () => lost,
    stop() {
      stopListening()
      reports.unSubscribe()
      unSubscribe()
    },
  }
}
