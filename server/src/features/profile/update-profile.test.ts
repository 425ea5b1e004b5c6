import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { auditOf, newFounder, newPerson } from '../../../tests/people.ts'
import { type RecordedOutbox, recordOutbox } from '../../../tests/recorded-outbox.ts'

describe('updateProfile', () => {
  let office: TestOffice
  let outbox: RecordedOutbox
  beforeAll(async () => {
    office = await openTestOffice()
    outbox = await recordOutbox(office.database)
  })
  afterAll(() => office.close())

  it('changes the name and nothing else, and says when', async () => {
    const { browser } = await newPerson(office)
    const before = await browser.call('getCurrentUser')
    const after = await browser.call('updateProfile', { displayName: '  Ada Lovelace ' })
    expect(after).toEqual({ ...before, displayName: 'Ada Lovelace', updatedAt: expect.any(String) })
    expect(Date.parse(after.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt))
    expect(await browser.call('getCurrentUser')).toEqual(after)
  })

  it('writes a name into the trail where it is another one, and no time of change where it is not', async () => {
    const founder = await newFounder(office)
    const { browser } = founder
    const named = await browser.call('updateProfile', { displayName: 'Ada Lovelace' })
    for (const displayName of ['Ada Lovelace', ' Ada Lovelace '])
      expect(await browser.call('updateProfile', { displayName })).toEqual(named)
    await browser.call('updateProfile', { displayName: 'Ada L.' })
    const renamed = (await auditOf(founder)).filter(({ action }) => action === 'member.renamed')
    expect(renamed.map(({ detail }) => detail)).toEqual([
      { displayName: 'Ada Lovelace' },
      { displayName: 'Ada L.' },
    ])
  })

  it.each(['ab', 'x'.repeat(100), '李雷', '👩‍🚀🚀', "Robert'); drop table users;--"])(
    'takes %j',
    async (displayName) => {
      const { browser } = await newPerson(office)
      expect((await browser.call('updateProfile', { displayName })).displayName).toBe(displayName)
    },
  )

  it.each(['', 'a', ' a ', 'x'.repeat(101), 'a\u0000b', 'tab\tbed', 'evil\u202etxt', '\u200b\u200b\u200b'])(
    'refuses %j and changes nothing',
    async (displayName) => {
      const { browser } = await newPerson(office)
      const before = await browser.call('getCurrentUser')
      const answer = await browser.request('updateProfile', { displayName })
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 400, error: 'invalid-input', details: [{ field: 'displayName' }] },
      })
      expect(await browser.call('getCurrentUser')).toEqual(before)
    },
  )

  it.each([undefined, null, 12, ['ab'], { toString: 'ab' }])(
    'refuses %j: the wrong type',
    async (displayName) => {
      const { browser } = await newPerson(office)
      const answer = await browser.request('updateProfile', { displayName: displayName as unknown as string })
      expect(answer).toMatchObject({ status: 400, body: { details: [{ field: 'displayName' }] } })
    },
  )

  it('takes whether meetings show, with a name or without one, and refuses other words', async () => {
    const { browser } = await newPerson(office)
    const before = await browser.call('getCurrentUser')
    expect(before.calendarStatus).toBe('off')
    const after = await browser.call('updateProfile', { calendarStatus: 'on' })
    expect(after).toEqual({ ...before, calendarStatus: 'on', updatedAt: expect.any(String) })
    const both = await browser.call('updateProfile', { displayName: 'Grace', calendarStatus: 'off' })
    expect(both).toMatchObject({ displayName: 'Grace', calendarStatus: 'off' })
    for (const calendarStatus of ['yes', true, null])
      expect(await browser.request('updateProfile', { calendarStatus } as never)).toMatchObject({
        status: 400,
        body: { details: [{ field: 'calendarStatus' }] },
      })
  })

  it('shows colleagues the clock of a zone, tells them, and takes it away again', async () => {
    const { browser, id, organizationId } = await newFounder(office)
    const before = await browser.call('getCurrentUser')
    const after = await browser.call('updateProfile', { timeZone: 'Asia/Kathmandu' })
    expect(after).toEqual({ ...before, timeZone: 'Asia/Kathmandu', updatedAt: expect.any(String) })
    expect(await browser.call('getMember', { id })).toMatchObject({ timeZone: 'Asia/Kathmandu' })
    const { data } = await browser.call('listMembers', {})
    expect(data).toMatchObject([{ id, timeZone: 'Asia/Kathmandu' }])
    const told = (await outbox.events(`org:${organizationId}`)).filter(
      ({ type }) => type === 'profile.updated',
    )
    expect(told).toMatchObject([{ data: { userId: id } }])
    const none = await browser.call('updateProfile', { timeZone: null })
    expect(none).not.toHaveProperty('timeZone')
    expect(await browser.call('getMember', { id })).not.toHaveProperty('timeZone')
  })

  it.each([
    ['europe/berlin', 'Europe/Berlin'],
    ['AMERICA/PORT-AU-PRINCE', 'America/Port-au-Prince'],
    // the runtime knows these by another name
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['us/eastern', 'us/eastern'],
  ])('keeps the zone %s as %s', async (timeZone, kept) => {
    const { browser } = await newPerson(office)
    expect(await browser.call('updateProfile', { timeZone })).toMatchObject({ timeZone: kept })
  })

  it.each(['Mars/Olympus', '', 'x'.repeat(65), 12])('refuses %j as a zone', async (timeZone) => {
    const { browser } = await newPerson(office)
    const before = await browser.call('getCurrentUser')
    expect(await browser.request('updateProfile', { timeZone } as never)).toMatchObject({
      status: 400,
      body: { details: [{ field: 'timeZone' }] },
    })
    expect(await browser.call('getCurrentUser')).toEqual(before)
  })

  it('drops fields it does not know: no member changes their address or role that way', async () => {
    const { browser, email } = await newPerson(office)
    const body = { displayName: 'Mallory', email: 'x@y.example', role: 'admin', id: '1' }
    expect(await browser.call('updateProfile', body)).toMatchObject({
      displayName: 'Mallory',
      email,
      organizationMemberships: [],
    })
  })

  it('is refused without a session, whatever the body', async () => {
    expect(await office.browser().request('updateProfile', { displayName: '' })).toMatchObject({
      status: 401,
    })
  })
})
