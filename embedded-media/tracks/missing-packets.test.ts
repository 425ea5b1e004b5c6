import { describe, expect, it } from 'vitest'
import { GenericNack, RTCRtpSender, RtcpTransportLayerFeedback } from 'werift'
import { openMissingPackets, resendInMeasure } from './missing-packets.ts'

describe('packets that are missing', () => {
  it('are asked for at once, again after a pause, and not for ever', () => {
    const missing = openMissingPackets()
    missing.arrived(10, 1)
    missing.arrived(13, 3)
    expect(missing.due(0)).toEqual([11, 12])
    expect(missing.due(59)).toEqual([])
    for (const now of [60, 120, 180, 240]) expect(missing.due(now)).toEqual([11, 12])
    expect(missing.due(300)).toEqual([])
    expect(missing.due(1_000)).toEqual([])
  })

  it('are not asked for once they have come, also across the end of the numbers', () => {
    const missing = openMissingPackets()
    missing.arrived(2, 4)
    missing.arrived(65_535, 0)
    expect(missing.due(0)).toEqual([0, 1])
  })

  it('are given up where there is a break', () => {
    const missing = openMissingPackets()
    missing.arrived(100, 3)
    missing.arrived(1_100, 1_000)
    expect(missing.due(0)).toEqual([])
  })
})

describe('what a receiver asks for again', () => {
  const ask = (sender: RTCRtpSender, lost: number[]) => {
    let resent: number[] = []
    sender.onGenericNack.once(({ lost: asked }) => {
      resent = asked
    })
    const feedback = new GenericNack({ senderSsrc: 1, mediaSourceSsrc: sender.ssrc, lost })
    sender.handleRtcpPacket(new RtcpTransportLayerFeedback({ feedback }))
    return resent.length
  }

  it('is sent once each, and no more than a few hundred in a second', () => {
    const sender = new RTCRtpSender('video')
    resendInMeasure(sender)
    expect(
      ask(
        sender,
        Array.from({ length: 5_000 }, () => 7),
      ),
    ).toBe(1)
    const many = Array.from({ length: 5_000 }, (_, at) => at)
    expect(ask(sender, many) + ask(sender, many)).toBeLessThan(1_001)
  })
})
