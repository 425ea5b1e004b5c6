import { TrackInfo } from '@livekit/protocol'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { RtpHeader, RtpPacket } from 'werift'
import { PATIENCE } from '../ports/local-client-fixture.ts'
import { type Forwarding, forward } from './forwarding.ts'
import { connectByOne, type OneConnection } from './one-connection-fixture.ts'
import type { Listener, Publication } from './publication.ts'

const VIDEO = 1
/** VP8: the first packet of a picture, and whether it needs none before it. */
const [KEY, DELTA] = [Buffer.from([0x10, 0x00]), Buffer.from([0x10, 0x01])]

let one: OneConnection
let forwarding: Forwarding
let listener: Listener

beforeEach(async () => {
  one = await connectByOne()
  const publication = {
    info: new TrackInfo({ sid: 'TR_1', type: VIDEO }),
    publisherSid: 'PA_1',
    listen(taken: Listener) {
      listener = taken
      return () => {}
    },
    layerFor: () => 'q',
    liveLayers: () => ['q'],
    askForKeyframe() {},
  } as unknown as Publication
  forwarding = forward(publication, one.shown)
  forwarding.open()
})
afterEach(async () => {
  forwarding.stop()
  await one.close()
})

const come = (layer: string, sequenceNumber: number, { isKey = false } = {}) =>
  listener.take({
    rtp: new RtpPacket(
      new RtpHeader({ sequenceNumber, timestamp: sequenceNumber * 3_000 }),
      isKey ? KEY : DELTA,
    ),
    layer,
    startsPicture: isKey,
  })

it('gives a number to one packet only where a layer begins behind a late packet of another', async () => {
  const numbers: number[] = []
  one.client.dtlsTransports[0]?.onRtp.subscribe(({ header }) => numbers.push(header.sequenceNumber))
  come('f', 10, { isKey: true })
  come('f', 11)
  // 12 is lost, and comes when it was asked for
  come('f', 13)
  come('f', 14)
  come('f', 12)
  come('q', 500, { isKey: true })
  come('q', 501)
  await vi.waitFor(() => expect(numbers).toHaveLength(7), PATIENCE)
  const first = numbers[0] as number
  expect(numbers.map((number) => number - first)).toEqual([0, 1, 3, 4, 2, 5, 6])
})
