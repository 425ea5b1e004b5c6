import assert from 'node:assert/strict'
import type { Check } from '../engine.ts'
import { eventually } from '../waiting.ts'
import { record } from './room-media.ts'
import { expectAccessible, type Visitor } from './visitor.ts'

/** A question means what it says until it is answered, and reaches who looks elsewhere. */
export async function tryQuestions(
  { atAda, atGrace }: { atAda: Visitor; atGrace: Visitor },
  check: Check,
): Promise<void> {
  await check(
    'room: a question that is open stays what it is, whatever a colleague does meanwhile',
    async () => {
      await atAda.page.getByRole('button', { name: 'More' }).click()
      await atGrace.page.getByRole('button', { name: 'More' }).click()
      const locked = atAda.page.locator('.top-bar-locked')
      const lock = atAda.page.getByRole('button', { name: 'Lock the room' })
      await lock.waitFor()
      await atGrace.page.getByRole('button', { name: 'Lock the room' }).click()
      await locked.waitFor()
      await lock.click()
      await atAda.page.getByRole('button', { name: 'More' }).click()
      await atAda.page.getByRole('button', { name: 'Unlock the room' }).click()
      await locked.waitFor({ state: 'detached' })
    },
  )
  await check(
    'room: a recording that begins while another screen is shown is asked about there',
    async () => {
      await atGrace.page.getByRole('link', { name: 'To the floor' }).click()
      await atGrace.page.getByRole('region', { name: 'Your call' }).waitFor()
      await record(atAda, 'Start recording')
      const stay = atGrace.page.getByRole('button', { name: 'Agree and stay' })
      await stay.waitFor()
      await expectAccessible(atGrace.page)
      await atGrace.page.getByRole('link', { name: 'Back to the room' }).click()
      await atGrace.page.getByRole('toolbar', { name: 'Controls' }).waitFor()
      await stay.press('Enter')
      await stay.waitFor({ state: 'detached' })
      await eventually('the focus has not gone with the button', () =>
        atGrace.page.evaluate(() => document.activeElement !== document.body),
      )
      await record(atAda, 'Stop recording')
      await atGrace.page.getByText('The recording has ended.').waitFor()
      // the person who stopped it is told where it is, and no one twice
      await atAda.page.getByText('Recording stopped. You will find it').waitFor()
      assert.equal(await atAda.page.getByText('The recording has ended.').count(), 0)
      await atAda.page.locator('.in-room-recording').waitFor({ state: 'detached' })
    },
  )
}
