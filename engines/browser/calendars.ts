import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** Connects a calendar of the sandbox as a person would, looks at its week, and disconnects it. Signed in already. */
export async function useCalendar(page: Page, url: string, letter: string): Promise<void> {
  await page.goto(`${url}/sandbox/calendar`)
  const section = page.locator(`section[data-provider="provider-${letter.toLowerCase()}"]`)
  await section.getByText('not connected', { exact: true }).waitFor()
  await section.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.waitForURL('**/login/**')
  await page.getByText('asks to read your calendars').waitFor()
  await page.getByLabel('E-mail address').fill(`planner-${letter.toLowerCase()}@people.example`)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('heading', { name: 'Calendar connected' }).waitFor()
  // the code is gone from the address bar
  assert.match(page.url(), /\/calendar\/complete$/)
  await page.goto(`${url}/sandbox/calendar`)
  await section.getByText('connected', { exact: true }).waitFor()
  const standUp = section.getByRole('listitem').filter({ hasText: 'Stand-up' }).first()
  await standUp.getByRole('button').click()
  await standUp.getByText('RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR').waitFor()
  await page.screenshot({ path: `.engines/browser/calendar-${letter.toLowerCase()}-week.png` })
  await section.getByRole('button', { name: 'Disconnect' }).click()
  await section.getByText('not connected', { exact: true }).waitFor()
  assert.equal(await section.getByRole('listitem').count(), 0)
}

/** Says no where a provider asks. */
export async function refuseCalendar(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/sandbox/calendar`)
  const section = page.locator('section[data-provider="provider-a"]')
  await section.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.getByRole('heading', { name: 'Not connected' }).waitFor()
  await page.getByText('You did not agree, and nothing was connected.').waitFor()
}
