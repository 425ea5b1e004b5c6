import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newPkce } from '../../tests/chapters/calendars.ts'
import type { CalendarVendor, VendorReply } from '../../tests/vendors/calendar-vendor.ts'
import { type LeftOut, watchLeftOut } from '../platform/outside/left-out.ts'
import { ProviderFailure } from '../platform/refusal.ts'
import { type CalendarHarness, connect } from './calendar.conformance.ts'
import type { CalendarPort } from './calendar.ts'

/** An adapter on a vendor that can be at fault. */
export interface FaultyHarness extends CalendarHarness {
  vendor: CalendarVendor
}

/** How a vendor says what every vendor has to say. */
export interface VendorWords {
  /** The person has not consented to this. */
  consentLacks: VendorReply
  /** The same of a person who has consented, in undocumented words. */
  forbidden: VendorReply
  /** Of a calendar of another person. */
  notTheirs: VendorReply
  /** What a token reply says of a consent, as `scope`: with the calendar, with more than that, and without it. */
  scopes: { granted: readonly string[]; lacking: readonly string[] }
  /** Asks for patience without being 429. */
  outOfBreath: readonly VendorReply[]
  /** Refused for a reason that asking again does not mend. */
  refusedForGood: readonly VendorReply[]
  /** A page of events, each `{id}` at one time, and how to get to the next one. */
  page(ids: readonly string[], next?: { url: string; begin: number }): VendorReply
  /** A page of events as the vendor writes them. */
  pageOf(events: readonly unknown[]): VendorReply
  /** Events of 25 March 2026 without an end: at 10:00 +01:00, and of the whole day in Berlin. */
  endless: { timed: unknown; wholeDay: unknown }
  /** Events that lack a part which vendors leave out or write as null, of 25 March 2026 10:00 +01:00: all can be read. */
  incomplete: readonly unknown[]
  /** Events without an id or a time that could be understood. */
  unreadable: readonly unknown[]
  /** A page of calendars as the vendor writes them, and one of them. */
  calendarsOf(calendars: readonly unknown[]): VendorReply
  calendar: { id: string }
  /** Where a request wants its page to begin. */
  beginOf(query: URLSearchParams): number
  /** One event that was cancelled. */
  cancelled: VendorReply
}

const SPAN = { from: new Date('2026-03-23T00:00:00Z'), to: new Date('2026-03-30T00:00:00Z') }
const BROKEN: readonly (readonly [string, VendorReply])[] = [
  ['500', { status: 500, raw: '<html>' }],
  ['503', { status: 503, body: {} }],
  ['429', { status: 429, body: {} }],
  ['429 with a time to wait', { status: 429, headers: { 'retry-after': '1' }, body: {} }],
  ['half of an answer', { raw: '{"items":[{"id":"half' }],
  ['an answer that is cut off', { body: { items: ['x'.repeat(500)] }, cutOff: true }],
]

/** The title of an event, in the words of either vendor. */
const titled = (title: string) => ({ summary: title, subject: title })

/** What every adapter of the calendar port makes of a vendor that refuses, is slow, or breaks. */
export function describeCalendarFaults(
  name: string,
  words: VendorWords,
  open: () => Promise<FaultyHarness>,
): void {
  describe(`the calendar port where the vendor is at fault: ${name}`, () => {
    let harness: FaultyHarness
    let vendor: CalendarVendor
    let calendar: CalendarPort
    let accessToken = ''
    beforeAll(async () => {
      harness = await open()
      ;({ vendor, calendar } = harness)
      accessToken = (await connect(harness)).accessToken
    })
    afterAll(() => harness.close())
    const leftOut: LeftOut[] = []
    const watch = watchLeftOut((parts) => leftOut.push(parts))
    afterAll(() => watch.close())
    beforeEach(() => {
      leftOut.length = 0
      vendor.asked.length = 0
      vendor.tokenReply = undefined
    })
    /** One answer after the other, the last one for ever. */
    const inTurn = (...replies: VendorReply[]) => {
      vendor.respond = () => (replies.length > 1 ? replies.shift() : replies[0]) as VendorReply
    }
    const events = (calendarId = 'primary') => calendar.listEvents(accessToken, { calendarId, ...SPAN })
    const details = () => calendar.readEvent(accessToken, { calendarId: 'primary', eventId: 'x' })
    const idsOf = async () => {
      const found = await events()
      return found.kind === 'answered' ? found.value.map(({ id }) => id) : found.kind
    }
    const good = words.page(['one'])

    it('takes an event without an end: it ends when it starts, or takes one day', async () => {
      inTurn(words.pageOf([words.endless.timed, words.endless.wholeDay]))
      const found = await events()
      if (found.kind !== 'answered') throw new Error(found.kind)
      const [first, second, ...more] = found.value
      expect(more).toEqual([])
      expect(Date.parse(first?.start ?? '')).toBe(Date.parse('2026-03-25T10:00:00+01:00'))
      expect(Date.parse(first?.end ?? '')).toBe(Date.parse('2026-03-25T10:00:00+01:00'))
      expect(second).toMatchObject({
        allDay: true,
        start: '2026-03-25T00:00:00+01:00',
        end: '2026-03-26T00:00:00+01:00',
      })
    })

    it('takes an event that lacks a title, a zone or an attendee: one odd part hides nothing', async () => {
      inTurn(words.pageOf(words.incomplete))
      const found = await events()
      if (found.kind !== 'answered') throw new Error(found.kind)
      expect(leftOut).toEqual([])
      expect(found.value).toHaveLength(words.incomplete.length)
      for (const event of found.value) {
        expect(event).toMatchObject({ title: '', organizerEmail: '', recurringEventId: '' })
        expect(Date.parse(event.start)).toBe(Date.parse('2026-03-25T10:00:00+01:00'))
        for (const { email } of event.attendees) expect(email).toBe('ada@people.example')
      }
    })

    it('lists what can be read, and tells how much it leaves out', async () => {
      const one = { ...(words.endless.timed as object), id: 'x'.repeat(1_024), ...titled('y'.repeat(5_000)) }
      const tooLong = { ...(words.endless.timed as object), id: 'x'.repeat(1_025) }
      const odd = [...words.unreadable, tooLong, null, 'text', 7, []]
      inTurn(words.pageOf([...odd, one, words.endless.wholeDay]))
      const found = await events()
      if (found.kind !== 'answered') throw new Error(found.kind)
      expect(found.value.map(({ allDay }) => allDay)).toEqual([false, true])
      expect(found.value[0]?.title).toHaveLength(1_024)
      expect(leftOut.every(({ part }) => part === 'event')).toBe(true)
      expect(leftOut.reduce((sum, { count }) => sum + count, 0)).toBe(odd.length)
      inTurn({ body: words.unreadable[0] })
      expect(await details()).toEqual({ kind: 'not-found' })
    })

    it('lists the calendars that can be read, and tells how much it leaves out', async () => {
      const odd = [null, {}, { ...words.calendar, id: '' }, { ...words.calendar, id: 5 }]
      inTurn(words.calendarsOf([...odd, words.calendar]))
      expect(await calendar.listCalendars(accessToken)).toEqual({
        kind: 'answered',
        value: [{ id: words.calendar.id, name: '', color: expect.stringMatching(/^#[0-9a-f]{6}$/) }],
      })
      expect(leftOut).toEqual([{ provider: expect.any(String), part: 'calendar', count: odd.length }])
    })

    it('takes a bare 403 for a consent that is over; of another calendar, for one that is not theirs', async () => {
      inTurn(words.forbidden)
      const over = { kind: 'consent-missing' }
      expect(await events()).toEqual(over)
      expect(await details()).toEqual(over)
      expect(await calendar.listCalendars(accessToken)).toEqual(over)
      expect(await events('another')).toEqual({ kind: 'not-found' })
    })

    it('understands what is refused', async () => {
      inTurn(words.consentLacks)
      expect(await events()).toEqual({ kind: 'consent-missing' })
      inTurn(words.notTheirs)
      expect(await events('another')).toEqual({ kind: 'not-found' })
      for (const status of [404, 410]) {
        inTurn({ status, body: {} })
        for (const answer of [await events(), await details()]) expect(answer).toEqual({ kind: 'not-found' })
      }
      inTurn({ status: 401, body: {} })
      expect(await events()).toEqual({ kind: 'token-refused' })
      inTurn(words.cancelled)
      expect(await details()).toEqual({ kind: 'not-found' })
    })

    it.each(BROKEN)('asks again after %s', async (_case, fault) => {
      inTurn(fault, good)
      expect(await idsOf()).toEqual(['one'])
      expect(vendor.asked).toHaveLength(2)
    })

    it('asks again where the vendor asks for patience in words of its own', async () => {
      for (const fault of words.outOfBreath) {
        vendor.asked.length = 0
        inTurn(fault, good)
        expect(await idsOf()).toEqual(['one'])
        expect(vendor.asked).toHaveLength(2)
      }
    })

    it('gives up in our words, whatever was asked, after three times', async () => {
      inTurn({ status: 500, raw: 'canary' })
      for (const ask of [events, details, () => calendar.listCalendars(accessToken)]) {
        vendor.asked.length = 0
        await expect(ask()).rejects.toThrow(ProviderFailure)
        expect(vendor.asked).toHaveLength(3)
      }
    })

    it.each<[string, VendorReply]>([
      ['wants us to wait too long', { status: 429, headers: { 'retry-after': '3600' }, body: {} }],
      ['redirects', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }],
      ['refuses without a reason', { status: 400, body: {} }],
      ['answers a list', { body: [] }],
      ['answers something else', { body: { items: 'none', value: 'none' } }],
    ])('gives up at once where the vendor %s', async (_case, fault) => {
      inTurn(fault)
      await expect(events()).rejects.toThrow(ProviderFailure)
      expect(vendor.asked).toHaveLength(1)
    })

    it('gives up at once where asking again mends nothing', async () => {
      for (const fault of words.refusedForGood) {
        inTurn(fault)
        await expect(events()).rejects.toThrow(ProviderFailure)
      }
      expect(vendor.asked).toHaveLength(words.refusedForGood.length)
    })

    it('reads ten thousand events over many pages, in their order', async () => {
      const [all, size] = [Array.from({ length: 10_000 }, (_, index) => `e${index}`), 100]
      vendor.respond = ({ path, query }) => {
        const begin = words.beginOf(query)
        const ids = all.slice(begin, begin + size)
        const following = begin + size
        return words.page(
          ids,
          following < all.length ? { url: vendor.url + path, begin: following } : undefined,
        )
      }
      expect(await idsOf()).toEqual(all)
      expect(vendor.asked).toHaveLength(100)
    })

    it('begins again where its place was forgotten, once; and never shows a part as the whole', async () => {
      const gone = { status: 410, body: {} }
      const page = (begin: number) => {
        const path = vendor.asked.at(-1)?.path ?? ''
        return words.page([`e${begin}`], { url: vendor.url + path, begin: begin + 1 })
      }
      const script = (...replies: (() => VendorReply)[]) => {
        vendor.respond = () => (replies.length > 1 ? replies.shift() : replies[0])?.() as VendorReply
      }
      script(
        () => page(0),
        () => gone,
        () => good,
      )
      expect(await idsOf()).toEqual(['one'])
      script(
        () => page(0),
        () => gone,
        () => page(0),
        () => gone,
      )
      expect(await idsOf()).toBe('not-found')
      script(
        () => page(0),
        () => ({ status: 500, body: {} }),
      )
      await expect(events()).rejects.toThrow(ProviderFailure)
    })

    it('does not follow pages in circles', async () => {
      vendor.respond = ({ path }) => words.page([], { url: vendor.url + path, begin: 1 })
      await expect(events()).rejects.toThrow(ProviderFailure)
      expect(vendor.asked.length).toBeLessThan(5)
    })

    describe('at the token endpoint', () => {
      const pkce = newPkce()
      const redeem = () =>
        calendar.redeemCode({ code: 'x', codeVerifier: pkce.codeVerifier, redirectUri: harness.redirectUri })
      const refresh = () => calendar.refresh('canary-refresh')

      it('takes invalid_grant for an answer: these are over', async () => {
        vendor.tokenReply = () => ({ status: 400, body: { error: 'invalid_grant' } })
        expect(await redeem()).toBeUndefined()
        expect(await refresh()).toBeUndefined()
      })

      it.each<[string, VendorReply]>([
        ['fails', { status: 500, raw: 'canary' }],
        ['wants patience', { status: 429, headers: { 'retry-after': '9' }, body: {} }],
        ['does not know us', { status: 401, body: { error: 'invalid_client' } }],
        ['answers half of it', { raw: '{"access_token":"canary-half","token_type":"Bea' }],
        ['is cut off', { body: { access_token: 'canary-cut', token_type: 'Bearer' }, cutOff: true }],
        ['answers no token', { body: { token_type: 'Bearer' } }],
        [
          'answers a token that could break a header',
          { body: { access_token: 'canary\r\ny', token_type: 'Bearer' } },
        ],
      ])('knows nothing where it %s, and quotes nothing', async (_case, reply) => {
        vendor.tokenReply = () => reply
        for (const ask of [redeem, refresh]) {
          const error = await ask().then(
            () => undefined,
            (thrown: unknown) => thrown,
          )
          expect(error).toBeInstanceOf(ProviderFailure)
          const { message, stack, cause } = error as Error & { cause?: Error }
          expect([message, stack, cause?.message, cause?.stack].join(' ')).not.toContain('canary')
        }
      })

      it('is given nothing where the scope lacks the calendar; a consent without it is over', async () => {
        const granted = (scope: unknown) => () => ({
          body: { access_token: 'plain', token_type: 'Bearer', refresh_token: 'again', scope },
        })
        for (const scope of words.scopes.lacking) {
          vendor.tokenReply = granted(scope)
          expect(await redeem()).toBe('permission-missing')
          expect(await refresh()).toBeUndefined()
        }
        for (const scope of words.scopes.granted) {
          vendor.tokenReply = granted(scope)
          expect(await redeem()).toMatchObject({ accessToken: 'plain', refreshToken: 'again' })
          expect(await refresh()).toMatchObject({ accessToken: 'plain' })
        }
      })

      it('believes no access token that lives for ages', async () => {
        vendor.tokenReply = () => ({
          body: { access_token: 'plain', token_type: 'Bearer', expires_in: 1e300 },
        })
        expect(await refresh()).toMatchObject({ expiresInSeconds: null })
      })

      it('says so where it is not told how long tokens live, and keeps the refresh token that was used', async () => {
        vendor.tokenReply = () => ({ body: { access_token: 'plain', token_type: 'Bearer' } })
        expect(await refresh()).toEqual({ accessToken: 'plain', refreshToken: null, expiresInSeconds: null })
      })
    })
  })
}
