import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { percentiles, rounds, tellFigures } from '../faults/figures.ts'
import { databaseOf, openProcessHarness, postgresOf, signUpAt } from './office-process.ts'
import { emptyLedger, expectAllOf, keepWriting } from './write-ledger.ts'

const harness = openProcessHarness()
afterEach(() => harness.clear())

const ROUNDS = rounds(5)
const WRITERS = 8
const WRITES_BEFORE_KILL = [120, 200] as const

it(`loses nothing that it has acknowledged, killed ${ROUNDS} times at its work`, async (context) => {
  const folder = await harness.folder()
  const settings = { DATA_DIR: folder }
  let office = await harness.serve({ settings })
  const guests = await Promise.all(Array.from({ length: WRITERS }, () => signUpAt(office.url)))
  const ledger = emptyLedger()
  const starts: number[] = []

  for (let round = 1; round <= ROUNDS; round++) {
    const before = ledger.count
    const killed = new AbortController()
    const writing = Promise.all(
      guests.map((guest, index) =>
        keepWriting(office.url, guest, { ledger, lane: `${round}-${index}`, ended: killed.signal }),
      ),
    )
    let failed = false
    writing.catch(() => {
      failed = true
    })
    const enough = randomInt(...WRITES_BEFORE_KILL)
    while (ledger.count - before < enough && !failed) await pause(1)
    // every other time PostgreSQL is struck by the same blow
    const postgres = round % 2 === 0 ? await postgresOf(folder) : undefined
    office.kill('SIGKILL')
    if (postgres) process.kill(postgres.pid, 'SIGKILL')
    killed.abort()
    await office.ended
    await writing

    const began = performance.now()
    office = await harness.serve({ settings })
    starts.push(performance.now() - began)
    await expectAllOf(ledger, office.url, await databaseOf(folder))
  }
  tellFigures(context, {
    kills: ROUNDS,
    acknowledged: ledger.count,
    lost: 0,
    ...percentiles('start', starts),
  })
  expect(ledger.count).toBeGreaterThan(ROUNDS * WRITES_BEFORE_KILL[0])
  expect(await office.stop()).toEqual({ code: 0, signal: null })
})
