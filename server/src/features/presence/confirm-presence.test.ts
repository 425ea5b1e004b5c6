import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newPerson } from '../../../tests/people.ts'
import { joinedBy, newColleague } from '../../../tests/realtime/colleagues.ts'
import { type RecordedOutbox, recordOutbox } from '../../../tests/recorded-outbox.ts'

let office: TestOffice
let outbox: RecordedOutbox
beforeAll(async () => {
  office = await openTestOffice()
  outbox = await recordOutbox(office.database)
})
afterAll(() => office.close())

describe('confirmPresence', () => {
  it('brings who is offline online and tells colleagues once', async () => {
    const ada = await newColleague(office)
    const grace = await joinedBy(office, ada)
    const record = { userId: ada.user.identityId, status: 'online' }
    for (let device = 0; device < 3; device++)
      expect(await ada.browser.call('confirmPresence')).toEqual(record)

    const events = await outbox.events(`status:${ada.organization.identityId}`)
    expect(events.map(({ channel, data }) => ({ channel, data }))).toEqual([
      { channel: `status:${ada.organization.identityId}:${ada.user.identityId}`, data: record },
    ])
    const { statuses } = await grace.browser.call('getPresenceSnapshot', { userIds: [ada.user.id] })
    expect(statuses).toEqual([record])
  })

  it.each(['away', 'busy', 'appear_offline'] as const)('does not override %s', async (status) => {
    const ada = await newColleague(office)
    await ada.browser.call('setPresenceStatus', { status })
    const before = await outbox.events(`status:${ada.organization.identityId}`)
    expect(await ada.browser.call('confirmPresence')).toEqual({ userId: ada.user.identityId, status })
    expect(await outbox.events(`status:${ada.organization.identityId}`)).toEqual(before)
  })

  it('publishes one event where many devices connect at once', async () => {
    const ada = await newColleague(office)
    await Promise.all(Array.from({ length: 20 }, () => ada.browser.call('confirmPresence')))
    expect(await outbox.events(`status:${ada.organization.identityId}`)).toHaveLength(1)
  })

  it('is refused without a session and without an active organization', async () => {
    expect((await office.browser().request('confirmPresence')).status).toBe(401)
    const nobody = await newPerson(office)
    expect((await nobody.browser.request('confirmPresence')).status).toBe(403)
  })
})
