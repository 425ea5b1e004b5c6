import { expect, it } from 'vitest'
import type { FileNote, Note } from './notes.ts'
import { makeTimeline } from './timeline.ts'

const sound: FileNote = {
  note: 'file',
  at: 1_000,
  file: '1.sound',
  kind: 'sound',
  person: 'ada',
  source: 1,
  rtp: 0,
}
const picture: FileNote = {
  ...sound,
  at: 1_400,
  file: '2.picture',
  kind: 'picture',
  source: 2,
  rtp: 4_294_967_000,
}
/** What Ada's clock shows when the recording begins. */
const ADAS_CLOCK = 5_000_000
const clock = (file: FileNote, sent: number, { at, rtp }: { at: number; rtp: number }): Note => ({
  ...{ note: 'clock', person: file.person, source: file.source, sent: ADAS_CLOCK + sent, rtp },
  at,
})

it('sound and pictures of one person stay together, however late pictures come', () => {
  // both were sent at 900 ms; pictures took 480 ms more than sound, which took 20 ms
  const timeline = makeTimeline([
    sound,
    picture,
    clock(sound, 900, { at: 920, rtp: 0 }),
    clock(picture, 900, { at: 1_400, rtp: 4_294_967_000 }),
  ])
  expect(timeline.at(sound, 0)).toBeCloseTo(920)
  expect(timeline.at(picture, 4_294_967_000)).toBeCloseTo(920)
  // a second later, by clocks of 48 and 90 kHz, of which the one begins again
  expect(timeline.at(sound, 48_000)).toBeCloseTo(1_920)
  expect(timeline.at(picture, 90_000 - 296)).toBeCloseTo(1_920)
})

it('what no report tells of is where it arrived', () => {
  const timeline = makeTimeline([sound])
  expect(timeline.at(sound, 0)).toBe(1_000)
  expect(timeline.at(sound, 4_800)).toBe(1_100)
})

it('a clock of its sender that runs on is followed: no voice drifts away', () => {
  const HOUR = 3_600_000
  const late = { at: HOUR + 20, rtp: (HOUR * 48) % 2 ** 32 }
  // by then it has lost 300 ms
  const timeline = makeTimeline([sound, clock(sound, 0, { at: 20, rtp: 0 }), clock(sound, HOUR - 300, late)])
  expect(timeline.at(sound, late.rtp)).toBeCloseTo(HOUR + 20)
})
