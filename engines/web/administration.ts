import type { Check } from '../engine.ts'
import { newPerson } from './people.ts'
import { asVisitor, expectAccessible, expectNoSidewaysScroll, PHONE, type WebOffice } from './visitor.ts'

/** An administrator with the organization, its rooms, tokens, webhooks and audit trail. */
export async function tryAdministration(office: WebOffice, check: Check): Promise<void> {
  const ada = await newPerson(office, 'Ada Lovelace', { found: 'Analytical Engines' })
  await ada.client.call('createRoom', { name: 'Kitchen' })
  await check('administration: name and rooms change for everybody', () =>
    asVisitor(office, 'administration', async (visitor) => {
      const { page } = visitor
      await ada.enter(visitor)
      await page.goto('/administration')
      await page.getByLabel('Name').fill('Difference Engines')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('banner').getByText('Difference Engines').waitFor()
      await page.getByRole('button', { name: 'Rename Kitchen' }).press('Enter')
      await page.getByRole('dialog').getByLabel('Name').fill('Canteen')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Delete Canteen' }).click()
      await expectAccessible(page)
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByText('There are no rooms yet.').waitFor()
      await page
        .getByRole('region', { name: 'Audit trail' })
        .getByText('organization.renamed')
        .first()
        .waitFor()
      await expectAccessible(page)
    }),
  )
  await check('administration: a token and a webhook are made, shown once, and end', () =>
    asVisitor(
      office,
      'administration-phone',
      async (visitor) => {
        const { page } = visitor
        await ada.enter(visitor)
        await page.goto('/administration')
        await page.getByRole('button', { name: 'New token' }).click()
        await page.getByRole('dialog').getByLabel('Name').fill('Door display')
        await page.getByRole('checkbox', { name: 'createRoom' }).press('Space')
        await page.getByRole('button', { name: 'Create' }).click()
        await page.getByText(/^atr_/).waitFor()
        await expectAccessible(page)
        await page.getByRole('button', { name: 'Done' }).click()
        await page.getByRole('button', { name: 'Revoke Door display' }).click()
        await page.getByText('No program acts for this organization.').waitFor()
        await page.getByRole('button', { name: 'New webhook' }).click()
        await page.getByLabel('Address').fill('http://127.0.0.1:9/events')
        await page.getByRole('checkbox', { name: 'room.created' }).press('Space')
        await page.getByRole('button', { name: 'Create' }).click()
        await page.getByText(/^whsec_/).waitFor()
        await page.getByRole('button', { name: 'Done' }).click()
        await page.getByRole('button', { name: /Delete the webhook/ }).click()
        await page.getByText('Nobody outside hears of what happens here.').waitFor()
        await expectAccessible(page)
        await expectNoSidewaysScroll(page)
      },
      { viewport: PHONE },
    ),
  )
}
