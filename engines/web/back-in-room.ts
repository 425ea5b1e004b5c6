import type { Check } from '../engine.ts'
import { eventually } from '../waiting.ts'
import type { Fragile } from './fragile.ts'
import { enterRoom, expectSound } from './room-media.ts'
import { newVisitor, PERMITTED, type Visitor } from './visitor.ts'

const PATIENCE = { withinMs: 60_000, everyMs: 250 }
const TIMES = 3

/** Two people are in a room as their office is started anew: they hear each other again by themselves. */
export async function tryBackInRoom({ office, scene, restart }: Fragile, check: Check): Promise<void> {
  const { room } = await scene.ada.client.call('createRoom', { name: 'Engine room' })
  const visitors = [await newVisitor(office, PERMITTED), await newVisitor(office, PERMITTED)] as const
  try {
    await check('trouble: people in a room hear each other again once their office is back', async () => {
      for (const [at, person] of [scene.ada, scene.grace].entries()) {
        const { page } = visitors[at] as Visitor
        await person.enter(visitors[at] as Visitor)
        await page.goto(`/room/${room.id}`)
        await enterRoom(page)
      }
      for (const { page } of visitors) await expectSound(page)
      const seconds: number[] = []
      for (let time = 0; time < TIMES; time += 1) {
        await restart()
        const began = performance.now()
        for (const visitor of visitors) await isBack(visitor)
        seconds.push((performance.now() - began) / 1_000)
      }
      console.log(`    after ${seconds.map((one) => one.toFixed(1)).join(', ')} s`)
    })
    await check('trouble: a screen that was shared is shared again, or its person is told', async () => {
      const [{ page }, { page: other }] = visitors
      await page.getByRole('button', { name: 'Share screen' }).click()
      await other.locator('.stage-large').waitFor()
      await restart()
      for (const visitor of visitors) await isBack(visitor)
      await eventually(
        'it is shared, or told of',
        async () =>
          (await other.locator('.stage-large').count()) > 0 ||
          (await page.getByText('it is no longer shared').count()) > 0,
        PATIENCE,
      )
    })
  } finally {
    for (const { context } of visitors) await context.close()
  }
}

async function isBack({ page }: Visitor): Promise<void> {
  const lost = page.getByText(/^Connection lost/)
  await eventually('the connection stands', async () => (await lost.count()) === 0, PATIENCE)
  await expectSound(page)
}
