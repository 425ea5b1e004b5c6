import { type OperationId, operationEntries } from '@atrium/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestOffice } from '../office.ts'
import { type Claims, watchClaims } from './claims.ts'
import { reads, rows } from './rows.ts'
import { openTrialOffice, type Stage, send, setStage, standingStage } from './stage.ts'

const changing = operationEntries.map(([id]) => id).filter((id) => rows[id].audit !== reads)

describe('claims', () => {
  let office: TestOffice
  let claims: Claims
  beforeAll(async () => {
    office = await openTrialOffice()
    claims = watchClaims()
  })
  afterAll(async () => {
    claims.stop()
    await office.close()
  })
  const standing = standingStage(() => setStage(office))
  function callerOf(id: OperationId, stage: Stage) {
    const { caller } = rows[id]
    if (caller === 'visitor') return { id: stage.founder.id, browser: stage.visitor }
    return caller === 'newcomer' ? stage.newcomer : stage.founder
  }
  it.each(changing)('%s', async (id) => {
    const stage = await standing.now()
    stage.visitor = office.browser()
    const caller = callerOf(id, stage)
    const input = (await rows[id].input?.(stage, caller)) ?? {}
    standing.leave()
    claims.begin()
    const answer = await send(caller.browser, id, input)
    const seen = claims.end()
    expect(answer.status).toBeLessThan(300)
    expect(seen).toEqual([])
  })
})
