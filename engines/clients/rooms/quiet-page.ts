import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'

/** A page with a list of what is red in its console, and of answers that refuse. */
export interface QuietPage {
  page: Page
  /** @throws AssertionError where anything was red, or the console recommends a newer server */
  assertQuiet(): void
}

/** @param noise what a library says red by itself */
export async function openQuietPage(browser: Browser, frontEnd: string, noise = /^$/): Promise<QuietPage> {
  // where the machine's is C or POSIX, Chromium says a language that no Intl takes
  const context = await browser.newContext({ permissions: ['camera', 'microphone'], locale: 'en-US' })
  const page = await context.newPage()
  const red: string[] = []
  page.on('console', (message) => {
    const text = message.text()
    if ((message.type() === 'error' && !noise.test(text)) || /upgrading/.test(text)) red.push(text)
  })
  page.on('pageerror', (error) => red.push(String(error)))
  page.on('response', (response) => {
    if (response.status() >= 400) red.push(`${response.status()} ${new URL(response.url()).pathname}`)
  })
  await page.goto(frontEnd)
  return { page, assertQuiet: () => assert.deepEqual(red, []) }
}
