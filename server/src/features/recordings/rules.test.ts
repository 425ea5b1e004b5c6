import { describe, expect, it } from 'vitest'
import {
  judgeNews,
  judgeSilence,
  type KnownRecording,
  type RecordingState,
  type SweptRecording,
} from './rules.ts'

const now = new Date('2026-11-21T12:00:00Z')
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000)
const known = (state: RecordingState, more: Partial<KnownRecording> = {}): KnownRecording => ({
  state,
  presumed: false,
  requestedAt: ago(3_600),
  stopRequestedAt: null,
  startedAt: null,
  endedAt: null,
  sizeBytes: null,
  durationSeconds: null,
  fileLocation: null,
  stored: null,
  fileKey: 'recordings/org_1/7c2e9a51.mp4',
  ...more,
})

/** As decided: a test by the constants of the code would let them be changed. */
const START_WITHIN_SECONDS = 120
const STARTING_FOR_SECONDS = 600
const STOPPING_FOR_SECONDS = 3_600
const MISSING_FOR_SECONDS = 60

describe('news of a recording', () => {
  it.each([
    ['starting', 'active', 'active'],
    ['starting', 'stopping', 'stopping'],
    ['active', 'starting', undefined],
    ['stopping', 'active', undefined],
    ['stopping', 'completed', 'completed'],
    ['starting', 'aborted', 'aborted'],
    ['active', 'failed', 'failed'],
    ['completed', 'active', undefined],
    ['completed', 'failed', undefined],
    ['failed', 'completed', undefined],
    ['aborted', 'active', undefined],
  ] as const)('from %s by %s it becomes %s', (state, news, becomes) => {
    expect(judgeNews(known(state), { state: news }, now).state).toBe(becomes)
  })

  it('override an end that we were not told of', () => {
    const given = known('failed', { presumed: true, endedAt: ago(60) })
    expect(judgeNews(given, { state: 'active' }, now)).toMatchObject({
      state: 'active',
      presumed: false,
      endedAt: null,
    })
    expect(judgeNews(given, { state: 'completed', sizeBytes: 5 }, now)).toMatchObject({
      state: 'completed',
      presumed: false,
      endedAt: now,
      sizeBytes: 5,
    })
  })

  it('end nothing later than now, whatever they say: what is kept is kept from its end on', () => {
    const end = (endedAt: Date) => judgeNews(known('active'), { state: 'completed', endedAt }, now).endedAt
    expect(end(ago(5))).toEqual(ago(5))
    expect(end(new Date('9999-12-25T00:00:00Z'))).toEqual(now)
  })

  it.each([
    ['well before it was asked for', {}, ago(3_661)],
    ['well before it began', { startedAt: ago(60) }, ago(121)],
    ['years ago', { startedAt: ago(60) }, new Date('2020-01-01T00:00:00Z')],
  ])('end nothing %s: its film would be removed at once', (_when, more, endedAt) => {
    expect(judgeNews(known('active', more), { state: 'completed', endedAt }, now)).toEqual({
      state: 'completed',
      presumed: false,
      endedAt: now,
      failure: null,
    })
  })

  it('end with their beginning by a clock that is a little behind', () => {
    for (const endedAt of [ago(60), ago(61), ago(120)]) {
      const change = judgeNews(known('active', { startedAt: ago(60) }), { state: 'completed', endedAt }, now)
      expect(change.endedAt).toEqual(ago(60))
    }
  })

  it('begin nothing before it was asked for, nor later than now', () => {
    for (const startedAt of [new Date(5_000), new Date('9999-12-25T00:00:00Z')]) {
      expect(judgeNews(known('starting'), { state: 'active', startedAt }, now).startedAt).toEqual(now)
      const end = { state: 'completed', startedAt, endedAt: ago(5) } as const
      expect(judgeNews(known('starting'), end, now)).toEqual({
        state: 'completed',
        presumed: false,
        endedAt: ago(5),
        failure: null,
      })
    }
  })

  it('do not bring back what was told to stop, but say how it ended', () => {
    const given = known('failed', { presumed: true, endedAt: ago(60), stopRequestedAt: ago(90) })
    expect(judgeNews(given, { state: 'active' }, now).state).toBeUndefined()
    expect(judgeNews(given, { state: 'completed' }, now).state).toBe('completed')
  })

  it('add what was not known of an end, and change nothing that was', () => {
    const given = known('completed', { endedAt: ago(60), sizeBytes: 7 })
    const news = { state: 'completed', sizeBytes: 9, durationSeconds: 3, endedAt: now } as const
    expect(judgeNews(given, news, now)).toEqual({ durationSeconds: 3 })
  })

  it('give a length where none was measured', () => {
    const given = known('active', { startedAt: ago(30) })
    expect(judgeNews(given, { state: 'completed', endedAt: ago(10) }, now).durationSeconds).toBe(20)
    // an end before the beginning tells none, nor does a length of nothing
    expect(judgeNews(given, { state: 'completed', endedAt: ago(40) }, now).durationSeconds).toBeUndefined()
    const told = { state: 'completed', durationSeconds: 0, startedAt: ago(60), endedAt: ago(10) } as const
    expect(judgeNews(given, told, now).durationSeconds).toBe(50)
    expect(judgeNews(given, { state: 'failed', endedAt: ago(10) }, now).durationSeconds).toBeUndefined()
  })
})

describe('silence about a recording', () => {
  const swept = (more: Partial<SweptRecording>): SweptRecording => ({
    state: 'active',
    requestedAt: ago(1_000_000),
    stopRequestedAt: null,
    missingSince: null,
    ...more,
  })

  it.each(['not-in-list', 'no-list'] as const)('ends a start after two minutes: %s', (sight) => {
    const started = (seconds: number) => swept({ state: 'starting', requestedAt: ago(seconds) })
    expect(judgeSilence(started(START_WITHIN_SECONDS - 1), sight, now)).toBe('wait')
    expect(judgeSilence(started(START_WITHIN_SECONDS), sight, now)).toBe('give-up')
  })

  it('means nothing for one that runs while the list cannot be had', () => {
    expect(judgeSilence(swept({}), 'no-list', now)).toBe('wait')
    expect(judgeSilence(swept({ missingSince: ago(1_000) }), 'no-list', now)).toBe('wait')
  })

  it('ends one that the list lacks twice', () => {
    expect(judgeSilence(swept({}), 'not-in-list', now)).toBe('missing')
    expect(judgeSilence(swept({ missingSince: ago(MISSING_FOR_SECONDS - 1) }), 'not-in-list', now)).toBe(
      'missing',
    )
    expect(judgeSilence(swept({ missingSince: ago(MISSING_FOR_SECONDS) }), 'not-in-list', now)).toBe(
      'give-up',
    )
  })

  it('ends one that is there and never starts, or never ends', () => {
    const starting = (seconds: number) => swept({ state: 'starting', requestedAt: ago(seconds) })
    expect(judgeSilence(starting(STARTING_FOR_SECONDS), 'in-list', now)).toBe('wait')
    expect(judgeSilence(starting(STARTING_FOR_SECONDS + 1), 'in-list', now)).toBe('give-up')
    const stopping = (seconds: number) => swept({ state: 'stopping', stopRequestedAt: ago(seconds) })
    expect(judgeSilence(stopping(STOPPING_FOR_SECONDS), 'in-list', now)).toBe('wait')
    expect(judgeSilence(stopping(STOPPING_FOR_SECONDS + 1), 'in-list', now)).toBe('give-up')
    expect(judgeSilence(swept({}), 'in-list', now)).toBe('wait')
  })
})
