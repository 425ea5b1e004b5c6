import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guestLink, knock, newRoom } from '../../../../tests/chapters/rooms.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { newFounder, newMember } from '../../../../tests/people.ts'

describe('listWaitingGuests', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('lists those who wait before all rooms, the longest first, and none who was let in or sent away', async () => {
    const founder = await newFounder(office)
    const [one, other] = [await newRoom(founder), await newRoom(founder)]
    const first = await knock(await guestLink(founder, one.id), office.browser(), 'Ada')
    office.clock.advance(1)
    const second = await knock(await guestLink(founder, other.id), office.browser(), 'Bob')
    const third = await knock(await guestLink(founder, one.id), office.browser(), 'Cyd')
    const { guestIdentity } = third
    await founder.browser.call('admitGuest', { roomId: one.id, guestIdentity, action: 'admit' })
    const { guests } = await founder.browser.call('listWaitingGuests')
    expect(guests).toEqual([
      {
        ...{ roomId: one.id, guestIdentity: first.guestIdentity, guestName: 'Ada' },
        since: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      },
      expect.objectContaining({ roomId: other.id, guestIdentity: second.guestIdentity }),
    ])
    await founder.browser.call('admitGuest', {
      ...{ roomId: one.id, guestIdentity: first.guestIdentity, action: 'deny' },
    })
    const later = (await founder.browser.call('listWaitingGuests')).guests
    expect(later.map(({ guestName }) => guestName)).toEqual(['Bob'])
    office.clock.advance(7_200)
    expect((await founder.browser.call('listWaitingGuests')).guests).toEqual([])
  })

  it('shows each who may admit the guests that wait for them, and others of no organization', async () => {
    const founder = await newFounder(office)
    const second = await newMember(office, founder, 'admin')
    const stranger = await newFounder(office)
    const { id } = await newRoom(founder)
    await knock(await guestLink(founder, id), office.browser(), 'Ada')
    await knock(await guestLink(founder, id, { allowedAdmins: [second.id] }), office.browser(), 'Bob')
    const seenBy = async ({ browser }: Pick<typeof second, 'browser'>) =>
      (await browser.call('listWaitingGuests')).guests.map(({ guestName }) => guestName)
    expect(await seenBy(founder)).toEqual(['Ada'])
    expect(await seenBy(second)).toEqual(['Bob'])
    expect(await seenBy(stranger)).toEqual([])
  })

  it('refuses those who may not admit, until the organization lets them', async () => {
    const founder = await newFounder(office)
    const moderator = await newMember(office, founder, 'moderator')
    const { id } = await newRoom(founder)
    await knock(await guestLink(founder, id, { allowAll: true }), office.browser(), 'Ada')
    expect((await moderator.browser.request('listWaitingGuests')).status).toBe(403)
    expect((await office.browser().request('listWaitingGuests')).status).toBe(401)
    await founder.browser.call('updateOrganizationSettings', { guestAdmission: 'moderator' })
    expect((await moderator.browser.call('listWaitingGuests')).guests).toHaveLength(1)
  })
})
