import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import type { Check } from '../engine.ts'
import { eventually } from '../waiting.ts'
import { inviteTokenOf, newPerson, type WebPerson } from './people.ts'
import { joinUnseen, leaveUnseen, roomOnPlan } from './plan.ts'
import {
  asVisitor,
  expectAccessible,
  expectNoSidewaysScroll,
  PHONE,
  type Visitor,
  type WebOffice,
} from './visitor.ts'

/** Of a finger that moves. */
const STEPS = 12
const ROOMS = ['Analytics', 'Library', 'Bridge', 'Stage', 'Studio', 'Workshop', 'War room', 'Support desk']

/** The floor on a phone: the first morning of an office of one, and occupied rooms further down. */
export async function tryPhoneFloor(office: WebOffice, check: Check): Promise<void> {
  const ada = await newPerson(office, 'Ada Lovelace', { found: 'Analytical Engines' })
  await ada.client.call('createRoom', { name: 'Kitchen' })
  await check('floor: on a phone, the first morning has plots and an invitation', () =>
    asVisitor(
      office,
      'floor-phone-first',
      async (visitor) => {
        const { page } = visitor
        await ada.enter(visitor)
        await page.goto('/')
        await page.getByRole('link', { name: 'Invite someone' }).waitFor()
        await page.getByRole('button', { name: /^Build: Stage/ }).waitFor()
        await expectAccessible(page)
        await expectNoSidewaysScroll(page)
        await page.getByRole('button', { name: /^Build: Lounge/ }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
        await roomOnPlan(page, 'Lounge').waitFor()
        await page.getByRole('button', { name: /^Build: Lounge/ }).waitFor({ state: 'detached' })
      },
      { viewport: PHONE, colorScheme: 'dark' },
    ),
  )
  const grace = await newPerson(office, 'Grace Hopper', { inviteToken: await inviteTokenOf(ada) })
  for (const name of ROOMS) await ada.client.call('createRoom', { name, seats: 12 })
  const { rooms } = await ada.client.call('listRooms')
  const last = rooms.find(({ name }) => name === 'Support desk')?.id ?? ''
  await check('floor: on a phone, an occupied room further down is named, and a press leads there', () =>
    asVisitor(
      office,
      'floor-phone-below',
      async (visitor) => {
        const { page } = visitor
        await ada.enter(visitor)
        await page.goto('/')
        await roomOnPlan(page, 'Kitchen').waitFor()
        const chip = page.getByRole('button', { name: 'Further down: Support desk, 1' })
        assert.equal(await chip.count(), 0)
        await joinUnseen(office, grace, last)
        await chip.waitFor()
        await expectAccessible(page)
        await expectNoSidewaysScroll(page)
        await page.screenshot({ path: `${office.pictures}/floor-phone-chip.png` })
        await chip.press('Enter')
        await chip.waitFor({ state: 'detached' })
        const reached = await page.evaluate(() => {
          const { bottom = 0 } = document.activeElement?.getBoundingClientRect() ?? {}
          return [document.activeElement?.textContent, bottom > 0 && bottom < innerHeight]
        })
        assert.deepEqual(reached, ['Support desk', true])
        await page.evaluate(() => scrollTo(0, 0))
        await chip.waitFor()
        await leaveUnseen(office, grace, last)
        await chip.waitFor({ state: 'detached' })
      },
      { viewport: PHONE },
    ),
  )
  await check('floor: on a phone, what is urgent comes and goes beside the count, and moves nothing', () =>
    asVisitor(office, 'floor-phone-urgent', (visitor) => tryPills(visitor, office, { ada, grace }), {
      viewport: PHONE,
    }),
  )
  await check(
    'floor: by touch, two fingers make the plan larger, one moves it, and a press goes where it points',
    () =>
      asVisitor(office, 'floor-phone-pinch', (visitor) => tryFingers(visitor, ada), {
        ...{ viewport: PHONE, isMobile: true, hasTouch: true },
      }),
  )
  await check('floor: a first connection that takes its time is not said to be lost, and nothing moves', () =>
    asVisitor(
      office,
      'connecting',
      async (visitor) => {
        const { page } = visitor
        await ada.enter(visitor)
        // it opens, and nothing ever comes through it
        await page.routeWebSocket(/.*/, () => {})
        await page.goto('/')
        const place = page.getByRole('main')
        const top = async () => (await place.boundingBox())?.y
        await place.waitFor()
        const before = await top()
        await page.getByText('Connecting …').waitFor()
        assert.equal(await page.getByText(/^Connection lost/).count(), 0)
        assert.equal(await top(), before)
        await expectAccessible(page)
        await expectNoSidewaysScroll(page)
      },
      { viewport: PHONE },
    ),
  )
}

/** Two waves: the first beside the count of people, the second a press away. */
async function tryPills(
  visitor: Visitor,
  office: WebOffice,
  { ada, grace }: Record<'ada' | 'grace', WebPerson>,
): Promise<void> {
  const { page } = visitor
  const alan = await newPerson(office, 'Alan Mathison Turing the Elder', {
    inviteToken: await inviteTokenOf(ada),
  })
  await ada.enter(visitor)
  await page.goto('/')
  await roomOnPlan(page, 'Kitchen').waitFor()
  const places = () =>
    page.evaluate(() =>
      ['.plan', '.find', '.now-views'].map((one) => {
        const { x = 0, y = 0 } = document.querySelector(one)?.getBoundingClientRect() ?? {}
        return [one, x, y]
      }),
    )
  const before = await places()
  const { id: userId } = await ada.client.call('getCurrentUser')
  const pills = page.locator('.pill')
  const more = page.getByRole('button', { name: '1 more', exact: false })
  // a wave reaches those who are online, which takes a page a moment
  const wave = async () => {
    for (const { client } of [grace, alan]) await client.call('wave', { userId })
    return await more.isVisible()
  }
  await eventually('both have waved', wave, { everyMs: 2_000 })
  assert.equal(await pills.count(), 1)
  assert.deepEqual(await places(), before)
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await page.screenshot({ path: `${office.pictures}/floor-phone-pills.png` })
  await more.click()
  assert.equal(await pills.count(), 2)
  assert.deepEqual(await places(), before)
  for (const name of ['Grace Hopper', 'Alan Mathison Turing the Elder']) {
    const pill = pills.filter({ hasText: `${name} waves` })
    await pill.getByRole('button', { name: 'Close' }).click()
    await pill.waitFor({ state: 'detached' })
  }
  assert.deepEqual(await places(), before)
}

/** The browser itself does it: the plan neither hinders it, nor is another plan for it. */
async function tryFingers(visitor: Visitor, ada: WebPerson): Promise<void> {
  const { page } = visitor
  await ada.enter(visitor)
  await page.goto('/')
  const kitchen = roomOnPlan(page, 'Kitchen')
  await kitchen.waitFor()
  const move = await fingersOf(visitor)
  const before = await seenOf(page)
  await move((step) => [-1, 1].map((side) => ({ x: 180 + side * (40 + step * 5), y: 300 })))
  // a bar of the browser that comes, and goes
  await page.evaluate(() => dispatchEvent(new Event('resize')))
  const larger = await seenOf(page)
  assert.ok(larger.scale > 1.2, `${larger.scale}`)
  assert.equal(larger.plan, before.plan)
  await move((step) => [{ x: 250 - step * 10, y: 500 - step * 10 }])
  const moved = await seenOf(page)
  assert.ok(moved.left > larger.left + 10 && moved.top > larger.top + 10, JSON.stringify([larger, moved]))
  assert.equal(new URL(page.url()).pathname, '/')
  await eventually('the left edge of the plan again', async () => {
    await move((step) => [{ x: 60 + step * 20, y: 400 }])
    return (await seenOf(page)).left < 1
  })
  const point = await eventually('the kitchen is seen', async () => {
    const { x, y, seen } = await pointOf(kitchen)
    if (y > 40 && y < seen - 40) return { x, y }
    await move((step) => [{ x: 100, y: 150 + step * (y < 40 ? 3 : -3) }])
    return undefined
  })
  await page.touchscreen.tap(point.x, point.y)
  await page.waitForURL(/\/room\//)
}

type Fingers = (at: (step: number) => { x: number; y: number }[]) => Promise<void>

/** @returns what moves fingers over the screen, and waits until what they have moved is at rest */
async function fingersOf({ page, context }: Visitor): Promise<Fingers> {
  const session = await context.newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: points.map((at, id) => ({ ...at, id })) })
  return async (at) => {
    await touch('touchStart', at(0))
    for (let step = 1; step <= STEPS; step += 1) await touch('touchMove', at(step))
    await touch('touchEnd', [])
    let before = ''
    await eventually(
      'the rest',
      async () => {
        const now = JSON.stringify(await seenOf(page))
        const isSame = now === before
        before = now
        return isSame
      },
      { everyMs: 200 },
    )
  }
}

/** What of the page is seen, and how wide its plan is. */
async function seenOf(page: Page) {
  return await page.evaluate(() => {
    const { scale = 1, offsetLeft: left = 0, offsetTop = 0 } = window.visualViewport ?? {}
    const plan = document.querySelector<HTMLElement>('.plan')?.offsetWidth
    return { scale, left, top: offsetTop + scrollY, plan }
  })
}

/** The middle of a place, from the corner of what is seen, in lengths of the page: so a browser is told of fingers. */
async function pointOf(place: Locator) {
  return await place.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    const { offsetLeft = 0, offsetTop = 0, height: seen = 0 } = window.visualViewport ?? {}
    return { x: left + width / 2 - offsetLeft, y: top + height / 2 - offsetTop, seen }
  })
}
