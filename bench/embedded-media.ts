import { existsSync } from 'node:fs'
import type { Benchmark, Sample } from './benchmark.ts'
import { missingMediaStage, openMediaStage, type Talk, type TalkSide } from './media-stage.ts'
import { openContest } from './opening.ts'

const BESIDE = 'against a real LiveKit with the same clients on the same machine'

/** What the embedded media server takes, and what people notice of it. */
export const embeddedMedia = against(
  'embedded-media',
  `processor time of the embedded media server in a second while four people talk with cameras (two: in the details), ${BESIDE}`,
  { ratioMax: 4 },
  async (side, seconds) => {
    const two = await side.talk(2, seconds)
    const four = await side.talk(4, seconds)
    const details = { ...named('two', two), ...named('four', four) }
    return { value: four.processorMs, details }
  },
)

export const embeddedMediaLoop = against(
  'embedded-media-loop',
  `p99 of the event loop of the office while four people talk with cameras, ${BESIDE}`,
  { ratioMax: 1.1 },
  async (side, seconds) => {
    const four = await side.talk(4, seconds)
    return { value: four.loopP99Ms, details: named('four', four) }
  },
)

export const embeddedMediaPicture = against(
  'embedded-media-picture',
  `from the news of a camera to its first picture, p50 of two people, ${BESIDE}`,
  { subjectMax: 1_000 },
  async (side, seconds) => {
    const two = await side.talk(2, seconds)
    return { value: two.firstPictureMs, details: named('two', two) }
  },
)

function against(
  name: string,
  describe: string,
  goal: Benchmark['goal'],
  take: (side: TalkSide, seconds: number) => Promise<Sample>,
): Benchmark {
  return {
    ...{ name, describe, goal },
    unit: 'ms',
    missing: () => missingMediaStage(existsSync),
    prepare: ({ seconds }) =>
      openContest(async (ends) => {
        const { embedded, livekit } = await openMediaStage(ends)
        // compiled and connected once
        for (const side of [embedded, livekit]) await side.talk(2, 2)
        return { subject: () => take(embedded, seconds), baseline: () => take(livekit, seconds) }
      }),
  }
}

function named(people: string, talk: Talk): Record<string, number> {
  return {
    [`${people}: processor %`]: talk.processorMs / 10,
    [`${people}: memory MB`]: talk.memoryMb,
    [`${people}: pictures/s`]: talk.picturesPerSecond,
    [`${people}: first picture ms`]: talk.firstPictureMs,
    [`${people}: loop p99 ms`]: talk.loopP99Ms,
  }
}
