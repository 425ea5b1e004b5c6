import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newPerson, type Person } from '../../../tests/people.ts'
import { type CalendarVendor, calendarVendor } from '../../../tests/vendors/calendar-vendor.ts'
import { resealPlace } from '../../platform/secrets/resealing.ts'
import { makeKeyRing, needsReseal } from '../../platform/secrets/sealed-column.ts'
import { Secret } from '../../platform/secrets/secret.ts'
import { CALENDAR_KEYS, sealedCalendarTokens } from './connection/tokens.ts'
import { purgeCodesJob } from './jobs.ts'

const [OLD, NEW] = ['old'.repeat(12), 'new'.repeat(12)]
const oldKey = () => makeKeyRing(CALENDAR_KEYS, new Secret(OLD))
const bothKeys = () => makeKeyRing(CALENDAR_KEYS, new Secret(NEW), [new Secret(OLD)])
const goOn = new AbortController().signal

describe('the keys of calendar tokens', () => {
  let vendor: CalendarVendor
  let before: TestOffice
  let after: TestOffice
  beforeAll(async () => {
    vendor = await calendarVendor()
    vendor.respond = () => ({ body: { items: [], value: [] } })
    before = await openTestOffice({ settings: { ...vendor.settings, SECRET_KEY: OLD } })
    const settings = { ...vendor.settings, SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: OLD }
    after = await openTestOffice({ settings, beside: before })
  })
  afterAll(async () => {
    await after.close()
    await before.close()
    await vendor.close()
  })
  const sealedOf = async ({ id }: Person): Promise<Buffer> => {
    const { rows } = await before.database.pool.query(
      'select sealed_tokens as sealed from calendar_connections where user_id = $1',
      [id],
    )
    return rows[0].sealed
  }
  const calendarsAt = (office: TestOffice, { cookie }: Person) =>
    fetch(`${office.baseUrl}/api/v1/calendar/provider-a/calendars`, {
      headers: { cookie: `atrium_session=${cookie}` },
    })
  const connected = async () => {
    const person = await newPerson(before)
    await vendor.connect(person.browser, 'A')
    return person
  }

  it('change with the next use', async () => {
    const person = await connected()
    expect(needsReseal(oldKey(), await sealedOf(person))).toBe(false)
    expect((await calendarsAt(after, person)).status).toBe(200)
    expect(needsReseal(bothKeys(), await sealedOf(person))).toBe(false)
    // a node that was not restarted yet does not know the new key: it says so, and breaks nothing
    expect((await calendarsAt(before, person)).status).toBe(409)
    expect((await calendarsAt(after, person)).status).toBe(200)
  })

  it('change for everybody by the job, leaving what no key opens', async () => {
    const people = [await connected(), await connected(), await connected()]
    await vendor.connect((people[0] as Person).browser, 'B')
    const lost = await connected()
    await before.database.pool.query(
      `update calendar_connections set sealed_tokens = '\\x0102' where user_id = $1`,
      [lost.id],
    )
    await resealPlace(before.database.db, sealedCalendarTokens(bothKeys()), goOn)
    const { rows } = await before.database.pool.query(
      'select user_id, sealed_tokens from calendar_connections',
    )
    const stale = rows.filter(({ sealed_tokens }) => needsReseal(bothKeys(), sealed_tokens))
    expect(stale).toEqual([])
    expect((await sealedOf(lost)).length).toBe(2)
    for (const person of people) expect((await calendarsAt(after, person)).status).toBe(200)
    expect((await calendarsAt(after, lost)).status).toBe(409)
  })

  it('leave a refresh that is under way alone', async () => {
    const person = await connected()
    await before.database.pool.query(
      'update calendar_connections set refreshing_until = now() where user_id = $1',
      [person.id],
    )
    const sealed = await sealedOf(person)
    await resealPlace(before.database.db, sealedCalendarTokens(bothKeys()), goOn)
    expect((await sealedOf(person)).equals(sealed)).toBe(true)
  })

  it('codes that were handed in are forgotten after a day, and not before', async () => {
    const { db, pool } = before.database
    const count = async () => (await pool.query('select count(*)::int as n from calendar_codes')).rows[0].n
    await pool.query('delete from calendar_codes')
    await connected()
    const job = purgeCodesJob({ db, clock: before.clock })
    await job.run(goOn)
    expect(await count()).toBe(1)
    before.clock.advance(25 * 3_600)
    await job.run(goOn)
    expect(await count()).toBe(0)
  })
})
