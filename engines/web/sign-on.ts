import { type AtriumClient, createAtriumClient, createCookieJar } from '@atrium/client'
import type { Page } from 'playwright-core'
import type { Check } from '../engine.ts'
import {
  asVisitor,
  expectAccessible,
  expectNoSidewaysScroll,
  PHONE,
  type Visitor,
  type WebOffice,
} from './visitor.ts'

/** Single sign-on of the organization that the stand-in of an issuer belongs to: taken out of force, tested, put in force. */
export async function trySignOn(office: WebOffice, check: Check): Promise<void> {
  const developer = await enterDeveloper(office)
  await check('single sign-on: what is in force is tried out, and nobody is signed in by it', () =>
    asVisitor(
      office,
      'sign-on-phone',
      async (visitor) => {
        const { page } = visitor
        await developer.enter(visitor)
        await page.goto('/administration?part=people')
        const card = cardOn(page)
        await card.getByText('Active: people of the verified domains').waitFor()
        await expectAccessible(page)
        await expectNoSidewaysScroll(page)
        await comeBackAs(page, 'grace@elsewhere.example')
        await page.getByRole('heading', { name: 'The test has not passed' }).waitFor()
        await page.getByText('The address is of none of your verified domains.').waitFor()
        await expectAccessible(page)
        await page.getByRole('link', { name: 'Back to administration' }).click()
        await card.getByText('The address is of none of your verified domains.').waitFor()
      },
      { viewport: PHONE },
    ),
  )
  await check('single sign-on: taken out of force, it has to be tested before it is put in force again', () =>
    asVisitor(office, 'sign-on', async (visitor) => {
      const { page } = visitor
      await developer.enter(visitor)
      await page.goto('/administration?part=people')
      const card = cardOn(page)
      await card.getByRole('button', { name: 'Deactivate' }).click()
      await expectAccessible(page)
      await confirmWith(page, 'Deactivate')
      await card.getByText('Being set up: nobody signs in by it yet.').waitFor()
      await card.getByRole('button', { name: 'Activate', disabled: true }).waitFor()

      await card.getByRole('button', { name: 'Change' }).press('Enter')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Issuer', { exact: true }).fill('https://login.example/?tenant=1')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.getByText('Enter an address such as').waitFor()
      await expectAccessible(page)
      await dialog.getByLabel('Issuer', { exact: true }).fill(`${office.url}/sandbox/sso`)
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })

      await comeBackAs(page, 'grace@sso.example')
      await page.getByRole('heading', { name: 'The test has passed' }).waitFor()
      await page.getByRole('link', { name: 'Back to administration' }).click()
      await card.getByRole('button', { name: 'Activate', disabled: false }).click()
      await confirmWith(page, 'Activate')
      await card.getByText('Active: people of the verified domains').waitFor()
      await expectAccessible(page)
    }),
  )
}

const cardOn = (page: Page) =>
  page.locator('.card', { has: page.getByRole('heading', { name: 'Single sign-on' }) })

async function confirmWith(page: Page, name: string): Promise<void> {
  await page.getByRole('alertdialog').getByRole('button', { name }).click()
}

/** Through the issuer, and back to the office. */
async function comeBackAs(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Test sign-in' }).click()
  await page.waitForURL('**/sandbox/sso/login/**')
  await page.locator('input[name=email]').fill(email)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/single-sign-on/complete**')
}

async function enterDeveloper(office: WebOffice) {
  const cookies = createCookieJar()
  const client: AtriumClient = createAtriumClient({ baseUrl: office.url, cookies })
  await client.call('devSignIn')
  const value = cookies.get('atrium_session') ?? ''
  return {
    enter: ({ context }: Visitor) =>
      context.addCookies([{ name: 'atrium_session', value, url: office.url, httpOnly: true }]),
  }
}
