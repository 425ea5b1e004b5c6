import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  PictureLossIndication,
  RtcpPayloadSpecificFeedback,
  RtcpReceiverInfo,
  RtcpSenderInfo,
  RtcpSrPacket,
} from 'werift'
import { PATIENCE } from '../ports/local-client-fixture.ts'
import { connectByOne, type OneConnection } from './one-connection-fixture.ts'

let one: OneConnection

beforeEach(async () => {
  one = await connectByOne()
})
afterEach(() => one.close())

it('hears that a picture is lost from a client that publishes on the same connection', async () => {
  const { client, camera, shown } = one
  let asked = 0
  shown.sender.onPictureLossIndication.subscribe(() => (asked += 1))
  const feedback = new PictureLossIndication({
    senderSsrc: camera.sender.ssrc,
    mediaSsrc: shown.sender.ssrc,
  })
  await vi.waitFor(async () => {
    await client.dtlsTransports[0]?.sendRtcp([new RtcpPayloadSpecificFeedback({ feedback })])
    expect(asked).toBeGreaterThan(0)
  }, PATIENCE)
})

it('hears what is lost on the way to a client that says it beside its own clock', async () => {
  const { client, camera, shown } = one
  const lost: number[] = []
  shown.sender.onRtcp.subscribe((packet) => {
    if (packet instanceof RtcpSrPacket) lost.push(...packet.reports.map(({ fractionLost }) => fractionLost))
  })
  const zeros = { packetsLost: 0, highestSequence: 0, jitter: 0, lsr: 0, dlsr: 0 }
  const report = new RtcpReceiverInfo({ ssrc: shown.sender.ssrc, fractionLost: 64, ...zeros })
  const clock = { ntpTimestamp: 1n, rtpTimestamp: 1, packetCount: 0, octetCount: 0 }
  const senderInfo = new RtcpSenderInfo(clock)
  await vi.waitFor(async () => {
    const told = new RtcpSrPacket({ ssrc: camera.sender.ssrc, senderInfo, reports: [report] })
    await client.dtlsTransports[0]?.sendRtcp([told])
    expect(lost).toContain(64)
  }, PATIENCE)
})
