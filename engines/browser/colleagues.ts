import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Check } from '../engine.ts'
import { serveFrontEnd } from '../front-end.ts'
import type { Ends } from '../processes.ts'
import type { ColleaguesPage } from './colleagues-page.ts'

declare const colleagues: ColleaguesPage

const SOURCE = fileURLToPath(new URL('colleagues-page.ts', import.meta.url))
const HTML = `<!doctype html><meta charset="utf-8"><title>Colleagues</title>
<style>body { font: 16px sans-serif; margin: 2em } li { font-size: 20px } button { margin-right: 1em }</style>
<h1>Colleagues</h1><ul></ul><nav></nav><p>Connection: <output></output></p>
<script type="module" src="/page.js"></script>`
/** Two rounds of the connectivity poll, and the start of the first. */
const OFFLINE_WITHIN_MS = 60_000

/** Where the page comes from: a front end with an origin of its own. */
export const openFrontEnd = (ends: Ends) => serveFrontEnd(ends, { source: SOURCE, html: HTML })

export interface ColleaguesContext {
  /** Of the office, which lets the front end's browsers in. */
  url: string
  frontEnd: string
  /** Folder for what the browsers show. */
  pictures: string
  /** The code that was mailed to an address. */
  codeFor(email: string): Promise<string>
}

/** Two browsers with `@atrium/client`, on the embedded broker: what each sees of the other. */
export async function tryColleagues(
  running: Browser,
  context: ColleaguesContext,
  check: Check,
): Promise<void> {
  const { url, pictures } = context
  const address = `${context.frontEnd}/?office=${encodeURIComponent(url)}`
  const come = async (page: Page, name: string, inviteToken?: string) => {
    const email = `${name.toLowerCase()}@colleagues.example`
    await page.evaluate((to) => colleagues.signUp(to), email)
    const person = { name, email, code: await context.codeFor(email), ...(inviteToken && { inviteToken }) }
    return await page.evaluate((newcomer) => colleagues.come(newcomer), person)
  }
  const [adas, graces] = [await running.newContext(), await running.newContext()]
  try {
    const [ada, grace] = [await visit(adas, address), await visit(graces, address)]
    await check('two browsers: each sees the other come, change, drop and return', async () => {
      const { inviteToken } = await come(ada, 'Ada')
      await come(grace, 'Grace', inviteToken)
      await ada.evaluate(() => colleagues.open())
      await shows(ada, 'Grace', 'offline')
      await grace.evaluate(() => colleagues.open())
      await shows(ada, 'Grace', 'online')
      await shows(grace, 'Ada', 'online')
      await choose(grace, 'busy')
      await shows(ada, 'Grace', 'busy')
      await choose(ada, 'away')
      await shows(grace, 'Ada', 'away')
      await ada.screenshot({ path: `${pictures}/colleagues-ada-sees-busy.png` })
      await choose(grace, 'appear_offline')
      await shows(ada, 'Grace', 'offline')
      await shows(grace, 'Grace', 'appear_offline')
      await choose(grace, 'online')
      await shows(ada, 'Grace', 'online')
      await dropAndReturn(ada, grace, adas)
      await ada.screenshot({ path: `${pictures}/colleagues-ada.png` })
      await grace.screenshot({ path: `${pictures}/colleagues-grace.png` })
    })
    await check(
      'two browsers: whoever closes theirs goes offline, and comes back with the next',
      async () => {
        await grace.close()
        await shows(ada, 'Grace', 'offline', OFFLINE_WITHIN_MS)
        const again = await visit(graces, address)
        await again.evaluate(() => colleagues.open())
        await shows(ada, 'Grace', 'online')
        const told = await ada.evaluate(() => colleagues.told)
        console.log(`    Ada saw ${told.join(', ')}`)
        assert.deepEqual(
          told.map((line) => line.replace('Grace: ', '')),
          ['offline', 'online', 'busy', 'offline', 'online', 'away', 'offline', 'online'],
        )
      },
    )
  } finally {
    for (const context of [adas, graces]) await context.close()
  }
}

/** Ada's network is gone for a moment, in which Grace changes. */
async function dropAndReturn(ada: Page, grace: Page, adas: BrowserContext): Promise<void> {
  await adas.setOffline(true)
  await ada.locator('body[data-state="connecting"]').waitFor()
  await choose(grace, 'away')
  await shows(grace, 'Grace', 'away')
  assert.equal(await ada.locator('li[data-name="Grace"]').getAttribute('data-status'), 'online')
  await adas.setOffline(false)
  await ada.locator('body[data-state="connected"]').waitFor()
  await shows(ada, 'Grace', 'away')
}

async function visit(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  await page.goto(address)
  await page.waitForFunction(() => 'colleagues' in globalThis)
  return page
}

async function choose(page: Page, status: string): Promise<void> {
  await page.getByRole('button', { name: status, exact: true }).click()
}

async function shows(page: Page, name: string, status: string, withinMs = 15_000): Promise<void> {
  await page.locator(`li[data-name="${name}"][data-status="${status}"]`).waitFor({ timeout: withinMs })
}
