import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guestLink, knock, newRoom, type TestGuest } from '../../../../tests/chapters/rooms.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { newFounder, newMember } from '../../../../tests/people.ts'

describe('listGuests', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('lists who waits first, the longest first, then the admitted, then the others of a day', async () => {
    const founder = await newFounder(office)
    const { id: roomId } = await newRoom(founder)
    const link = await guestLink(founder, roomId, { durationSeconds: 172_800 })
    const names = ['Ada', 'Bob', 'Cyd', 'Dan']
    const guests: TestGuest[] = []
    for (const name of names) guests.push(await knock(link, office.browser(), name))
    const act = (at: number, action: 'admit' | 'deny') =>
      founder.browser.call('admitGuest', {
        roomId,
        guestIdentity: guests[at]?.guestIdentity as string,
        action,
      })
    await act(0, 'deny')
    await act(1, 'admit')
    const listed = (await founder.browser.call('listGuests', { roomId })).guests
    expect(listed.map(({ guestName, state }) => [guestName, state])).toEqual([
      ['Cyd', 'waiting'],
      ['Dan', 'waiting'],
      ['Bob', 'admitted'],
      ['Ada', 'denied'],
    ])
    expect(listed[0]).toEqual({
      guestIdentity: guests[2]?.guestIdentity,
      guestName: 'Cyd',
      state: 'waiting',
      since: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    })
    office.clock.advance(86_400)
    const later = (await founder.browser.call('listGuests', { roomId })).guests
    expect(later.map(({ guestName }) => guestName)).toEqual(['Cyd', 'Dan', 'Bob'])
  })

  it('is empty for a room without guests, and knows each room alone', async () => {
    const founder = await newFounder(office)
    const [one, other] = [await newRoom(founder), await newRoom(founder)]
    await knock(await guestLink(founder, one.id), office.browser())
    expect((await founder.browser.call('listGuests', { roomId: other.id })).guests).toEqual([])
  })

  it('says of each guest whether the caller may decide on them', async () => {
    const founder = await newFounder(office)
    const second = await newMember(office, founder, 'admin')
    const { id: roomId } = await newRoom(founder)
    await knock(await guestLink(founder, roomId), office.browser(), 'Ada')
    await knock(await guestLink(founder, roomId, { allowedAdmins: [second.id] }), office.browser(), 'Bob')
    const seenBy = async ({ browser }: Pick<typeof second, 'browser'>) => {
      const { guests } = await browser.call('listGuests', { roomId })
      return guests.map(({ guestName, mayDecide }) => [guestName, mayDecide])
    }
    expect(await seenBy(founder)).toEqual([
      ['Ada', undefined],
      ['Bob', false],
    ])
    expect(await seenBy(second)).toEqual([
      ['Ada', false],
      ['Bob', undefined],
    ])
  })

  it('does not find rooms of other organizations, and none that do not exist', async () => {
    const [founder, other] = [await newFounder(office), await newFounder(office)]
    const { id } = await newRoom(other)
    for (const roomId of [id, 'nowhere', '00000000-0000-4000-8000-000000000000'])
      expect((await founder.browser.request('listGuests', { roomId })).status).toBe(404)
  })

  it('refuses a room that is no text, and those who may not admit', async () => {
    const founder = await newFounder(office)
    expect((await founder.browser.request('listGuests', {} as never)).status).toBe(400)
    expect((await founder.browser.request('listGuests', { roomId: 5 } as never)).status).toBe(400)
    const { id: roomId } = await newRoom(founder)
    const moderator = await newMember(office, founder, 'moderator')
    expect((await moderator.browser.request('listGuests', { roomId })).status).toBe(403)
    expect((await office.browser().request('listGuests', { roomId })).status).toBe(401)
  })
})
