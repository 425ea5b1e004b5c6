import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Lease } from '../database/waiting-budget.ts'
import { outOfTime } from '../database/waiting-budget.ts'
import { fairShares, type Owner, type Patience } from './fair-shares.ts'

const ADA: Owner = { person: 'ada', organization: 'engines' }
const BEN: Owner = { person: 'ben', organization: 'engines' }
const CLEO: Owner = { person: 'cleo', organization: 'looms' }

/** Asks as a request does, and notes in which order they are let in. */
function open(sizes = { person: 2, organization: 3 }) {
  const shares = fairShares(() => sizes)
  const order: string[] = []
  const ask = (owner: Owner, patience: Patience = { milliseconds: 60_000 }) => {
    const attempt = { lease: undefined as Lease | undefined, refused: undefined as unknown }
    const enter = (lease: Lease) => {
      order.push(owner.person)
      attempt.lease = lease
    }
    const atOnce = shares.tryTake(owner)
    if (atOnce) enter(atOnce)
    else shares.wait(owner, patience).then(enter, (error: unknown) => (attempt.refused = error))
    return attempt
  }
  return { ask, order }
}

describe('fair shares', () => {
  it('let the people of an organization take turns, however much one of them asked for', async () => {
    const { ask, order } = open({ person: 2, organization: 2 })
    const adas = Array.from({ length: 6 }, () => ask(ADA))
    const bens = [ask(BEN), ask(BEN)]
    for (const { lease } of adas.slice(0, 2)) lease?.release()
    await turn()
    adas[2]?.lease?.release()
    await turn()
    bens[0]?.lease?.release()
    await turn()
    expect(order).toEqual(['ada', 'ada', 'ada', 'ben', 'ada', 'ben'])
  })

  it('are those of each organization, and others once they are changed', async () => {
    const engines = { person: 1, organization: 1 }
    const shares = fairShares(({ organization }) =>
      organization === 'engines' ? engines : { person: 2, organization: 2 },
    )
    const taken = (owner: Owner) => shares.tryTake(owner) !== undefined
    expect([taken(ADA), taken(ADA), taken(CLEO), taken(CLEO), taken(CLEO)]).toEqual([
      ...[true, false],
      ...[true, true, false],
    ])
    const waiting = shares.wait(BEN, { milliseconds: 60_000 })
    Object.assign(engines, { organization: 3 })
    expect([taken(ADA), taken({ ...BEN, person: 'dora' })]).toEqual([false, true])
    // a waiting owner is let in by the next lease that is given back
    shares.tryTake({ ...ADA, person: 'eve' })?.release()
    expect(await waiting).toBeDefined()
  })

  it('are of their organization, but for one, for a person who alone asks, until another person comes', async () => {
    const { ask, order } = open({ person: 1, organization: 4 })
    const held = () => order.splice(0).length
    const adas = Array.from({ length: 1_000 }, () => ask(ADA, { milliseconds: 0 }))
    const refused = () => adas.filter((attempt) => attempt.refused !== undefined).length
    await expect.poll(refused).toBe(999)
    const more = Array.from({ length: 4 }, () => ask(ADA))
    expect(held()).toBe(1 + 2)
    ask(CLEO)
    expect(held()).toBe(1)
    adas[0]?.lease?.release()
    more[0]?.lease?.release()
    await turn()
    expect(held()).toBe(0)
    more[1]?.lease?.release()
    await turn()
    expect(order).toEqual(['ada'])
  })

  it('are given back once, however often that is said', async () => {
    const { ask } = open({ person: 2, organization: 2 })
    const [first, , third] = [ask(ADA), ask(ADA), ask(ADA)]
    const ben = ask(BEN)
    first.lease?.release()
    first.lease?.release()
    await turn()
    expect([ben.lease, third.lease].filter((lease) => lease !== undefined)).toHaveLength(1)
  })

  it('are not given to a caller who is gone: the next has that place', async () => {
    const { ask, order } = open({ person: 1, organization: 1 })
    const first = ask(ADA)
    let leave = () => {}
    let listening = true
    const untilGone = (end: () => void) => {
      leave = end
      return () => {
        listening = false
      }
    }
    const gone = ask(ADA, { milliseconds: 60_000, untilGone })
    const next = ask(ADA)
    leave()
    first.lease?.release()
    await turn()
    const letIn = [gone, next].map(({ lease }) => lease !== undefined)
    expect({ letIn, listening }).toEqual({ letIn: [false, true], listening: false })
    leave()
    expect(order).toEqual(['ada', 'ada'])
  })

  it('refuse who waits too long, with a word on when to try again', async () => {
    const { ask } = open({ person: 2, organization: 2 })
    const [first] = [ask(ADA), ask(ADA)]
    const late = [ask(ADA, { milliseconds: 20 }), ask(ADA, { milliseconds: 20 })]
    first?.lease?.release()
    await expect.poll(() => late[1]?.refused).toMatchObject({ kind: 'too-many', retryAfterSeconds: 1 })
    expect(late[0]?.lease).toBeDefined()
    expect(ask(CLEO).lease).toBeDefined()
  })

  it('say that the database is silent to one who waits too long behind what it alone has held up', async () => {
    const { ask } = open({ person: 2, organization: 2 })
    const [first] = [ask(ADA), ask(ADA)]
    const late = [ask(ADA, { milliseconds: 20 }), ask(ADA, { milliseconds: 20 })]
    first?.lease?.releaseUnanswered()
    await expect.poll(() => late[1]?.refused).toEqual(outOfTime())
    expect(late[0]?.lease).toBeDefined()
  })

  it('leave nothing behind: after any coming and going, as many are let in as at first', async () => {
    const { ask } = open({ person: 2, organization: 3 })
    for (let round = 0; round < 50; round += 1) {
      const attempts = [ADA, BEN, ADA, BEN, ADA, CLEO].map((owner, n) =>
        ask(owner, { milliseconds: n === 4 ? 0 : 60_000 }),
      )
      for (let released = 0; released < attempts.length; ) {
        const settled = attempts.filter(({ lease, refused }) => lease ?? refused)
        if (round % 3 === 0) settled[released]?.lease?.release()
        settled[released]?.lease?.release()
        if (settled[released]) released += 1
        await turn()
      }
    }
    const last = [ADA, ADA, ADA, BEN, BEN].map((owner) => ask(owner).lease !== undefined)
    expect(last).toEqual([true, true, false, true, false])
  })
})
