import { MediaStream, type RTCRtpTransceiver, RtcpRrPacket, type RtpPacket } from 'werift'
import type { MediaPacket, Publication } from './publication.ts'

/** One publication on its way to one subscriber. */
export interface Forwarding {
  readonly publication: Publication
  readonly transceiver: RTCRtpTransceiver
  /** The receiver knows of it now: what was sent before would be lost, and the first picture with it. */
  open(): void
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
const SEQUENCE_NUMBERS = 0x10000
/** Until then something of before the change may still come late. */
const LATE_PACKETS = 1_000

interface LibrarySender {
  canSendRtp(): boolean
}

/** @param transceiver of the subscriber; it may have sent another publication before */
export function forward(publication: Publication, transceiver: RTCRtpTransceiver): Forwarding {
  const { sender, kind } = transceiver
  const isConnected = () => (sender as unknown as LibrarySender).canSendRtp()
  let quality = HIGH
  let [isOpen, disabled, missed] = [false, false, false]
  let current: string | undefined
  let [first, sinceFirst] = [0, 0]
  let lost = 0

  sender.setStreams([
    new MediaStream({ id: `${publication.publisherSid}|${publication.info.sid}`, tracks: [] }),
  ])
  const write = (rtp: RtpPacket) => void sender.sendRtp(rtp).catch(() => undefined)
  const begin = (layer: string, { header }: RtpPacket) => {
    current = layer
    first = header.sequenceNumber
    sinceFirst = 0
    sender.replaceRTP(header, false, kind === 'video' ? PICTURE_STEP : AUDIO_STEP)
  }
  /** Sent again on request, from before the picture that was begun with: its number is another's here. */
  const isOfBefore = ({ header: { sequenceNumber } }: RtpPacket) => {
    if (sinceFirst > LATE_PACKETS) return false
    sinceFirst += 1
    return (sequenceNumber - first + SEQUENCE_NUMBERS) % SEQUENCE_NUMBERS >= SEQUENCE_NUMBERS / 2
  }
  const take = ({ rtp, layer, startsPicture }: MediaPacket) => {
    missed ||= disabled
    if (disabled || !isOpen || !isConnected()) return
    if (layer === current) {
      if (!isOfBefore(rtp)) write(rtp)
      if (kind === 'video') reach(publication.layerFor(quality))
    } else if (kind === 'audio' || (startsPicture && isOfUse(layer))) {
      begin(layer, rtp)
      write(rtp)
    } else reach(publication.layerFor(quality))
  }
  /** A first picture is better than a good one: layers come and go while the publisher finds out what it may send. */
  const isOfUse = (layer: string) => current === undefined || layer === publication.layerFor(quality)
  const reach = (layer: string | undefined) => {
    if (current === undefined) for (const live of publication.liveLayers()) publication.askForKeyframe(live)
    else if (layer !== undefined && layer !== current) publication.askForKeyframe(layer)
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
    open() {
      isOpen = true
      if (kind === 'video') reach(publication.layerFor(quality))
    },
    choose(nextQuality, nextDisabled) {
      quality = nextQuality
      // clients pause what they have not placed yet: where nothing came meanwhile, nothing has to be begun again
      if (disabled && !nextDisabled && missed) current = undefined
      missed = false
      disabled = nextDisabled
      publication.reconsider()
      if (isOpen && !disabled && kind === 'video') reach(publication.layerFor(quality))
    },
    loss: () => lost,
    stop() {
      stopListening()
      reports.unSubscribe()
      unSubscribe()
    },
  }
}
