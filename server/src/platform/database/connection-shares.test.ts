import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Owner } from '../fair-shares.ts'
import { type Claim, connectionShares, sharesOf } from './connection-shares.ts'
import { newWaitingBudget, noteCommitted, withinWaitingBudget } from './waiting-budget.ts'

const ADA: Owner = { person: 'ada', organization: 'engines' }
const BEN: Owner = { person: 'ben', organization: 'engines' }
const CLEO: Owner = { person: 'cleo', organization: 'elsewhere' }

/** Asks for a connection as requests do, each with a budget of its own, and notes whether it was granted. */
function stand(sizes = { person: 2, organization: 3 }, milliseconds = 60_000) {
  const shares = connectionShares(sizes)
  const ask = (owner: Owner | undefined) => {
    const budget = newWaitingBudget(milliseconds, owner)
    return withinWaitingBudget(budget, () => watch(shares.claim()))
  }
  const askAgain = (budget: ReturnType<typeof newWaitingBudget>) =>
    withinWaitingBudget(budget, () => watch(shares.claim()))
  return { ask, askAgain }
}

function watch(claim: Claim | undefined) {
  const state = {
    granted: claim?.granted === undefined,
    refused: undefined as unknown,
    release: () => claim?.release(),
  }
  claim?.granted?.then(
    () => {
      state.granted = true
    },
    (error: unknown) => {
      state.refused = error
    },
  )
  return state
}

describe('shares of connections', () => {
  it('let one person hold so many, while others pass, and grant the next when one is given back', async () => {
    const { ask } = stand()
    const first = ask(ADA)
    const asked = [first, ask(ADA), ask(ADA), ask(ADA)]
    expect(asked.map(({ granted }) => granted)).toEqual([true, true, false, false])
    expect(ask(CLEO).granted).toBe(true)
    first.release()
    await turn()
    expect(asked.map(({ granted }) => granted)).toEqual([true, true, true, false])
  })

  it('let one organization hold so many, and keep nobody in it behind who waits for their own', async () => {
    const { ask } = stand()
    const adas = [ask(ADA), ask(ADA), ask(ADA)]
    const bens = [ask(BEN), ask(BEN)]
    expect(adas.map(({ granted }) => granted)).toEqual([true, true, false])
    expect(bens.map(({ granted }) => granted)).toEqual([true, false])
    bens[0]?.release()
    await turn()
    // ada waited longer, for her own share
    expect(adas[2]?.granted).toBe(false)
    expect(bens[1]?.granted).toBe(true)
  })

  it('never make a request wait that holds one already', async () => {
    const { askAgain, ask } = stand({ person: 1, organization: 1 })
    const budget = newWaitingBudget(60_000, ADA)
    const [one, two] = [askAgain(budget), askAgain(budget)]
    expect([one.granted, two.granted]).toEqual([true, true])
    const other = ask(ADA)
    two.release()
    await turn()
    expect(other.granted).toBe(false)
    one.release()
    await turn()
    expect(other.granted).toBe(true)
  })

  it('never refuse a request that has committed a change, however much of its share and its time is spent', async () => {
    const { askAgain, ask } = stand({ person: 1, organization: 1 })
    const budget = newWaitingBudget(60_000, ADA)
    askAgain(budget).release()
    budget.leftMs = 0
    withinWaitingBudget(budget, noteCommitted)
    const holding = ask(ADA)
    const answer = askAgain(budget)
    expect([holding.granted, answer.granted]).toEqual([true, true])
    expect(budget.leftMs).toBe(60_000)
    // once: a request that changes one thing after another has no end of time
    budget.leftMs = 10
    withinWaitingBudget(budget, noteCommitted)
    expect(budget.leftMs).toBe(10)
    // what it held counts for nobody else
    answer.release()
    expect(ask(BEN).granted).toBe(false)
  })

  it('refuse who waits too long, and who comes behind too many of their own', async () => {
    const { ask } = stand({ person: 1, organization: 1 }, 1)
    const holding = ask(ADA)
    const late = ask(ADA)
    await expect.poll(() => late.refused).toMatchObject({ kind: 'too-many', retryAfterSeconds: 1 })
    holding.release()
    late.release()
    expect(ask(ADA).granted).toBe(true)

    const crowd = stand({ person: 1, organization: 1 })
    for (let n = 0; n <= 100; n += 1) crowd.ask(ADA)
    const behind = crowd.ask(ADA)
    await turn()
    expect(behind.refused).toMatchObject({ kind: 'too-many' })
    expect(crowd.ask(CLEO).granted).toBe(true)
  })

  it('are of nobody where nobody is known', () => {
    const { ask } = stand({ person: 1, organization: 1 })
    expect([ask(undefined), ask(undefined)].map(({ granted }) => granted)).toEqual([true, true])
  })

  it('are parts of a pool of any size', () => {
    expect([2, 4, 10, 200].map(sharesOf)).toEqual([
      { person: 1, organization: 1 },
      { person: 1, organization: 2 },
      { person: 2, organization: 6 },
      { person: 40, organization: 120 },
    ])
  })
})
