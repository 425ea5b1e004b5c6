import { describe, expect, it } from 'vitest'
import { makeStreams } from './history.ts'

const LIMITS = { size: 3, ttlMs: 1_000 }

function world(streamsMax?: number) {
  let at = 0
  const streams = makeStreams(() => at, streamsMax)
  return {
    ...streams,
    publish: (channel: string, data: unknown = {}) => streams.append(channel, { data }, LIMITS),
    pass: (milliseconds: number) => {
      at += milliseconds
    },
  }
}

describe('streams of channels', () => {
  it('are made by publications: however many channels are asked about, none is kept', () => {
    const { top, recover, count, publish } = world()
    for (let n = 0; n < 50_000; n += 1) {
      top(`status:org_1:asked_${n}`)
      recover(`status:org_1:recovered_${n}`, { epoch: 'of another life', offset: n })
    }
    expect(count()).toBe(0)
    publish('org:org_1')
    expect(count()).toBe(1)
  })

  it('begin where the channel stood when it had none: what came after is recovered', () => {
    const { top, recover, publish } = world()
    const before = top('org:org_1')
    expect(before.offset).toBe(0)
    expect(recover('org:org_1', before)).toEqual({ recovered: true, publications: [], position: before })
    publish('org:org_1', 'first')
    expect(recover('org:org_1', before)).toEqual({
      recovered: true,
      publications: [{ data: 'first', offset: 1 }],
      position: before,
    })
    expect(top('org:org_1')).toEqual({ epoch: before.epoch, offset: 1 })
  })

  it('are another life for a place of another process, and for one ahead of them', () => {
    const { top, recover, publish } = world()
    publish('org:org_1')
    const position = top('org:org_1')
    for (const channel of ['org:org_1', 'org:org_2']) {
      expect(recover(channel, { epoch: 'another', offset: 0 }).recovered).toBe(false)
      expect(recover(channel, { ...position, offset: 5 })).toMatchObject({
        recovered: false,
        publications: [],
      })
    }
  })

  it('lose their publications in time, never their place, swept or not', () => {
    const { top, recover, publish, sweep, pass } = world()
    publish('org:org_1')
    const { epoch } = top('org:org_1')
    const start = { epoch, offset: 0 }
    pass(999)
    sweep()
    expect(recover('org:org_1', start).publications).toHaveLength(1)
    pass(1)
    expect(recover('org:org_1', start).recovered).toBe(false)
    sweep()
    expect(recover('org:org_1', start).recovered).toBe(false)
    expect(publish('org:org_1').offset).toBe(2)
    expect(recover('org:org_1', { epoch, offset: 1 }).publications).toHaveLength(1)
  })

  it('never give out a place of a forgotten stream as one of its successor', () => {
    const { top, recover, publish, count } = world(10)
    publish('org:first', 'long ago')
    const place = top('org:first')
    const absent = top('org:absent')
    for (let n = 0; n < 10; n += 1) publish(`org:${n}`)
    expect(count()).toBe(10)
    publish('org:first', 'of another life')
    expect(top('org:first').offset).toBe(place.offset)
    expect(recover('org:first', place).recovered).toBe(false)
    expect(recover('org:absent', absent).recovered).toBe(false)
    // a channel with new publications stays, and so do its earlier positions
    expect(recover('org:9', { ...place, offset: 0 }).recovered).toBe(false)
    expect(recover('org:5', { epoch: top('org:5').epoch, offset: 0 }).recovered).toBe(true)
  })

  it('take a version once, whichever was the last', () => {
    const { takeVersion } = world()
    expect([2, 1, 2, 3].map((version) => takeVersion('status:org_1:u', version, ''))).toEqual([
      true,
      false,
      false,
      true,
    ])
    expect(takeVersion('status:org_1:u', 1, 'another')).toBe(true)
  })
})
