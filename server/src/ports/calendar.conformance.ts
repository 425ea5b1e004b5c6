import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newPkce } from '../../tests/chapters/calendars.ts'
import { compactUtc } from '../platform/zoned-time.ts'
import type { CalendarEvent, CalendarPort, CalendarTokens } from './calendar.ts'

/** An adapter with a vendor behind it. The vendor's calendars hold the week of the sandbox (`believable-week.ts`). */
export interface CalendarHarness {
  calendar: CalendarPort
  /** Where the vendor sends browsers back to. */
  redirectUri: string
  /** A new person consents where the browser was sent. @returns where it comes back to */
  consent(consentUrl: string): Promise<URL>
  close(): Promise<void>
}

const UNKNOWN_IDS = ['unknown', 'a/../b', '..', '.', '\ud800', 'x'.repeat(1_024)]

/** A person consents, and their code is exchanged. */
export async function connect({
  calendar,
  redirectUri,
  consent,
}: CalendarHarness): Promise<CalendarTokens & { refreshToken: string }> {
  const { state, codeChallenge, codeVerifier } = newPkce()
  const back = await consent(await calendar.consentUrl({ state, codeChallenge, redirectUri }))
  const code = back.searchParams.get('code') ?? ''
  const tokens = await calendar.redeemCode({ code, codeVerifier, redirectUri })
  if (typeof tokens !== 'object' || !tokens.refreshToken) throw new Error('the vendor gave no lasting access')
  return { ...tokens, refreshToken: tokens.refreshToken }
}

/** What every adapter of the calendar port does alike. */
export function describeCalendar(name: string, open: () => Promise<CalendarHarness>): void {
  describe(`the calendar port: ${name}`, () => {
    let harness: CalendarHarness
    let calendar: CalendarPort
    let accessToken = ''
    beforeAll(async () => {
      harness = await open()
      calendar = harness.calendar
      accessToken = (await connect(harness)).accessToken
    })
    afterAll(() => harness.close())

    const eventsOf = async (from: string, to: string, calendarId = 'primary'): Promise<CalendarEvent[]> => {
      const span = { calendarId, from: new Date(from), to: new Date(to) }
      const found = await calendar.listEvents(accessToken, span)
      if (found.kind !== 'answered') throw new Error(`it is ${found.kind}`)
      return found.value
    }
    const onDay = async (day: string, title: string) =>
      (await eventsOf(`${day}T00:00:00Z`, `${day}T23:59:59Z`)).filter((event) => event.title === title)
    const plannedOf = ({ id, recurringEventId }: CalendarEvent) => id.slice(recurringEventId.length + 1)
    const detailsOf = async (eventId: string) => {
      const found = await calendar.readEvent(accessToken, { calendarId: 'primary', eventId })
      return found.kind === 'answered' ? found.value : found.kind
    }

    describe('consent and tokens', () => {
      const begin = async () => {
        const pkce = newPkce()
        const { redirectUri } = harness
        const consentUrl = await calendar.consentUrl({ ...pkce, redirectUri })
        const back = await harness.consent(consentUrl)
        const code = back.searchParams.get('code') ?? ''
        return { ...pkce, consentUrl: new URL(consentUrl), back, code, redirectUri }
      }

      it("sends the client's state and challenge, never its verifier, and both come home", async () => {
        const { consentUrl, back, state, codeChallenge, codeVerifier, redirectUri } = await begin()
        expect(Object.fromEntries(consentUrl.searchParams)).toMatchObject({
          response_type: 'code',
          state,
          code_challenge: codeChallenge,
          code_challenge_method: 'S256',
          redirect_uri: redirectUri,
        })
        expect(consentUrl.href).not.toContain(codeVerifier)
        expect(back.href.startsWith(`${redirectUri}?`)).toBe(true)
        expect(back.searchParams.get('state')).toBe(state)
      })

      it('exchanges a code with its verifier, once', async () => {
        const { code, codeVerifier, redirectUri } = await begin()
        const tokens = await calendar.redeemCode({ code, codeVerifier, redirectUri })
        expect(tokens).toEqual({
          accessToken: expect.any(String),
          refreshToken: expect.any(String),
          expiresInSeconds: expect.any(Number),
        })
        expect(await calendar.redeemCode({ code, codeVerifier, redirectUri })).toBeUndefined()
      })

      it.each([
        ['the verifier of another', () => newPkce().codeVerifier],
        ['no verifier', () => ''],
        ['the challenge in its place', ({ codeChallenge }: { codeChallenge: string }) => codeChallenge],
      ])('gives nothing for %s', async (_case, verifierFor) => {
        const begun = await begin()
        const answer = { code: begun.code, redirectUri: begun.redirectUri }
        expect(await calendar.redeemCode({ ...answer, codeVerifier: verifierFor(begun) })).toBeUndefined()
      })

      it('gives nothing for a code that it never gave', async () => {
        const { codeVerifier, redirectUri } = await begin()
        expect(await calendar.redeemCode({ code: 'made-up', codeVerifier, redirectUri })).toBeUndefined()
      })

      it('refreshes as often as one likes, with whatever refresh token came last', async () => {
        let { refreshToken, accessToken: before } = await connect(harness)
        for (let times = 0; times < 3; times += 1) {
          const fresh = await calendar.refresh(refreshToken)
          expect(fresh?.accessToken).not.toBe(before)
          expect((await calendar.listCalendars(fresh?.accessToken ?? '')).kind).toBe('answered')
          refreshToken = fresh?.refreshToken ?? refreshToken
          before = fresh?.accessToken ?? ''
        }
        expect(await calendar.refresh('made-up')).toBeUndefined()
      })

      it('ends a consent: it gives no further tokens. Ending it again does not matter', async () => {
        const { refreshToken } = await connect(harness)
        await calendar.revoke(refreshToken)
        expect(await calendar.refresh(refreshToken)).toBeUndefined()
        await calendar.revoke(refreshToken)
      })

      it('says of every question where a token is not accepted', async () => {
        const span = { calendarId: 'primary', from: new Date(0), to: new Date(1) }
        const refused = { kind: 'token-refused' }
        expect(await calendar.listCalendars('made-up')).toEqual(refused)
        expect(await calendar.listEvents('made-up', span)).toEqual(refused)
        expect(await calendar.readEvent('made-up', { calendarId: 'primary', eventId: 'x' })).toEqual(refused)
      })
    })

    it('lists the calendars: one of them is primary, every one has a name and a colour', async () => {
      const found = await calendar.listCalendars(accessToken)
      const calendars = found.kind === 'answered' ? found.value : []
      expect(calendars).toHaveLength(3)
      expect(calendars.filter(({ id }) => id === 'primary')).toHaveLength(1)
      expect(new Set(calendars.map(({ id }) => id)).size).toBe(3)
      expect(calendars.map(({ name }) => name)).toEqual(expect.arrayContaining(['Team', 'Nothing yet']))
      for (const { name, color } of calendars) {
        expect(name).not.toBe('')
        expect(color).toMatch(/^#[0-9a-f]{6}$/)
      }
      // each can be asked for by the id that was given
      const lengths = calendars.map(async ({ id }) => (await eventsOf('2026-03-02', '2026-03-09', id)).length)
      expect((await Promise.all(lengths)).sort()).toEqual([0, 1, 7])
    })

    it.each([
      // Europe goes forward on 29 March, back on 25 October; America on 8 March and 1 November
      ['2026-03-27', 'Stand-up', '20260327T083000Z', '2026-03-27T09:30:00+01:00', 'Europe/Berlin'],
      ['2026-03-30', 'Stand-up', '20260330T073000Z', '2026-03-30T09:30:00+02:00', 'Europe/Berlin'],
      ['2026-10-23', 'Stand-up', '20261023T073000Z', '2026-10-23T09:30:00+02:00', 'Europe/Berlin'],
      ['2026-10-26', 'Stand-up', '20261026T083000Z', '2026-10-26T09:30:00+01:00', 'Europe/Berlin'],
      [
        '2026-02-24',
        'Katherine, one to one',
        '20260224T150000Z',
        '2026-02-24T10:00:00-05:00',
        'America/New_York',
      ],
      [
        '2026-03-10',
        'Katherine, one to one',
        '20260310T140000Z',
        '2026-03-10T10:00:00-04:00',
        'America/New_York',
      ],
      // moved to another time, meant in another zone
      [
        '2026-03-31',
        'Katherine, one to one',
        '20260331T140000Z',
        '2026-03-31T16:30:00+01:00',
        'Europe/London',
      ],
      ['2026-04-08', 'Stand-up', '20260408T073000Z', '2026-04-08T11:00:00+02:00', 'Europe/Berlin'],
    ])('on %s there is %s of %s at %s, in %s', async (day, title, planned, start, zone) => {
      const [event] = await onDay(day, title)
      expect(event && plannedOf(event)).toBe(planned)
      expect(event).toMatchObject({ startTimezone: zone, endTimezone: zone, allDay: false })
      // the vendor may tell a moment with another offset than that of the zone it is meant in
      expect(Date.parse(event?.start ?? '')).toBe(Date.parse(start))
      expect(event?.start).toMatch(/(Z|[+-]\d\d:\d\d)$/)
      expect(event?.recurringEventId).not.toBe('')
    })

    it('leaves out what was cancelled, and calls what was moved by its planned time', async () => {
      expect(await onDay('2026-04-17', 'Stand-up')).toEqual([])
      const week = await eventsOf('2026-04-06T00:00:00Z', '2026-04-12T00:00:00Z')
      for (const event of week.filter(({ title }) => title === 'Stand-up')) {
        const moved = plannedOf(event) !== compactUtc(new Date(event.start))
        expect([event.start.slice(0, 10), moved]).toEqual([
          event.start.slice(0, 10),
          event.start.startsWith('2026-04-08'),
        ])
      }
    })

    it('shows whole days as the midnights of their zone that they lie between', async () => {
      const [day] = await onDay('2026-03-27', 'Office day')
      expect(day).toMatchObject({
        allDay: true,
        start: '2026-03-27T00:00:00+01:00',
        end: '2026-03-28T00:00:00+01:00',
        startTimezone: 'Europe/Berlin',
      })
      const [summer] = await onDay('2026-04-10', 'Office day')
      expect(summer?.start).toBe('2026-04-10T00:00:00+02:00')
      // Google's own ids of such instances carry a date alone
      expect(day?.id).toBe(`${day?.recurringEventId}_20260326T230000Z`)
      expect(summer?.id).toBe(`${summer?.recurringEventId}_20260409T220000Z`)
    })

    it('tells who organizes and who has answered what', async () => {
      const [standUp] = await onDay('2026-03-30', 'Stand-up')
      expect(standUp?.organizerEmail).toBe('grace@people.example')
      expect(standUp?.attendees.map(({ status }) => status)).toEqual(['accepted', 'accepted', 'pending'])
      const [review] = await onDay('2026-04-02', 'Design review')
      expect(review?.attendees.at(-1)).toEqual({ email: 'grace@people.example', status: 'declined' })
      expect(review?.recurringEventId).toBe('')
    })

    it('answers a long span whole, by start, as it does in parts; and whatever touches a span', async () => {
      const year = await eventsOf('2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z')
      expect(year.length).toBeGreaterThan(350)
      const starts = year.map(({ start }) => Date.parse(start))
      expect(starts).toEqual([...starts].sort((one, other) => one - other))
      const months = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2026, month)).toISOString())
      const parts = await Promise.all(
        months.map((from, month) => eventsOf(from, months[month + 1] ?? '2027-01-01T00:00:00Z')),
      )
      // whole days of Berlin may touch two months of UTC
      expect([...new Set(parts.flat().map(({ id }) => id))]).toEqual(year.map(({ id }) => id))
      expect(new Set(year.map(({ id }) => id)).size).toBe(year.length)
      const touching = await eventsOf('2026-03-30T07:40:00Z', '2026-03-30T07:41:00Z')
      expect(touching.map(({ title }) => title)).toEqual(['Stand-up'])
      expect(await eventsOf('2026-03-30T07:45:00Z', '2026-03-30T07:46:00Z')).toEqual([])
    })

    it('reads in detail whatever it has listed, alike; rules are told of masters', async () => {
      const listed = await eventsOf('2026-03-23T00:00:00Z', '2026-04-13T00:00:00Z')
      const found = await Promise.all(listed.map(({ id }) => detailsOf(id)))
      expect(found).toMatchObject(listed)
      for (const event of found) expect(event).toMatchObject({ recurrence: '' })
      const masters = [...new Set(listed.map(({ recurringEventId }) => recurringEventId).filter(Boolean))]
      const rules = await Promise.all(masters.map(detailsOf))
      expect(rules).toMatchObject([
        {
          id: masters[0],
          title: 'Stand-up',
          recurrence: 'RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
          recurringEventId: '',
          organizerName: 'Grace Hopper',
          description: 'What was, what will be, what is in the way.',
        },
        { title: 'Katherine, one to one', recurrence: 'RRULE:FREQ=WEEKLY;BYDAY=TU' },
        { title: 'Office day', recurrence: 'RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=FR' },
      ])
    })

    it.each(UNKNOWN_IDS)('finds neither calendar nor event that is called %j', async (id) => {
      const span = { calendarId: id, from: new Date('2026-03-23'), to: new Date('2026-03-30') }
      const missing = { kind: 'not-found' }
      expect(await calendar.listEvents(accessToken, span)).toEqual(missing)
      expect(await calendar.readEvent(accessToken, { calendarId: id, eventId: 'x' })).toEqual(missing)
      expect(await calendar.readEvent(accessToken, { calendarId: 'primary', eventId: id })).toEqual(missing)
    })

    it('finds no instance that does not take place', async () => {
      const [standUp] = await onDay('2026-03-30', 'Stand-up')
      for (const planned of ['20260417T073000Z', '20260330T073001Z', '20260404T073000Z', '99999999T999999Z'])
        expect(await detailsOf(`${standUp?.recurringEventId}_${planned}`)).toBe('not-found')
    })
  })
}
