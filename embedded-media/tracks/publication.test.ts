import { ConnectionQuality, TrackInfo, TrackSource } from '@livekit/protocol'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type RTCRtpTransceiver, RtpHeader, RtpPacket } from 'werift'
import { connectionQuality } from './connection-quality.ts'
import { openPublication } from './publication.ts'

const VIDEO = 1

let told: (number | undefined)[]
const publish = () =>
  openPublication(new TrackInfo({ sid: 'TR_1', type: VIDEO }), {
    publisherSid: 'PA_1',
    onWanted: (quality) => told.push(quality),
  })

beforeEach(() => {
  told = []
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

describe('layers that a subscriber wants', () => {
  it('rest some time after the last subscriber wants them, and are back at once', () => {
    const publication = publish()
    let wanted: number | undefined = 2
    publication.listen({ take() {}, wanted: () => wanted })
    wanted = 0
    publication.reconsider()
    vi.advanceTimersByTime(4_999)
    expect(told).toEqual([])
    vi.advanceTimersByTime(1)
    expect(told).toEqual([0])
    wanted = 1
    publication.reconsider()
    expect(told).toEqual([0, 1])
  })

  it('are those of the one who wants most', () => {
    const publication = publish()
    publication.listen({ take() {}, wanted: () => 0 })
    const leave = publication.listen({ take() {}, wanted: () => 1 })
    vi.advanceTimersByTime(5_000)
    expect(told).toEqual([1])
    leave()
    vi.advanceTimersByTime(5_000)
    expect(told).toEqual([1, 0])
  })

  it('all rest without a subscriber, and nothing is told of a track that is gone', () => {
    publish()
    const gone = publish()
    gone.close()
    vi.advanceTimersByTime(60_000)
    expect(told).toEqual([undefined])
  })

  it('do not rest for a subscriber who looks away and back', () => {
    const publication = publish()
    let wanted: number | undefined = 2
    publication.listen({ take() {}, wanted: () => wanted })
    wanted = undefined
    publication.reconsider()
    vi.advanceTimersByTime(3_000)
    wanted = 2
    publication.reconsider()
    vi.advanceTimersByTime(60_000)
    expect(told).toEqual([])
  })
})

/** Publishes what comes from a client. @returns what a packet of it is handed to */
function receiveFor(publication: ReturnType<typeof publish>) {
  let listener: (packet: RtpPacket) => void = () => {}
  const onReceiveRtp = {
    subscribe(next: typeof listener) {
      listener = next
      return { unSubscribe() {} }
    },
  }
  publication.bind({
    receiver: { tracks: [{ onReceiveRtp }], nack: {}, onRtcp: { subscribe: () => ({}) } },
  } as unknown as RTCRtpTransceiver)
  return (sequenceNumber: number, payload = Buffer.alloc(4)) =>
    listener(new RtpPacket(new RtpHeader({ sequenceNumber, ssrc: 7 }), payload))
}

describe('a picture', () => {
  /** VP8: the first packet of a picture that needs none before it, and one of any. */
  const [KEY, OTHER] = [Buffer.from([0x10, 0x00]), Buffer.from([0x00, 0x01])]

  it('begins with its first packet, but not where that comes after the others: those have passed', () => {
    const publication = publish()
    const begins: number[] = []
    publication.listen({
      take: ({ rtp, startsPicture }) => startsPicture && begins.push(rtp.header.sequenceNumber),
      wanted: () => 2,
    })
    const receive = receiveFor(publication)
    receive(1, KEY)
    receive(2, OTHER)
    receive(4, OTHER)
    receive(3, KEY)
    receive(5, KEY)
    expect(begins).toEqual([1, 5])
  })
})

describe('how well a participant is connected', () => {
  const receive = (sequenceNumbers: number[]) => {
    const publication = publish()
    const come = receiveFor(publication)
    for (const sequenceNumber of sequenceNumbers) come(sequenceNumber)
    return publication
  }
  const of = (sequenceNumbers: number[], receivingLoss = 0, isReached = true) =>
    connectionQuality({ sid: 'PA_1', isReached, receivingLoss, published: [receive(sequenceNumbers)] })
      .quality
  const hundred = Array.from({ length: 100 }, (_, at) => (65_500 + at) % 65_536)

  it('is excellent where all arrives, also across the end of the numbers and out of order', () => {
    expect(of(hundred)).toBe(ConnectionQuality.EXCELLENT)
    expect(of([hundred[1], hundred[0], ...hundred.slice(2)] as number[])).toBe(ConnectionQuality.EXCELLENT)
    expect(of([])).toBe(ConnectionQuality.EXCELLENT)
  })

  it('falls with what is lost on either way', () => {
    expect(of(hundred.filter((_, at) => at % 20 !== 10))).toBe(ConnectionQuality.GOOD)
    expect(of(hundred.filter((_, at) => at % 4 !== 2))).toBe(ConnectionQuality.POOR)
    expect(of(hundred, 0.05)).toBe(ConnectionQuality.GOOD)
    expect(of(hundred, 0.5)).toBe(ConnectionQuality.POOR)
  })

  it('is lost where signals have broken off', () => {
    expect(of(hundred, 0, false)).toBe(ConnectionQuality.LOST)
  })

  it('is lost where nothing comes any more of what is on, for a while, and not where it may rest', () => {
    const quality = (publication: ReturnType<typeof receive>) =>
      connectionQuality({ sid: 'PA_1', isReached: true, receivingLoss: 0, published: [publication] }).quality
    const frozen = receive(hundred)
    frozen.listen({ take() {}, wanted: () => 2 })
    const threeTimes = [0, 1, 2].map(() => quality(frozen))
    expect(threeTimes).toEqual([
      ConnectionQuality.EXCELLENT,
      ConnectionQuality.EXCELLENT,
      ConnectionQuality.LOST,
    ])
    const muted = receive(hundred)
    muted.info.muted = true
    const screen = receive(hundred)
    screen.info.source = TrackSource.SCREEN_SHARE
    for (const resting of [muted, screen, receive([])])
      expect([0, 1, 2].map(() => quality(resting))).not.toContain(ConnectionQuality.LOST)
  })

  it('is of the time since it was last asked', () => {
    const publication = receive([1, 50])
    expect(publication.takeArrivals()).toMatchObject({ expected: 50, received: 2 })
    expect(publication.takeArrivals()).toMatchObject({ expected: 0, received: 0 })
  })
})
