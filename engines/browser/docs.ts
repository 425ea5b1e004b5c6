import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { Browser } from 'playwright-core'
import type { Check } from '../engine.ts'
import { openFreshOffice } from '../fresh-office.ts'
import type { Ends } from '../processes.ts'
import { expectAccessible } from '../web/visitor.ts'

/** An operation with a body, replies and refusals. */
const OPERATION = '#tag/organizations-and-invitations/POST/api/v1/organizations/send-invitation'
const PAGES = ['/sandbox/mail', '/sandbox/sign-in', '/sandbox/calendar', '/sandbox/media']

/** What production does not start without. */
function productionSettings(): Record<string, string> {
  return {
    ATRIUM_ENV: 'production',
    BASE_URL: 'https://atrium.example',
    SECRET_KEY: randomBytes(32).toString('base64url'),
    SMTP_URL: 'smtp://127.0.0.1:1',
    EMBEDDED_DATABASE: 'true',
  }
}

/** The reference of a production office: it stands there, and its script can call nothing. */
async function inProduction(running: Browser): Promise<void> {
  const ends: Ends = []
  const context = await running.newContext()
  try {
    const url = await openFreshOffice(productionSettings(), ends)
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    const broken: string[] = []
    page.on('pageerror', (error) => broken.push(error.message))
    await page.goto(`${url}/docs/${OPERATION}`)
    await page.getByText('Invite somebody, or many at once, by e-mail').first().waitFor()
    await page.locator('button[class*="copy-button"][aria-label]').first().waitFor()
    const seen = await page.evaluate(async () => ({
      origin: self.origin,
      calls: await fetch('/health/live').then(
        () => true,
        () => false,
      ),
    }))
    assert.deepEqual(seen, { origin: 'null', calls: false })
    assert.deepEqual(broken, [])
  } finally {
    await context.close()
    for (let end = ends.pop(); end; end = ends.pop()) await end()
  }
}

/** The documents for front-end developers: readable by everybody, by light and by dark. */
export async function tryDocs(running: Browser, url: string, check: Check): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const)
    await check(
      `the reference has an introduction and examples, and axe finds nothing, ${colorScheme}`,
      async () => {
        const context = await running.newContext({ colorScheme })
        const page = await context.newPage()
        page.setDefaultTimeout(60_000)
        try {
          await page.goto(`${url}/docs/`)
          await page.getByRole('heading', { name: 'Sessions and cookies' }).waitFor()
          await expectAccessible(page)
          await page.goto('about:blank')
          await page.goto(`${url}/docs/${OPERATION}`)
          await page.getByText('Invite somebody, or many at once, by e-mail').first().waitFor()
          await page.getByText('"Done"').first().waitFor()
          await page.locator('button[class*="copy-button"][aria-label]').first().waitFor()
          await expectAccessible(page)
        } finally {
          await context.close()
        }
      },
    )
  await check('in production its origin is opaque, and it is whole all the same', () => inProduction(running))
  await check('the pages of the sandbox lead to each other, and axe finds nothing', async () => {
    const context = await running.newContext({ colorScheme: 'dark' })
    const page = await context.newPage()
    try {
      for (const path of PAGES) {
        await page.goto(url + path)
        await page
          .getByRole('navigation', { name: 'Sandbox' })
          .getByRole('link', { name: 'Mailbox' })
          .waitFor()
        await expectAccessible(page)
      }
      await page.goto(`${url}/sandbox/calendar`)
      await page.getByText('Nobody is signed in').waitFor()
      await page.request.post(`${url}/auth/dev-sign-in`, { data: {} })
      await page.reload()
      await page.getByText(/^This week.* Signed in as .*developer@/).waitFor()
      await expectAccessible(page)
      await page.getByRole('link', { name: 'Mailbox' }).click()
      await page.getByRole('heading', { name: 'Mailbox' }).waitFor()
      await page.getByLabel('To').fill('somebody who types')
      await page.request.post(`${url}/auth/sign-up`, { data: { email: 'appears@docs.example' } })
      await page.getByText('appears@docs.example').waitFor()
      if ((await page.getByLabel('To').inputValue()) !== 'somebody who types')
        throw new Error('what was typed is gone')
    } finally {
      await context.close()
    }
  })
}
