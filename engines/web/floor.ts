import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Check } from '../engine.ts'
import { inviteTokenOf, newPerson, type WebPerson } from './people.ts'
import { faceOnPlan, joinUnseen, leaveUnseen, roomOnPlan } from './plan.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  expectQuiet,
  newVisitor,
  PHONE,
  type Visitor,
  type WebOffice,
} from './visitor.ts'

/** Two people on the floor: what each sees of the other. */
export async function tryFloor(office: WebOffice, check: Check): Promise<void> {
  const ada = await newPerson(office, 'Ada Lovelace', { found: 'Analytical Engines' })
  await ada.client.call('createRoom', { name: 'Kitchen' })
  const grace = await newPerson(office, 'Grace Hopper', { inviteToken: await inviteTokenOf(ada) })
  const [atAda, atGrace] = [await newVisitor(office), await newVisitor(office, { viewport: PHONE })]
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
      // where nobody is, and nobody is disturbed
      await atGrace.page.getByRole('button', { name: 'Kitchen Where to meet' }).click()
      await atGrace.page.getByRole('option', { name: 'No room: in writing' }).click()
      await expectAccessible(atGrace.page)
      await atGrace.page.getByRole('button', { name: 'Knock', exact: true }).click()
      await atAda.page.getByText('Grace Hopper is knocking').waitFor()
      await expectAccessible(atAda.page)
      await atAda.page.getByRole('button', { name: 'Accept' }).click()
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
        const face = faceOnPlan(page, /^Grace Hopper/)
        await face.press('Enter')
        const card = page.getByRole('dialog', { name: 'Grace Hopper' })
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
        await graces.getByRole('textbox', { name: 'Write to Ada Lovelace' }).waitFor()
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
      await atAda.page.getByRole('button', { name: 'Later' }).click()
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

interface TwoOnFloor {
  office: WebOffice
  ada: WebPerson
  atAda: Visitor
  atGrace: Visitor
}

/** The plan by keyboard, its two tab stops, doors, and the list in its place. */
async function tryPlan({ office, ada, atAda, atGrace }: TwoOnFloor, check: Check): Promise<void> {
  const { page } = atAda
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
  await check('floor: arrows go to rooms and parts of the atrium, Tab to the people there', async () => {
    await roomOnPlan(page, 'Kitchen').focus()
    await page.keyboard.press('ArrowDown')
    assert.match(await focused(), /^(Just in|In the atrium)/)
    await page.keyboard.press('l')
    // a letter that her name begins with, first or last
    await page.waitForFunction(
      () => document.activeElement?.getAttribute('aria-label') === 'Ada Lovelace, you',
    )
    await page.keyboard.press('End')
    const last = await page.evaluate(() => document.activeElement?.getAttribute('data-face'))
    await page.keyboard.press('Escape')
    assert.match(await focused(), /^In the atrium/)
    await page.keyboard.press('Tab')
    // the last one of those there, where the focus was before
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-face')), last)
    await roomOnPlan(page, 'Kitchen').focus()
  })
  await check('floor: the space bar tells more of a room, and Escape gives the focus back', async () => {
    await page.keyboard.press(' ')
    const card = page.getByRole('dialog', { name: 'Kitchen' })
    await card.getByText('meeting · 0 of 6 seats taken').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await card.waitFor({ state: 'detached' })
    assert.equal(await focused(), 'Kitchen')
    await page.mouse.move(0, 0)
    await roomOnPlan(page, 'Kitchen').hover()
    await card.getByRole('button', { name: 'Go in' }).waitFor()
    await page.mouse.move(640, 20)
    await card.waitFor({ state: 'detached' })
  })
  await check('floor: the list has the same rooms and people, and stays chosen', async () => {
    await page.getByRole('button', { name: 'List', exact: true }).click()
    await page.getByRole('link', { name: 'Enter Kitchen' }).waitFor()
    await page.getByRole('listitem').filter({ hasText: 'Grace Hopper' }).getByText('Available').waitFor()
    await expectAccessible(page)
    await page.reload()
    await page.getByRole('link', { name: 'Enter Kitchen' }).waitFor()
    await page.getByRole('button', { name: 'Plan', exact: true }).click()
    await roomOnPlan(page, 'Kitchen').waitFor()
  })
  await check('floor: a wave is seen above the plan, and owes no answer', async () => {
    const graces = atGrace.page
    await graces.goto('/')
    await faceOnPlan(graces, /^Ada Lovelace/).click()
    await graces.getByRole('dialog', { name: 'Ada Lovelace' }).getByRole('button', { name: 'Wave' }).click()
    await page.locator('.pill').filter({ hasText: 'Grace Hopper waves' }).waitFor()
    await page.getByRole('button', { name: 'Not now' }).click()
    await graces.getByText('You waved at Ada Lovelace').waitFor()
  })
  await check('floor: a locked door is knocked at, whoever is inside lets in, and it is said', async () => {
    const { rooms } = await ada.client.call('listRooms')
    const roomId = rooms[0]?.id ?? ''
    const graces = atGrace.page
    await joinUnseen(office, ada, roomId)
    const lit = { name: 'Kitchen, meeting, 1 person' }
    await graces.getByRole('region', { ...lit, exact: true }).waitFor()
    await ada.client.call('lockRoom', { roomId, locked: true })
    await graces.getByRole('region', { name: `${lit.name}, locked` }).waitFor()
    await roomOnPlan(graces, 'Kitchen').click()
    await expectAccessible(graces)
    await graces.getByRole('dialog', { name: 'Kitchen' }).getByRole('button', { name: 'Knock' }).click()
    // she stands at the door, and nowhere else
    await faceOnPlan(graces, 'Grace Hopper, you, waits at the door').waitFor()
    await faceOnPlan(page, 'Grace Hopper, waits at the door').waitFor()
    assert.equal(await faceOnPlan(page, /^Grace Hopper/).count(), 1)
    await expectAccessible(page)
    await page.screenshot({ path: `${office.pictures}/floor-door.png` })
    const pill = page.locator('.pill').filter({ hasText: 'Grace Hopper is knocking' })
    await pill.getByRole('button', { name: 'Let in' }).click()
    await graces.getByText('You are let into Kitchen').waitFor()
    await faceOnPlan(page, 'Grace Hopper').waitFor()
    await ada.client.call('lockRoom', { roomId, locked: false })
    await leaveUnseen(office, ada, roomId)
    await graces.getByRole('region', { name: 'Kitchen, meeting, Nobody inside' }).waitFor()
  })
  await check('floor: Talk leads to a table for two, and rings there', async () => {
    const graces = atGrace.page
    await faceOnPlan(graces, /^Ada Lovelace/).click()
    await graces.getByRole('dialog', { name: 'Ada Lovelace' }).getByRole('button', { name: 'Talk' }).click()
    const table = { name: 'Ada Lovelace, Grace Hopper', level: 1 }
    await graces.getByRole('heading', table).waitFor()
    await page.getByText('Grace Hopper is knocking').waitFor()
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByRole('heading', table).waitFor()
    // found again by its address alone
    await page.reload()
    await page.getByRole('heading', table).waitFor()
    await joinUnseen(office, ada, new URL(page.url()).pathname.split('/').at(-1) ?? '')
    for (const one of [page, graces]) await one.goto('/')
    await page.getByRole('region', { name: 'Table for two, 1 person' }).waitFor()
    await roomOnPlan(page, 'Kitchen').waitFor()
  })
  await check('floor: what is too large for a plan is a list', async () => {
    await page.setViewportSize({ width: 320, height: 256 })
    await page.getByRole('link', { name: 'Enter Kitchen' }).waitFor()
    await expectNoSidewaysScroll(page)
    await page.setViewportSize({ width: 1280, height: 800 })
    await roomOnPlan(page, 'Kitchen').waitFor()
  })
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
