import assert from 'node:assert/strict'
import type { Locator } from 'playwright-core'
import type { Check } from '../engine.ts'
import { eventually } from '../waiting.ts'
import type { WebPerson } from './people.ts'
import { faceOnPlan, joinUnseen, leaveUnseen, pointAt, roomOnPlan } from './plan.ts'
import { expectAccessible, expectNoSidewaysScroll, type Visitor, type WebOffice } from './visitor.ts'

export interface TwoOnFloor {
  office: WebOffice
  ada: WebPerson
  atAda: Visitor
  atGrace: Visitor
}

/** The plan by keyboard, its two tab stops, doors, and the list in its place. */
export async function tryPlan({ office, ada, atAda, atGrace }: TwoOnFloor, check: Check): Promise<void> {
  const { page } = atAda
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
  await check('floor: arrows go to rooms and parts of the atrium, Tab to the people there', async () => {
    await page.reload()
    await roomOnPlan(page, 'Kitchen').waitFor()
    const stop = page.locator('.plan [data-place][tabindex="0"]')
    assert.equal(await stop.count(), 1)
    assert.equal(await page.locator('.plot').locator(stop).count(), 0)
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
    await pointAt(roomOnPlan(page, 'Kitchen'))
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
  await check('floor: what is typed while Find is still loaded arrives in it, and nowhere else', async () => {
    await page.reload()
    let load = () => {}
    const typed = new Promise<void>((resolve) => {
      load = resolve
    })
    await page.route(/assets\/find-[^e]/, (route) => typed.then(() => route.continue()))
    await faceOnPlan(page, /^Grace Hopper/).focus()
    await page.keyboard.press('Control+k')
    // on the plan these letters would go elsewhere, and one would talk to her
    await page.keyboard.type('kitt')
    await page.keyboard.press('Backspace')
    load()
    const field = page.getByRole('searchbox', { name: 'A person or a room' })
    await field.waitFor()
    await page.waitForFunction(() => document.activeElement?.matches('input[type=search]'))
    await page.keyboard.type('chen')
    assert.equal(await field.inputValue(), 'kitchen')
    const kitchen = page.getByRole('list', { name: 'Found' }).getByRole('button', { name: 'Kitchen' })
    await kitchen.waitFor()
    await expectAccessible(page)
    // arrows lead to what is found, and letters into the field again
    const isFocused = (place: Locator) => place.evaluate((element) => element === document.activeElement)
    await field.press('ArrowDown')
    assert.ok(await isFocused(kitchen))
    await page.keyboard.press('ArrowDown')
    assert.ok(await isFocused(kitchen))
    await page.keyboard.press('ArrowUp')
    assert.ok(await isFocused(field))
    await field.press('ArrowDown')
    await page.keyboard.type('x')
    assert.equal(await field.inputValue(), 'kitchenx')
    await field.press('Escape')
    await field.press('Escape')
    await field.waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).pathname, '/')
    await page.unrouteAll()
  })
  await check('floor: a wave is seen above the plan, and owes no answer', async () => {
    const graces = atGrace.page
    await graces.goto('/')
    await faceOnPlan(graces, /^Ada Lovelace/).click()
    await graces.getByRole('dialog', { name: 'Ada Lovelace' }).getByRole('button', { name: 'Wave' }).click()
    await page.locator('.pill').filter({ hasText: 'Grace Hopper waves' }).waitFor()
    await graces.getByText('You waved at Ada Lovelace').waitFor()
    // what was pressed and could not be done is said
    const busy = { status: 429, headers: { 'retry-after': '5' }, json: { message: 'Later' } }
    await page.route('**/api/v1/wave', (route) => route.fulfill(busy))
    await page.locator('.pill').getByRole('button', { name: 'Wave back' }).click()
    await page.getByText('Too many attempts. Wait 5 seconds.').waitFor()
    await page.unroute('**/api/v1/wave')
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
    await graces.getByText('Only the two of you know of this table.').waitFor()
    // who rings sees it too, until it is answered
    const rings = graces.getByText('Ringing for Ada Lovelace …')
    await rings.waitFor()
    await page.getByText('Grace Hopper would like to talk').waitFor()
    await page.getByRole('button', { name: 'Talk' }).click()
    await page.getByRole('heading', table).waitFor()
    await rings.waitFor({ state: 'detached' })
    // found again by its address alone
    await page.reload()
    await page.getByRole('heading', table).waitFor()
    const roomId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    for (const one of [page, graces]) await one.goto('/')
    // whoever came in by a page has gone with it
    await eventually('nobody is there', async () => {
      const { room } = await ada.client.call('getRoom', { roomId })
      return room.people.length === 0
    })
    await joinUnseen(office, ada, roomId)
    const taken = page.getByRole('region', { name: 'Table for two, 1 person' })
    await taken.waitFor()
    // no list, profile or event tells a page of it that is loaded anew
    await page.reload()
    await taken.waitFor()
    await leaveUnseen(office, ada, roomId)
    await page.getByRole('region', { name: /^Table for two, [1-9]/ }).waitFor({ state: 'detached' })
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
