import assert from 'node:assert/strict'
import type { Check } from '../engine.ts'
import { inviteTokenOf, newPerson } from './people.ts'
import { joinUnseen, leaveUnseen, roomOnPlan } from './plan.ts'
import { asVisitor, expectAccessible, expectNoSidewaysScroll, PHONE, type WebOffice } from './visitor.ts'

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
