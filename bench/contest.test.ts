import { describe, expect, it } from 'vitest'
import type { Benchmark } from './benchmark.ts'
import { beyondGoal, measure, outcomeOf } from './contest.ts'

const round = (subject: number, baseline: number) => ({
  subject: { value: subject },
  baseline: { value: baseline },
  quiet: true,
})

describe('measuring', () => {
  it('takes turns, changes who begins, and closes', async () => {
    const calls: string[] = []
    const side = (name: string) => async () => {
      calls.push(name)
      return { value: 1 }
    }
    const benchmark: Benchmark = {
      name: 'example',
      describe: '',
      unit: 'ms',
      goal: { ratioMin: 1 },
      prepare: async () => ({
        subject: side('subject'),
        baseline: side('baseline'),
        close: async () => void calls.push('close'),
      }),
    }
    const outcome = await measure(benchmark, {
      seconds: 1,
      rounds: 2,
      quiet: async () => false,
      onRound: () => {},
    })
    expect(outcome.rounds).toMatchObject([{ quiet: false }, { quiet: false }])
    expect(calls).toEqual(['subject', 'baseline', 'baseline', 'subject', 'close'])
  })

  it('compares each round with itself, not one median with the other', () => {
    // the machine halves its speed in the last round: on both sides
    const { ratio, subject } = outcomeOf([round(80, 100), round(90, 100), round(40, 50)], { ratioMin: 0.8 })
    expect(ratio).toMatchObject({ median: 0.8, min: 0.8, max: 0.9 })
    expect(subject.median).toBe(80)
  })

  it('knows whether the goal is met', () => {
    expect(outcomeOf([round(79, 100)], { ratioMin: 0.8 }).goalMet).toBe(false)
    expect(outcomeOf([round(81, 100)], { ratioMin: 0.8 }).goalMet).toBe(true)
    expect(outcomeOf([round(15, 10)], { ratioMax: 1.5 }).goalMet).toBe(true)
    expect(outcomeOf([round(16, 10)], { ratioMax: 1.5 }).goalMet).toBe(false)
    expect(outcomeOf([round(900, 10)], { subjectMax: 1_000 }).goalMet).toBe(true)
    expect(outcomeOf([round(1_100, 10)], { subjectMax: 1_000 }).goalMet).toBe(false)
  })

  it('knows each detail that a goal names by its median, and wants them to be there', () => {
    const goal = { detailsMax: 1.5, named: ': by quiet' }
    const seen = (chat: number, rooms: number) => ({
      subject: {
        value: 9,
        details: { 'chat: by quiet': chat, 'rooms: by quiet': rooms, 'rooms: p50 ms': 9 },
      },
      baseline: { value: 1 },
      quiet: true,
    })
    expect(outcomeOf([seen(1.2, 9), seen(1.4, 1), seen(9, 1)], goal).goalMet).toBe(true)
    const rounds = [seen(1.6, 1), seen(1.7, 1), seen(1, 9)]
    expect(outcomeOf(rounds, goal).goalMet).toBe(false)
    expect(beyondGoal(rounds, goal)).toEqual([['chat', 1.6]])
    expect(() => outcomeOf([round(1, 1)], goal)).toThrow('nothing named')
  })

  it('knows how long the subject may take at its worst, where that is said', () => {
    const timed = (p99?: number) => ({
      ...round(10, 1),
      subject: { value: 10, ...(p99 === undefined ? {} : { details: { 'p99 ms': p99 } }) },
    })
    expect(outcomeOf([timed(60)], { subjectMax: 15, subjectP99Max: 60 }).goalMet).toBe(true)
    expect(outcomeOf([timed(61)], { subjectMax: 15, subjectP99Max: 60 }).goalMet).toBe(false)
    expect(outcomeOf([timed()], { subjectMax: 15, subjectP99Max: 60 }).goalMet).toBe(false)
    expect(outcomeOf([timed()], { subjectMax: 15 }).goalMet).toBe(true)
  })

  it('knows how much more the subject may take, also at its worst', () => {
    const goal = { overheadMax: 10, overheadP99Max: 50 }
    const timed = (subject: number, p99: number) => ({
      subject: { value: subject, details: { 'p99 ms': p99 } },
      baseline: { value: 1, details: { 'p99 ms': 2 } },
      quiet: true,
    })
    expect(outcomeOf([timed(11, 52)], goal).goalMet).toBe(true)
    expect(outcomeOf([timed(12, 52)], goal).goalMet).toBe(false)
    expect(outcomeOf([timed(11, 53)], goal).goalMet).toBe(false)
    expect(outcomeOf([round(11, 1)], goal).goalMet).toBe(false)
  })
})
