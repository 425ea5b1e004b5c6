import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { ModelOffice } from '../model/office.ts'
import { eventually } from '../waiting.ts'
import { enterRoom } from '../web/room-media.ts'
import type { Machine } from './device.ts'
import { openCast } from './people.ts'

const SLEPT_MS = 11 * 60_000

/** A lid that was closed on a call for eleven minutes: who opens it is asked, and is live again only by their own press. */
export async function closeLid(office: ModelOffice, machines: readonly Machine[]): Promise<void> {
  const cast = await openCast(office.url, machines, 'whole')
  const [laptop] = cast.devices
  const { page, machine } = laptop
  const ada = async () => {
    const { room } = await cast.bob.client.call('getRoom', { roomId: cast.roomId })
    return room.people.find(({ userId }) => userId === cast.adaId)
  }
  try {
    await page.goto(`/room/${cast.roomId}`)
    await enterRoom(page)
    await eventually('Ada is heard', async () => (await ada())?.microphone === true)
    await page.evaluate((ms) => {
      ;(globalThis as unknown as { sleptMs: number }).sleptMs += ms
    }, SLEPT_MS)
    await machine.sleep()
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    await machine.wake()
    await page.getByRole('heading', { name: 'You were away. Come back?' }).waitFor()
    await eventually('Ada is not inside', async () => (await ada()) === undefined, { withinMs: 90_000 })
    await comeBack(page)
    await eventually('Ada is inside', async () => (await ada()) !== undefined)
    const back = await ada()
    assert.deepEqual([back?.microphone, back?.camera], [false, false], 'nothing is open unasked')
  } finally {
    for (const { context } of cast.devices) await context.close().catch(() => {})
  }
}

/** By presses of one's own; what is left of the former connection may still be seen inside. */
async function comeBack(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Enter again' }).click()
  const buttons = ['Take over here', 'Enter the room'].map((name) => page.getByRole('button', { name }))
  const controls = page.getByRole('toolbar', { name: 'Controls' })
  const comesIn = async () => {
    for (const button of buttons)
      if (await button.isVisible()) await button.click({ timeout: 5_000 }).catch(() => {})
    return await controls.isVisible()
  }
  await eventually('inside again', comesIn, { withinMs: 120_000, everyMs: 500 })
}
