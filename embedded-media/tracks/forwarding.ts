import { MediaStream, type RTCRtpTransceiver, RtcpRrPacket, RtcpSrPacket, type RtpPacket } from 'werift'
import type { MediaPacket, Publication } from './publication.ts'
import { isBefore } from './sequence-numbers.ts'

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
/** Until then something of before the change may still come late. */
const LATE_PACKETS = 1_000

interface LibrarySender {
  canSendRtp(): boolean
  /** Of the packet that was sent last; the next layer goes on from them. */
  sequenceNumber: number | undefined
  timestamp: number | undefined
}

/** What is sent, for the functions below. */
interface Sent {
  readonly publication: Publication
  readonly transceiver: RTCRtpTransceiver
  quality: number
  isOpen: boolean
  disabled: boolean
  /** Something came while it was disabled. */
  missed: boolean
  /** The layer that is sent. */
  current: string | undefined
  /** The number of the packet that it began with, and how many came since. */
  first: number
  sinceFirst: number
  lost: number
}

/** @param transceiver of the subscriber; it may have sent another publication before */
export function forward(publication: Publication, transceiver: RTCRtpTransceiver): Forwarding {
  const { sender } = transceiver
  const sent: Sent = {
    ...{ publication, transceiver, quality: HIGH, isOpen: false, disabled: false, missed: false },
    ...{ current: undefined, first: 0, sinceFirst: 0, lost: 0 },
  }
  sender.setStreams([
    new MediaStream({ id: `${publication.publisherSid}|${publication.info.sid}`, tracks: [] }),
  ])
  const stopListening = publication.listen({
    take: (packet) => take(sent, packet),
    wanted: () => (sent.disabled ? undefined : sent.quality),
  })
  const reports = sender.onRtcp.subscribe((packet) => {
    if (!(packet instanceof RtcpRrPacket || packet instanceof RtcpSrPacket)) return
    const report = packet.reports.find(({ ssrc }) => ssrc === sender.ssrc)
    if (report) sent.lost = report.fractionLost / FRACTIONS
  })
  const { unSubscribe } = sender.onPictureLossIndication.subscribe(() => {
    if (sent.current !== undefined) publication.askForKeyframe(sent.current)
  })
  return {
    publication,
    transceiver,
    open() {
      sent.isOpen = true
      reach(sent)
    },
    choose: (quality, disabled) => choose(sent, quality, disabled),
    loss: () => sent.lost,
    stop() {
      stopListening()
      reports.unSubscribe()
      unSubscribe()
    },
  }
}

function take(sent: Sent, { rtp, layer, startsPicture }: MediaPacket): void {
  const { transceiver, disabled, isOpen, current } = sent
  const { sender, kind } = transceiver
  sent.missed ||= disabled
  if (disabled || !isOpen || !(sender as unknown as LibrarySender).canSendRtp()) return
  if (layer === current) {
    if (!isOfBefore(sent, rtp)) write(sent, rtp)
    reach(sent)
  } else if (kind === 'audio' || (startsPicture && isOfUse(sent, layer))) {
    begin(sent, layer, rtp)
    write(sent, rtp)
  } else reach(sent)
}

function choose(sent: Sent, quality: number, disabled: boolean): void {
  sent.quality = quality
  // clients pause what they have not placed yet: where nothing came meanwhile, nothing has to be begun again
  if (sent.disabled && !disabled && sent.missed) sent.current = undefined
  sent.missed = false
  sent.disabled = disabled
  sent.publication.reconsider()
  if (sent.isOpen && !disabled) reach(sent)
}

function write({ transceiver }: Sent, rtp: RtpPacket): void {
  const sender = transceiver.sender as unknown as LibrarySender
  const { sequenceNumber, timestamp } = sender
  void transceiver.sender.sendRtp(rtp).catch(() => undefined)
  // a late packet is not the last one: the next layer would use numbers that have been sent
  if (sequenceNumber !== undefined && isBefore(sender.sequenceNumber ?? 0, sequenceNumber))
    Object.assign(sender, { sequenceNumber, timestamp })
}

function begin(sent: Sent, layer: string, { header }: RtpPacket): void {
  const { sender, kind } = sent.transceiver
  sent.current = layer
  sent.first = header.sequenceNumber
  sent.sinceFirst = 0
  sender.replaceRTP(header, false, kind === 'video' ? PICTURE_STEP : AUDIO_STEP)
}

/** Sent again on request, from before the picture that was begun with: its number is another's here. */
function isOfBefore(sent: Sent, { header: { sequenceNumber } }: RtpPacket): boolean {
  if (sent.sinceFirst > LATE_PACKETS) return false
  sent.sinceFirst += 1
  return isBefore(sequenceNumber, sent.first)
}

/** A first picture is better than a good one: layers come and go while the publisher finds out what it may send. */
function isOfUse({ publication, current, quality }: Sent, layer: string): boolean {
  return current === undefined || layer === publication.layerFor(quality)
}

/** Asks for the picture that the layer that is wanted can begin with; sound begins anywhere. */
function reach({ publication, transceiver, current, quality }: Sent): void {
  if (transceiver.kind !== 'video') return
  const layer = publication.layerFor(quality)
  if (current === undefined) for (const live of publication.liveLayers()) publication.askForKeyframe(live)
  else if (layer !== undefined && layer !== current) publication.askForKeyframe(layer)
}
