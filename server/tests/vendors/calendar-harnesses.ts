import type { CalendarHarness } from '../../src/ports/calendar.conformance.ts'
import { answerAsProviderA } from '../../src/sandbox/calendar/provider-a-api.ts'
import { answerAsProviderB } from '../../src/sandbox/calendar/provider-b-api.ts'
import { surferOf } from '../chapters/surfer.ts'
import { freshEmail, openTestOffice, type TestOffice } from '../office.ts'
import { type CalendarVendor, calendarVendor, type VendorRequest } from './calendar-vendor.ts'

type Letter = 'provider-a' | 'provider-b'

/** The adapter of a provider on the sandbox of an office: its issuer, its consent page, its API. */
export async function sandboxCalendar(letter: Letter): Promise<CalendarHarness> {
  const office = await openTestOffice({ atBaseUrl: true })
  return {
    ...partsOf(office, letter),
    consent: (consentUrl) => surferOf(office).logIn(consentUrl, freshEmail()),
    close: () => office.close(),
  }
}

/** The adapter of a provider on a vendor that a test holds in its hands, and that may be at fault. */
export async function stubCalendar(letter: Letter): Promise<CalendarHarness & { vendor: CalendarVendor }> {
  const vendor = await calendarVendor()
  vendor.rotates = letter === 'provider-b'
  vendor.respond = (request) => weekOf(letter, vendor.url, request)
  const office = await openTestOffice({ settings: vendor.settings })
  return {
    ...partsOf(office, letter),
    vendor,
    consent: async (consentUrl) => vendor.consentAt(consentUrl),
    async close() {
      await office.close()
      await vendor.close()
    },
  }
}

function partsOf({ office }: TestOffice, letter: Letter) {
  const calendar = office.needs.calendars[letter]
  if (!calendar) throw new Error(`this office does not offer ${letter}`)
  return { calendar, redirectUri: `${office.config.frontendUrl}/calendar/complete` }
}

/** So many at most on a page: a vendor may always give fewer than it was asked for. */
const PAGE = 40
const OWNER = 'ada@people.example'

/** The week of the sandbox, on many small pages. */
function weekOf(letter: Letter, url: string, { sentPath, query }: VendorRequest) {
  const sizes = { 'provider-a': 'maxResults', 'provider-b': '$top' }
  const fewer = new URLSearchParams(query)
  if (fewer.has(sizes[letter])) fewer.set(sizes[letter], String(PAGE))
  const below = (base: string) => sentPath.slice(base.length)
  return letter === 'provider-a'
    ? answerAsProviderA(OWNER, below('/calendar/v3'), fewer)
    : answerAsProviderB(OWNER, below('/v1.0'), fewer, `${url}/v1.0`)
}
