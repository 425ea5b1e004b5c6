import assert from 'node:assert/strict'
import { missingChromium } from '../browser/chromium.ts'
import type { Engine } from '../engine.ts'
import type { Ends } from '../processes.ts'
import { type DaysTally, liveDay } from './days.ts'
import { closeLid } from './lid.ts'
import { openStage } from './stage.ts'

/** Days that are lived on each commit, for two minutes: those that have found something, and some that go far. */
const KEPT_SEEDS = [1, 2, 3, 4, 5, 6, 7, 8]
const DAYS_MS = 120_000

/** What people do and write survives sleep, trains, two devices and a full store. */
export const laptop: Engine = {
  name: 'laptop',
  about: 'random days of a laptop, a desk and a phone in Chromium, behind networks that fail in part',
  install: missingChromium,
  async try(check) {
    const ends: Ends = []
    const tally: DaysTally = { days: 0, steps: 0, messages: 0 }
    try {
      const { office, machines } = await openStage(ends)
      await check('a lid that was closed on a call: who opens it is asked, with nothing open', () =>
        closeLid(office, machines),
      )
      const until = Date.now() + DAYS_MS
      for (const seed of KEPT_SEEDS)
        if (Date.now() < until)
          await check(`the day of seed ${seed}`, async () => {
            assert.equal(await liveDay(office, machines, seed, tally), undefined)
          })
    } finally {
      for (const end of ends.reverse()) await end()
    }
    console.log(`  ${tally.days} days, ${tally.steps} steps, ${tally.messages} messages`)
  },
}
