import type { PresenceRecord } from '@atrium/contract'
import { describe, expect, it } from 'vitest'
import { createStatusBook } from './status-book.ts'

interface Asked {
  ids: string[]
  answer(records: PresenceRecord[]): Promise<void>
  fail(): Promise<void>
}

function book() {
  const asked: Asked[] = []
  const changes: [string, string | undefined][] = []
  const waiters: (() => void)[] = []
  const statuses = createStatusBook({
    snapshot: (ids) => {
      const { promise, resolve, reject } = Promise.withResolvers<PresenceRecord[]>()
      const settled = () => new Promise<void>((done) => setImmediate(done))
      asked.push({
        ids,
        answer(records) {
          resolve(records)
          return settled()
        },
        fail() {
          reject(new Error('away'))
          return settled()
        },
      })
      for (const waiter of waiters.splice(0)) waiter()
      return promise
    },
    onChange: (userId, status) => changes.push([userId, status]),
    retryAfterMs: () => 0,
  })
  /** The nth snapshot, as soon as it is asked for. */
  const snapshot = async (number: number): Promise<Asked> => {
    while (asked.length <= number) await new Promise<void>((asks) => waiters.push(asks))
    return asked[number] as Asked
  }
  return { statuses, changes, asked, snapshot }
}

const record = (userId: string, status: PresenceRecord['status']) => ({ userId, status })

describe('the status book', () => {
  it('asks for all who are hydrated together at once, in hundreds', async () => {
    const { statuses, asked, snapshot } = book()
    for (let at = 0; at < 250; at++) statuses.hydrate(`user_${at}`)
    await snapshot(2)
    expect(asked.map(({ ids }) => ids.length)).toEqual([100, 100, 50])
  })

  it('applies the delta that came while the snapshot was on its way', async () => {
    const { statuses, changes, snapshot } = book()
    statuses.hydrate('ada')
    statuses.hydrate('grace')
    const first = await snapshot(0)
    statuses.delta(record('ada', 'busy'))
    statuses.delta(record('ada', 'away'))
    expect(changes).toEqual([])
    await first.answer([record('ada', 'online'), record('grace', 'online')])
    expect(changes).toEqual([
      ['ada', 'away'],
      ['grace', 'online'],
    ])
  })

  it('takes deltas as they come afterwards, and tells each change once', async () => {
    const { statuses, changes, snapshot } = book()
    statuses.hydrate('ada')
    await (await snapshot(0)).answer([record('ada', 'online')])
    statuses.delta(record('ada', 'busy'))
    statuses.delta(record('ada', 'busy'))
    expect(changes).toEqual([
      ['ada', 'online'],
      ['ada', 'busy'],
    ])
    expect(statuses.get('ada')).toBe('busy')
  })

  it('lets no older snapshot stand where a newer one is due', async () => {
    const { statuses, changes, snapshot } = book()
    statuses.hydrate('ada')
    const first = await snapshot(0)
    statuses.hydrate('ada')
    await first.answer([record('ada', 'online')])
    expect(changes).toEqual([])
    await (await snapshot(1)).answer([record('ada', 'away')])
    expect(changes).toEqual([['ada', 'away']])
  })

  it('lets no older snapshot stand over what was told', async () => {
    const { statuses, changes, snapshot } = book()
    statuses.hydrate('ada')
    const first = await snapshot(0)
    statuses.told(record('ada', 'appear_offline'))
    await first.answer([record('ada', 'online')])
    expect(changes).toEqual([['ada', 'appear_offline']])
  })

  it('asks again after a failure, and keeps what it knew until then', async () => {
    const { statuses, changes, snapshot } = book()
    statuses.told(record('ada', 'online'))
    statuses.hydrate('ada')
    await (await snapshot(0)).fail()
    statuses.delta(record('ada', 'away'))
    await (await snapshot(1)).fail()
    expect(statuses.get('ada')).toBe('online')
    await (await snapshot(2)).answer([record('ada', 'busy')])
    expect(changes).toEqual([
      ['ada', 'online'],
      ['ada', 'busy'],
    ])
  })

  it('says so where a member is no longer found, and forgets who is let go', async () => {
    const { statuses, changes, snapshot } = book()
    statuses.told(record('ada', 'online'))
    statuses.hydrate('ada')
    statuses.hydrate('grace')
    const first = await snapshot(0)
    statuses.forget('grace')
    await first.answer([record('grace', 'online')])
    expect(changes).toEqual([
      ['ada', 'online'],
      ['ada', undefined],
    ])
    expect([...statuses.all()]).toEqual([])
  })

  it('is silent once closed', async () => {
    const { statuses, changes, asked, snapshot } = book()
    statuses.hydrate('ada')
    const first = await snapshot(0)
    statuses.close()
    await first.answer([record('ada', 'online')])
    statuses.hydrate('ada')
    expect(changes).toEqual([])
    expect(asked).toHaveLength(1)
  })
})
