import assert from 'node:assert/strict'
import type { Check } from '../engine.ts'
import type { FreshOffice } from '../fresh-office.ts'
import { newPerson } from './people.ts'
import { asVisitor, expectAccessible, type WebOffice } from './visitor.ts'

/** The link that an operator makes for an administrator who is locked out. */
export async function tryRecovery(office: WebOffice, check: Check): Promise<void> {
  const ada = await newPerson(office, 'Ada Locked', { found: 'Locked Out' })
  const { currentOrganizationId } = await ada.client.call('getCurrentUser')
  const link = await recoveryLink(office.atrium, currentOrganizationId, ada.email)
  await check('recovery: a link of the operator signs an administrator in, by a press of its button', () =>
    asVisitor(office, 'recovery', async ({ page }) => {
      await page.goto(link)
      await page.getByRole('heading', { name: 'Sign in with this link' }).waitFor()
      assert.equal(await page.evaluate(() => location.href), `${office.url}/recovery`)
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { name: 'Signed in' }).waitFor()
      await page.getByText(`You are ${ada.email}.`).waitFor()
      await expectAccessible(page)
      await page.getByRole('link', { name: 'To the office' }).click()
      await page.getByRole('heading', { name: 'Floor' }).waitFor()
    }),
  )
  await check('recovery: a link that was used says so, and one without a token too', () =>
    asVisitor(office, 'recovery-used', async ({ page }) => {
      await page.goto(link)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { name: 'Not signed in' }).waitFor()
      await page.getByText('This link has already been used or has expired.').waitFor()
      await expectAccessible(page)
      await page.goto('/recovery')
      await page.reload()
      await page.getByRole('heading', { name: 'Nothing to use' }).waitFor()
      assert.equal(await page.getByRole('button', { name: 'Sign in' }).count(), 0)
      // the whole link, put into the same tab
      await page.goto(link)
      await page.getByRole('button', { name: 'Sign in' }).waitFor()
      assert.equal(new URL(page.url()).hash, '')
    }),
  )
}

async function recoveryLink(
  atrium: FreshOffice['atrium'],
  organizationId: string,
  email: string,
): Promise<string> {
  const printed = await atrium('organization', 'recovery-link', organizationId, email)
  const [link] = /^http\S+\/recovery#\S+$/m.exec(printed) ?? []
  assert.ok(link, printed)
  return link
}
