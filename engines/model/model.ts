import assert from 'node:assert/strict'
import type { Engine } from '../engine.ts'
import type { Ends } from '../processes.ts'
import { keptSeeds } from './kept-seeds.ts'
import { openModelOffice } from './office.ts'
import { tour, uncalled } from './once/tour.ts'
import { tellStory } from './stories.ts'
import { newTally } from './tally.ts'

const STORIES_MS = 60_000

/** Random stories of people in an office, each step held against rules that are written from the spec. */
export const model: Engine = {
  name: 'model',
  about: 'a model of the office: stories of kept seeds, every reply, list and event held against its rules',
  install: async () => undefined,
  async try(check) {
    const ends: Ends = []
    const tally = newTally()
    try {
      const office = await openModelOffice(ends)
      await check('every chapter, once', async () => {
        assert.deepEqual(await tour(office, tally), [])
      })
      const until = Date.now() + STORIES_MS
      for (const seed of keptSeeds)
        if (Date.now() < until)
          await check(`the story of seed ${seed}`, async () => {
            const { disagreement } = await tellStory(office, seed, tally)
            assert.equal(disagreement, undefined)
          })
      await check('every operation of the contract was called, or is listed with why not', async () => {
        assert.deepEqual(uncalled(tally), [])
      })
      console.log(`  ${tally.steps} steps, ${tally.calls} operations`)
    } finally {
      for (const end of ends.reverse()) await end()
    }
  },
}
