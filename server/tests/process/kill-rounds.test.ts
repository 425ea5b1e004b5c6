import { afterEach, expect, it } from 'vitest'
import { rounds, tellFigures } from '../faults/figures.ts'
import { killOverAndOver } from './kill-rounds.ts'
import { openProcessHarness } from './office-process.ts'

const harness = openProcessHarness()
afterEach(() => harness.clear())

/** A handful here; `npx node server/tests/process/kill-loop.ts` does it 200 times, and waits for those who left meanwhile. */
const ROUNDS = rounds(5)

it(`keeps statuses, outbox and clients together, killed ${ROUNDS} times under writes`, async (context) => {
  const figures = await killOverAndOver(harness, { rounds: ROUNDS })
  tellFigures(context, { ...figures })
  expect(figures.rounds).toBe(ROUNDS)
  // some rounds strike while it starts, too
  expect(figures.kills).toBeGreaterThanOrEqual(ROUNDS)
  // something was at stake
  for (const name of ['acknowledged', 'events', 'heard'] as const) expect(figures[name]).toBeGreaterThan(0)
})
