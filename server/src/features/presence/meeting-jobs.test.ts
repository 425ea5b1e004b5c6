import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { type Colleague, joinedBy, newColleague } from '../../../tests/realtime/colleagues.ts'
import { type RecordedOutbox, recordOutbox } from '../../../tests/recorded-outbox.ts'
import { type CalendarVendor, calendarVendor } from '../../../tests/vendors/calendar-vendor.ts'

const MINUTE = 60

describe('meetings of the calendar', () => {
  let vendor: CalendarVendor
  let office: TestOffice
  let outbox: RecordedOutbox
  let ada: Colleague
  let grace: Colleague
  beforeAll(async () => {
    vendor = await calendarVendor()
    office = await openTestOffice({ settings: vendor.settings })
    outbox = await recordOutbox(office.database)
    // the people here have no connections: the poll would notice
    await office.office.jobs.stop()
  })
  afterAll(async () => {
    await office.close()
    await vendor.close()
  })
  beforeEach(async () => {
    ada = await newColleague(office)
    grace = await joinedBy(office, ada)
    await vendor.connect(ada.browser, 'A')
    await ada.browser.call('updateProfile', { calendarStatus: 'on' })
    await ada.browser.call('confirmPresence')
    vendor.asked.length = 0
  })

  async function run(name: string): Promise<void> {
    const job = office.office.calendars.jobs?.find((one) => one.name === name)
    if (!job) throw new Error(`there is no job ${name}`)
    await job.run(new AbortController().signal)
  }
  const readAndSwitch = async () => {
    await run('read-meetings')
    await run('switch-meetings')
  }
  const inMinutes = (minutes: number) =>
    new Date(office.clock.now().getTime() + minutes * MINUTE * 1_000).toISOString()
  /** The provider has this from now on. */
  const hasMeeting = (from: number, to: number) => {
    const [start, end] = [{ dateTime: inMinutes(from) }, { dateTime: inMinutes(to) }]
    const items = [{ id: 'one', summary: 'Secret plan', start, end }]
    vendor.respond = () => ({ body: { timeZone: 'UTC', items } })
  }
  async function viewOf(of = ada) {
    const { presenceStatus, activity } = await grace.browser.call('getMember', { id: of.user.id })
    return [presenceStatus, activity]
  }
  async function events() {
    const statuses = await outbox.events(`status:${ada.organization.identityId}:${ada.user.identityId}`)
    const profiles = (await outbox.events(`org:${ada.organization.identityId}`)).filter(
      ({ type, data }) => type === 'profile.updated' && 'activity' in (data as object),
    )
    return {
      statuses: statuses.map(({ data }) => (data as { status: string }).status),
      activities: profiles.map(({ data }) => (data as { activity: unknown }).activity),
    }
  }

  it('read as busy from their begin to their end, and no title is kept or told', async () => {
    hasMeeting(10, 40)
    await readAndSwitch()
    expect(await viewOf()).toEqual(['online', undefined])
    office.clock.advance(11 * MINUTE)
    await run('switch-meetings')
    expect(await viewOf()).toEqual(['busy', 'in-meeting'])
    office.clock.advance(30 * MINUTE)
    await run('switch-meetings')
    expect(await viewOf()).toEqual(['online', undefined])
    expect(await events()).toEqual({
      statuses: ['online', 'busy', 'online'],
      activities: ['in-meeting', null],
    })
    expect((await ada.browser.call('getCurrentUser')).manualStatus).toBeNull()
    const { rows } = await office.database.pool.query('select times::text from presence_meetings')
    expect(JSON.stringify([rows, await outbox.events()])).not.toContain('Secret')
  })

  it('follow the calendar: one that is moved ends here, one that is taken away too', async () => {
    hasMeeting(-10, 30)
    await readAndSwitch()
    expect(await viewOf()).toEqual(['busy', 'in-meeting'])
    hasMeeting(60, 90)
    office.clock.advance(6 * MINUTE)
    await readAndSwitch()
    expect(await viewOf()).toEqual(['online', undefined])
  })

  it('are lower than a choice, and make no member visible', async () => {
    await ada.browser.call('setPresenceStatus', { status: 'appear_offline' })
    hasMeeting(-10, 30)
    await readAndSwitch()
    expect(await viewOf()).toEqual(['offline', undefined])
    expect((await events()).activities).toEqual([])
    await ada.browser.call('setPresenceStatus', { status: 'away' })
    expect(await viewOf()).toEqual(['away', undefined])
    await ada.browser.call('setPresenceStatus', { status: 'busy', until: inMinutes(5) })
    expect(await viewOf()).toEqual(['busy', undefined])
  })

  it('stay as they are known while the provider fails, and are not asked for again at once', async () => {
    hasMeeting(-10, 30)
    await readAndSwitch()
    const asked = vendor.asked.length
    await run('read-meetings')
    expect(vendor.asked).toHaveLength(asked)
    vendor.respond = () => ({ status: 400, body: {} })
    office.clock.advance(6 * MINUTE)
    await readAndSwitch()
    expect(vendor.asked.length).toBeGreaterThan(asked)
    expect(await viewOf()).toEqual(['busy', 'in-meeting'])
  })

  it('show none who has not chosen it, is not there, or has disconnected', async () => {
    hasMeeting(-10, 30)
    await ada.browser.call('updateProfile', { calendarStatus: 'off' })
    await readAndSwitch()
    expect(await viewOf()).toEqual(['online', undefined])
    const away = await joinedBy(office, ada)
    await vendor.connect(away.browser, 'A')
    await away.browser.call('updateProfile', { calendarStatus: 'on' })
    vendor.asked.length = 0
    await readAndSwitch()
    expect(vendor.asked).toEqual([])
    await ada.browser.call('updateProfile', { calendarStatus: 'on' })
    await readAndSwitch()
    expect(await viewOf()).toEqual(['busy', 'in-meeting'])
    vendor.respond = () => ({ body: {} })
    await ada.browser.call('disconnectProviderACalendar')
    await run('switch-meetings')
    expect(await viewOf()).toEqual(['online', undefined])
  })

  it('show of no calendar that was disconnected while it was read, and of one that was connected then soon', async () => {
    hasMeeting(-10, 30)
    const answer = vendor.respond
    vendor.respond = async (...asked) => {
      vendor.respond = answer
      await ada.browser.call('disconnectProviderACalendar')
      return await answer(...asked)
    }
    await readAndSwitch()
    expect(await viewOf()).toEqual(['online', undefined])
    vendor.respond = answer
    await vendor.connect(ada.browser, 'A')
    hasMeeting(-10, 30)
    await readAndSwitch()
    expect(await viewOf()).toEqual(['busy', 'in-meeting'])
  })

  it('end at once where they are switched off, and leave nothing behind', async () => {
    hasMeeting(-10, 30)
    await readAndSwitch()
    expect(await viewOf()).toEqual(['busy', 'in-meeting'])
    const user = await ada.browser.call('updateProfile', { calendarStatus: 'off' })
    expect(user.calendarStatus).toBe('off')
    await run('switch-meetings')
    expect(await viewOf()).toEqual(['online', undefined])
    const { rows } = await office.database.pool.query(
      'select times from presence_meetings where user_id = $1',
      [ada.user.id],
    )
    expect(rows).toEqual([{ times: {} }])
  })

  it('show where one is: in a room first', async () => {
    hasMeeting(-10, 30)
    await readAndSwitch()
    await office.database.pool.query(
      `insert into media_participants (sid, organization_id, room_sid, room_id, identity, user_id, counts, waits,
        joined_at, counted)
       values ('PA_' || $2, $1, 'RM_1', gen_random_uuid(), $2::text, $2::bigint, true, false, now(), true)`,
      [ada.organization.id, ada.user.id],
    )
    expect(await viewOf()).toEqual(['busy', 'in-room'])
    office.clock.advance(31 * MINUTE)
    await run('switch-meetings')
    expect(await viewOf()).toEqual(['online', 'in-room'])
    expect((await events()).activities).toEqual(['in-meeting'])
  })
})

describe('an office without PRESENCE_FROM_CALENDAR', () => {
  it('offers it to no member, and says so', async () => {
    const office = await openTestOffice({ settings: { PRESENCE_FROM_CALENDAR: 'false' } })
    try {
      const ada = await newColleague(office)
      expect(await ada.browser.call('getCurrentUser')).not.toHaveProperty('calendarStatus')
      expect(await ada.browser.request('updateProfile', { calendarStatus: 'on' })).toMatchObject({
        status: 403,
        body: { error: 'calendar-disabled' },
      })
      expect((await ada.browser.request('updateProfile', { calendarStatus: 'off' })).status).toBe(200)
      expect(office.office.calendars.jobs?.map(({ name }) => name)).not.toContain('read-meetings')
    } finally {
      await office.close()
    }
  })
})
