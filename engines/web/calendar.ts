import type { Check } from '../engine.ts'
import { newPerson } from './people.ts'
import { asVisitor, expectAccessible, expectNoSidewaysScroll, PHONE, type WebOffice } from './visitor.ts'

/** A calendar of the sandbox, from connecting to disconnecting. */
export async function tryCalendar(office: WebOffice, check: Check): Promise<void> {
  const ada = await newPerson(office, 'Ada Lovelace', { found: 'Analytical Engines' })
  await check('calendar: it is connected, shows a week, and is disconnected', () =>
    asVisitor(office, 'calendar', async (visitor) => {
      const { page } = visitor
      await ada.enter(visitor)
      await page.goto('/agenda')
      await page.getByRole('button', { name: 'Connect Google' }).waitFor()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Connect Google' }).click()
      await page.getByLabel('E-mail address').fill('planner@people.example')
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.getByRole('heading', { name: 'Calendar connected' }).waitFor()
      await expectAccessible(page)
      await page.getByRole('link', { name: 'To the calendar' }).click()
      await page.getByRole('button', { name: 'Week' }).click()
      await page.getByText('Stand-up').first().waitFor()
      await page.getByRole('button', { name: 'Next week' }).press('Enter')
      await page.getByText('Stand-up').first().waitFor()
      await expectAccessible(page)
      await page.screenshot({ path: `${office.pictures}/calendar-week.png` })
      await page.getByRole('button', { name: 'Disconnect Google' }).click()
      await page.getByRole('button', { name: 'Connect Google' }).waitFor()
    }),
  )
  await check('calendar: whoever says no is told that nothing was connected', () =>
    asVisitor(
      office,
      'calendar-phone',
      async (visitor) => {
        const { page } = visitor
        await ada.enter(visitor)
        await page.goto('/agenda')
        await expectNoSidewaysScroll(page)
        await page.getByRole('button', { name: 'Connect Microsoft' }).click()
        await page.getByRole('button', { name: 'Deny' }).click()
        await page.getByText('You did not agree, and nothing was connected.').waitFor()
        await expectAccessible(page)
        await expectNoSidewaysScroll(page)
      },
      { viewport: PHONE },
    ),
  )
}
