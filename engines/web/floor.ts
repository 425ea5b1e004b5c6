import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Check } from '../engine.ts'
import { eventually } from '../waiting.ts'
import { inviteTokenOf, newPerson } from './people.ts'
import { faceOnPlan, roomOnPlan } from './plan.ts'
import { tryPlan } from './two-on-plan.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  expectQuiet,
  newVisitor,
  PHONE,
  type WebOffice,
} from './visitor.ts'

/** Where Grace is. */
const TOKYO = 'Asia/Tokyo'

/** Two people on the floor: what each sees of the other. */
export async function tryFloor(office: WebOffice, check: Check): Promise<void> {
  const ada = await newPerson(office, 'Ada Lovelace', { found: 'Analytical Engines' })
  await ada.client.call('createRoom', { name: 'Kitchen' })
  const grace = await newPerson(office, 'Grace Hopper', { inviteToken: await inviteTokenOf(ada) })
  const [atAda, atGrace] = [
    await newVisitor(office),
    await newVisitor(office, { viewport: PHONE, timezoneId: TOKYO }),
  ]
  try {
    await ada.enter(atAda)
    await grace.enter(atGrace)
    await check('floor: each sees the other come, and change', async () => {
      await atAda.page.goto('/')
      await roomOnPlan(atAda.page, 'Kitchen').waitFor()
      await atGrace.page.goto('/')
      await faceOnPlan(atAda.page, 'Grace Hopper').waitFor()
      await atAda.page.getByRole('region', { name: 'Just in, 1' }).waitFor()
      await atGrace.page.getByRole('button', { name: /Change your status/ }).click()
      await atGrace.page.getByRole('button', { name: 'Do not disturb' }).click()
      await atGrace.page.getByLabel('Note').fill('Deep in a compiler')
      await atGrace.page.getByRole('button', { name: 'Save' }).click()
      await faceOnPlan(atAda.page, 'Grace Hopper, do not disturb').waitFor()
      await atAda.page.getByRole('region', { name: 'Do not disturb, 1' }).waitFor()
      await expectAccessible(atAda.page)
      await expectAccessible(atGrace.page)
      await expectNoSidewaysScroll(atGrace.page)
    })
    await check('floor: a knock is heard, answered, and leads into the room', async () => {
      await atAda.page.getByRole('button', { name: /Change your status/ }).waitFor()
      await knockAt(atGrace.page, 'Ada Lovelace')
      await atGrace.page.getByLabel('Message').fill('Two minutes?')
      // an empty room disturbs no colleague: it is offered first
      await atGrace.page.getByRole('button', { name: 'Kitchen Where to meet' }).click()
      await atGrace.page.getByRole('option', { name: 'No room: in writing' }).click()
      await expectAccessible(atGrace.page)
      await atGrace.page.getByRole('button', { name: 'Knock', exact: true }).click()
      await atAda.page.getByText('Grace Hopper is knocking').waitFor()
      await expectAccessible(atAda.page)
      await atAda.page.getByRole('button', { name: 'Talk' }).click()
      await atGrace.page.getByText('Ada Lovelace has a moment for you').waitFor()
    })
    await check('floor: where no room was named, both are led to a conversation', async () => {
      await expectAccessible(atAda.page)
      const told = atAda.page.locator('.toast').filter({ hasText: 'Grace Hopper knows you have a moment' })
      await told.getByRole('button', { name: 'Write a message' }).click()
      await atAda.page.getByRole('heading', { name: 'Grace Hopper' }).waitFor()
      await atGrace.page.getByRole('button', { name: 'Write a message' }).click()
      await atGrace.page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor()
      for (const { page } of [atAda, atGrace]) await page.goto('/')
    })
    await check(
      'floor: a name opens the card of a colleague, by keyboard, and gives the focus back',
      async () => {
        const { page } = atAda
        await grace.client.call('updateProfile', { timeZone: TOKYO })
        const face = faceOnPlan(page, /^Grace Hopper/)
        await face.press('Enter')
        const card = page.getByRole('dialog', { name: 'Grace Hopper' })
        const inTokyo = { hour: 'numeric', minute: '2-digit', timeZone: TOKYO } as const
        await eventually('her local time', async () => {
          const clock = new Intl.DateTimeFormat('en-GB', inTokyo).format(new Date())
          return (await card.getByText(`${clock} local time`).count()) === 1
        })
        await card.getByText('Do not disturb · Deep in a compiler').waitFor()
        // whoever does not want to be disturbed is written to first
        assert.equal(await card.getByRole('button', { name: 'Knock' }).count(), 0)
        assert.equal(await card.getByRole('button').first().textContent(), 'Write')
        await expectAccessible(page)
        await page.screenshot({ path: `${office.pictures}/colleague-card.png` })
        await page.keyboard.press('Escape')
        await card.waitFor({ state: 'detached' })
        assert.equal(await face.evaluate((element) => element === document.activeElement), true)
        const graces = atGrace.page
        await knockAt(graces, 'Ada Lovelace')
        await expectNoSidewaysScroll(graces)
        await graces.keyboard.press('Escape')
        const adasFace = () => document.activeElement?.getAttribute('aria-label')?.startsWith('Ada Lovelace')
        await graces.waitForFunction(adasFace)
        await faceOnPlan(graces, /^Ada Lovelace/).press('Enter')
        const adas = graces.getByRole('dialog', { name: 'Ada Lovelace' })
        await adas.getByRole('button', { name: 'Write' }).press('Enter')
        const field = graces.getByRole('textbox', { name: 'Write to Ada Lovelace' })
        await field.and(graces.locator(':focus')).waitFor()
        await graces.getByRole('link', { name: 'Floor', exact: true }).click()
      },
    )
    await check('floor: the end of a status stays chosen, and goes with it', async () => {
      const { page } = atGrace
      const menu = page.getByRole('button', { name: /Change your status/ })
      await menu.click()
      await page.getByRole('button', { name: /Ends/ }).click()
      await page.getByRole('option', { name: 'In 1 hour' }).click()
      await page.getByRole('button', { name: 'Save' }).click()
      await expectCard(atAda.page, /Do not disturb · Deep in a compiler · until/)
      await menu.click()
      assert.doesNotMatch(
        (await page.getByRole('button', { name: /Ends/ }).textContent()) ?? '',
        /When I change it/,
      )
      await page.getByLabel('Note').fill('Deep in a linker')
      await page.getByRole('button', { name: 'Save' }).click()
      await expectCard(atAda.page, /Do not disturb · Deep in a linker · until/)
      await menu.click()
      await page.getByRole('link', { name: 'Settings' }).click()
      await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
      await page.getByRole('link', { name: 'Floor', exact: true }).click()
    })
    await check('floor: whoever looks elsewhere is called by a notification', async () => {
      await watchNotifications(atAda.page)
      await atGrace.page.getByRole('button', { name: /Change your status/ }).click()
      await atGrace.page.getByRole('button', { name: 'Available' }).click()
      await atGrace.page.getByRole('button', { name: 'Save' }).click()
      const knock = async () => {
        await knockAt(atGrace.page, 'Ada Lovelace')
        await atGrace.page.getByRole('button', { name: 'Knock', exact: true }).click()
        await atAda.page.getByText('Grace Hopper is knocking').waitFor()
      }
      await knock()
      await atAda.page.waitForFunction(
        () => (globalThis as unknown as Notified).notified?.[0] === 'Grace Hopper is knocking',
      )
      await atAda.page.getByRole('button', { name: 'In 5 min' }).click()
      await grace.client.call('talk', { userId: (await ada.client.call('getCurrentUser')).id })
      const card = atAda.page.locator('.toast').filter({ hasText: 'Grace Hopper would like to talk' })
      await card.waitFor()
      await atAda.page.waitForFunction(
        () => (globalThis as unknown as Notified).notified?.[1] === 'Grace Hopper would like to talk',
      )
      assert.deepEqual(await card.locator('.toast-actions').getByRole('button').allTextContents(), [
        'Talk',
        'In 5 min',
        'Not now',
      ])
      await expectAccessible(atAda.page)
      await card.getByRole('button', { name: 'Not now' }).click()
      await card.waitFor({ state: 'detached' })
    })
    await tryPlan({ office, ada, atAda, atGrace }, check)
    await check('floor: a room that is added appears to everybody', async () => {
      await atAda.page.getByRole('button', { name: 'Add a room' }).click()
      await atAda.page.getByLabel('Name').fill('Workshop')
      await atAda.page.getByRole('button', { name: 'Add', exact: true }).click()
      await roomOnPlan(atGrace.page, 'Workshop').waitFor()
      expectQuiet(atAda)
      expectQuiet(atGrace)
    })
  } finally {
    await atAda.page.screenshot({ path: `${office.pictures}/floor.png` }).catch(() => {})
    await atGrace.page.screenshot({ path: `${office.pictures}/floor-phone.png` }).catch(() => {})
    await atAda.context.close()
    await atGrace.context.close()
  }
}

/** From the card of somebody, on the plan. */
async function knockAt(page: Page, name: string): Promise<void> {
  await faceOnPlan(page, new RegExp(`^${name}`)).click()
  const card = page.getByRole('dialog', { name })
  await card.getByRole('button', { name: 'More' }).click()
  await card.getByRole('button', { name: 'Knock', exact: true }).click()
  await page.getByRole('dialog', { name: `Knock at ${name}’s door` }).waitFor()
}

async function expectCard(page: Page, text: RegExp): Promise<void> {
  await faceOnPlan(page, /^Grace Hopper/).click()
  await page.getByRole('dialog', { name: 'Grace Hopper' }).getByText(text).waitFor()
  await page.keyboard.press('Escape')
}

interface Notified {
  notified?: string[]
}

/** A page that is not looked at, whose notifications are kept in place of being shown. */
async function watchNotifications(page: Page): Promise<void> {
  await page.evaluate(() => {
    const kept: string[] = []
    class Kept {
      static permission = 'granted'
      constructor(title: string) {
        kept.push(title)
      }
      close(): void {}
    }
    Object.assign(globalThis, { notified: kept, Notification: Kept })
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
    localStorage.setItem('atrium-preferences', JSON.stringify({ notifications: true }))
    dispatchEvent(new StorageEvent('storage', { key: 'atrium-preferences' }))
  })
}
