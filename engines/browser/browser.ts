import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import type { Check, Engine } from '../engine.ts'
import { openFreshOffice } from '../fresh-office.ts'
import { mailedCode } from '../mailbox.ts'
import { refuseCalendar, useCalendar } from './calendars.ts'
import { launchChromium, missingChromium } from './chromium.ts'
import { openFrontEnd, tryColleagues } from './colleagues.ts'
import { tryDocs } from './docs.ts'
import { openDay, tryWholeDay } from './whole-day.ts'

const PICTURES = fileURLToPath(new URL('../../.engines/browser', import.meta.url))
/** Every way in as a person tries it: the pages of the sandbox in a real browser, against a fresh office. */
export const browser: Engine = {
  name: 'browser',
  about:
    'Chromium, coming in by every way that the sandbox offers; two as colleagues, and with a guest through a whole day',
  install: missingChromium,
  async try(check) {
    const ends: (() => Promise<unknown>)[] = []
    try {
      const [frontEnd, day] = [await openFrontEnd(ends), await openDay(ends)]
      // everybody comes from one address
      const settings = { ALLOWED_ORIGINS: `${frontEnd},${day}`, RATE_LIMIT_SIGN_IN_PER_ADDRESS: '0' }
      const url = await openFreshOffice(settings, ends)
      const running = await launchChromium()
      ends.push(() => running.close())
      await mkdir(PICTURES, { recursive: true })
      await everyWayIn(running, url, check)
      await tryDocs(running, url, check)
      const codes = { codeFor: (email: string) => mailedCode(url, email) }
      await tryColleagues(running, { url, frontEnd, pictures: PICTURES, ...codes }, check)
      await tryWholeDay({ url, frontEnd: day, ...codes }, check)
    } finally {
      for (let end = ends.pop(); end; end = ends.pop()) await end()
    }
  },
}

async function everyWayIn(running: Browser, url: string, check: Check): Promise<void> {
  for (const letter of ['A', 'B']) {
    await check(`provider ${letter} signs in`, () =>
      onFreshPage(running, `${url}/sandbox/sign-in`, `provider-${letter.toLowerCase()}`, async (page) => {
        await page.getByRole('button', { name: `Continue with provider ${letter}` }).click()
        await logIn(page, `ada-${letter.toLowerCase()}@people.example`)
        await finished(page, `ada-${letter.toLowerCase()}@people.example`)
      }),
    )
  }
  await check('single sign-on takes over from the address, and enters its organization', () =>
    onFreshPage(running, `${url}/sandbox/sign-in`, 'single-sign-on', async (page) => {
      await page.getByLabel('E-mail address').fill('grace@sso.example')
      await page.getByRole('button', { name: 'Continue', exact: true }).click()
      await page.waitForURL('**/sandbox/sso/login/**')
      assert.equal(await page.getByLabel('E-mail address').inputValue(), 'grace@sso.example')
      await logIn(page, 'grace@sso.example')
      await finished(page, 'grace@sso.example')
      const user = (await page.evaluate(async () =>
        (await fetch('/user/get', { method: 'POST' })).json(),
      )) as { organizationMemberships: { role: string }[] }
      assert.deepEqual(
        user.organizationMemberships.map(({ role }) => role),
        ['member'],
      )
    }),
  )
  for (const letter of ['A', 'B']) {
    await check(`a calendar of provider ${letter} is connected, shown and disconnected`, () =>
      onFreshPage(running, `${url}/sandbox/sign-in`, `calendar-${letter.toLowerCase()}`, async (page) => {
        await page.getByRole('button', { name: 'Continue with provider A' }).click()
        await logIn(page, 'planner@people.example')
        await finished(page, 'planner@people.example')
        await useCalendar(page, url, letter)
        if (letter === 'A') await refuseCalendar(page, url)
      }),
    )
  }
  await check('an address of another organization is refused', () =>
    onFreshPage(running, `${url}/sandbox/sign-in`, 'foreign-address', async (page) => {
      await page.getByLabel('E-mail address').fill('grace@sso.example')
      await page.getByRole('button', { name: 'Continue', exact: true }).click()
      await logIn(page, 'mallory@elsewhere.example')
      await page.getByRole('heading', { name: 'Not signed in' }).waitFor()
    }),
  )
}

async function logIn(page: Page, email: string): Promise<void> {
  await page.waitForURL('**/login/**')
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** The code is gone from the address bar, the session is there, and no script can read its cookie. */
async function finished(page: Page, email: string): Promise<void> {
  // the web office goes on: to the floor, or, with a new account, to the name
  await page.getByRole('heading', { name: /^(Floor|Show your face)$/ }).waitFor()
  assert.equal(new URL(page.url()).search, '')
  const user = await page.evaluate(async () => (await fetch('/user/get', { method: 'POST' })).json())
  assert.equal((user as { email: string }).email, email)
  assert.equal(await page.evaluate(() => document.cookie), '')
}

async function onFreshPage(
  running: Browser,
  address: string,
  picture: string,
  work: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await running.newContext()
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  try {
    await page.goto(address)
    await work(page)
    // a refusal is shown in the console as well: that one is no complaint
    assert.deepEqual(
      complaints.filter((text) => !/status of (400|401|404|409)/.test(text)),
      [],
    )
  } finally {
    await page.screenshot({ path: join(PICTURES, `${picture}.png`) })
    await context.close()
  }
}
