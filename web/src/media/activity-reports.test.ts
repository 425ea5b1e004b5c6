import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createActivityReports } from './activity-reports.ts'
import { type CallState, OUTSIDE, type PersonInCall, type SaidActivity } from './call-state.ts'

const told: (SaidActivity & { at: number })[] = []
let isTaken = true
let reports: ReturnType<typeof createActivityReports>

beforeEach(() => {
  vi.useFakeTimers()
  told.length = 0
  isTaken = true
  reports = createActivityReports(async (said) => {
    told.push({ ...said, at: performance.now() })
    if (!isTaken) throw new Error('not inside yet')
  })
})
afterEach(() => {
  reports.stop()
  vi.useRealTimers()
})

const inside = (own: Partial<PersonInCall>, hands: string[] = []): CallState => ({
  ...OUTSIDE,
  phase: 'inside',
  hands,
  people: [{ identity: 'me', isOwn: true, microphone: false, speaking: false, ...own } as PersonInCall],
})

it('says nothing outside, and all at once inside', async () => {
  reports.look(OUTSIDE)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(told).toEqual([])
  reports.look(inside({ microphone: true }, ['me']))
  await vi.advanceTimersByTimeAsync(0)
  expect(told).toMatchObject([{ sound: 'on', speaking: false, hand: true }])
})

it('says at most one thing a second, and the last of it', async () => {
  for (let turn = 0; turn < 40; turn += 1) {
    reports.look(inside({ microphone: true, speaking: turn % 2 === 1 }))
    await vi.advanceTimersByTimeAsync(50)
  }
  const pauses = told.slice(1).map(({ at }, before) => at - (told[before]?.at ?? 0))
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(1_000)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(told.at(-1)).toMatchObject({ speaking: true })
})

it('says it again every five seconds until one has left', async () => {
  reports.look(inside({}))
  await vi.advanceTimersByTimeAsync(16_000)
  expect(told).toHaveLength(4)
  reports.look({ ...OUTSIDE, phase: 'ended' })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(told).toHaveLength(4)
})

it('says what was refused again after a second, then ever less often, and as ever once it is taken', async () => {
  isTaken = false
  reports.look(inside({}))
  await vi.advanceTimersByTimeAsync(3_500)
  expect(told).toHaveLength(3)
  isTaken = true
  await vi.advanceTimersByTimeAsync(3_500)
  expect(told).toHaveLength(4)
  await vi.advanceTimersByTimeAsync(4_900)
  expect(told).toHaveLength(4)
  await vi.advanceTimersByTimeAsync(200)
  expect(told).toHaveLength(5)
})

it('a change is told within a second, however often the office has refused', async () => {
  isTaken = false
  reports.look(inside({}))
  await vi.advanceTimersByTimeAsync(8_000)
  reports.look(inside({ microphone: true }))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(told.at(-1)).toMatchObject({ sound: 'on' })
})

it('a refusal that comes after one has left begins nothing again', async () => {
  isTaken = false
  reports.look(inside({}))
  vi.advanceTimersByTime(0)
  reports.look({ ...OUTSIDE, phase: 'ended' })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(told).toHaveLength(1)
})
