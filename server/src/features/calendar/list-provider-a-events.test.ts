import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectCalendar } from '../../../tests/calendars.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newPerson } from '../../../tests/people.ts'

describe('smoke', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice({ atBaseUrl: true, settings: { LOG_LEVEL: 'warn' } })
  })
  afterAll(() => office.close())
  it.each(['A', 'B'] as const)('%s', async (p) => {
    const { browser } = await newPerson(office)
    await connectCalendar(office, browser, p)
    console.log(await browser.call(`listProvider${p}Calendars`))
    const found = await browser.call(`listProvider${p}Events`, {
      calendars: [{ calendarId: 'primary', timeMin: '2026-03-23T00:00:00Z', timeMax: '2026-04-06T00:00:00+02:00' }],
    })
    console.log(JSON.stringify(found, null, 1).slice(0, 4000))
    const e = found[0]!.events
    const ids = [e[0]!, e.find((x) => x.title === 'Office day')!, e.find((x) => x.title === 'Design review')!]
    console.log(
      JSON.stringify(
        await browser.call(`readProvider${p}Events`, {
          events: [...ids.map((x) => ({ calendarId: 'primary', eventId: x.id })), { calendarId: 'primary', eventId: e[0]!.recurringEventId }],
        }),
        null,
        1,
      ),
    )
    console.log((await browser.call('getCurrentUser')).integrations)
    await browser.call(`disconnectProvider${p}Calendar`)
    console.log((await browser.request(`listProvider${p}Calendars`)).body)
  })
})
