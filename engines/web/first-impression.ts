import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Check } from '../engine.ts'
import { signUpByPages } from './people.ts'
import { roomOnPlan } from './plan.ts'
import { asVisitor, expectAccessible, expectNoSidewaysScroll, type WebOffice } from './visitor.ts'

/** What a newcomer sees first: the office beside the sign-in, the own face, and the plan that grows. */
export async function tryFirstImpression(office: WebOffice, check: Check): Promise<void> {
  await check('sign-in: an office is drawn beside it, for the eye alone; one press speaks German', () =>
    asVisitor(office, 'sign-in-drawn', async ({ page }) => {
      await page.goto('/sign-in')
      await page.locator('.drawn-office .face').first().waitFor()
      assert.equal(await page.locator('.drawn-office .room-lit').count(), 3)
      assert.equal(await page.getByRole('heading', { name: 'Kitchen' }).count(), 0)
      assert.equal(await page.locator('.outside-view').locator('a, button, [tabindex]').count(), 0)
      await page.getByRole('button', { name: 'Deutsch' }).click()
      await page.getByRole('heading', { name: 'Anmelden' }).waitFor()
      await expectAccessible(page)
      await page.getByRole('link', { name: 'Barrierefreiheit' }).click()
      await page.getByRole('heading', { name: 'Barrierefreiheit' }).waitFor()
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
    }),
  )
  await check('first run: from an address to an office with rooms', () =>
    asVisitor(office, 'first-run', async (visitor) => {
      const { page } = visitor
      await signUpByPages(office, visitor, 'founder@firstrun.example')
      await expectAccessible(page)
      await page.getByLabel('Name').fill('Ada Lovelace')
      await page.locator('.own-desk', { hasText: 'Ada’s desk' }).waitFor()
      await page.getByRole('button', { name: 'Drawn portrait 3' }).click()
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByLabel('Name of your organization').fill('Analytical Engines')
      // the chosen portrait was sent as a picture
      assert.notEqual(await ownPicture(page), '')
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Set it up' }).click()
      await page.getByLabel('E-mail addresses').fill('grace@firstrun.example, nonsense')
      await page.getByRole('button', { name: 'Send invitations' }).click()
      await page.getByText('“nonsense” is not an e-mail address.').waitFor()
      await page.getByLabel('E-mail addresses').fill('grace@firstrun.example')
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Send invitations' }).click()
      await page.getByRole('heading', { name: 'Choose your first rooms' }).waitFor()
      await expectAccessible(page)
      const built = page.locator('.growing-plan .room:not(.plot) > h3')
      assert.deepEqual(await built.allTextContents(), ['Kitchen', 'Meeting room', 'Focus', 'Lounge'])
      await page.getByRole('button', { name: 'Lounge', pressed: true }).click()
      await page.getByRole('button', { name: 'Your own room', pressed: false }).click()
      const chosen = ['Kitchen', 'Meeting room', 'Focus', 'Ada Lovelace']
      assert.deepEqual(await built.allTextContents(), chosen)
      await page.getByRole('button', { name: 'Open the office' }).click()
      await page.getByRole('heading', { name: 'Floor' }).waitFor()
      await roomOnPlan(page, 'Kitchen').waitFor()
      // the floor is what was drawn
      assert.deepEqual(await page.locator('.plan .room:not(.plot) > h3 button').allTextContents(), chosen)
      await page.getByRole('button', { name: /Ada Lovelace\s*Available\s*Change your status/ }).waitFor()
    }),
  )
}

/** "" where there is none. */
async function ownPicture(page: Page): Promise<string> {
  const user = await page.evaluate(async () => (await fetch('/user/get', { method: 'POST' })).json())
  return (user as { avatarUrl: string | null }).avatarUrl ?? ''
}
