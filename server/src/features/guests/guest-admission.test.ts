import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guestLink, knock, newRoom } from '../../../tests/chapters/rooms.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember, type Person } from '../../../tests/people.ts'
import { type RecordedOutbox, recordOutbox } from '../../../tests/recorded-outbox.ts'

describe('guestAdmission of an organization', () => {
  let office: TestOffice
  let outbox: RecordedOutbox
  beforeAll(async () => {
    office = await openTestOffice()
    outbox = await recordOutbox(office.database)
  })
  afterAll(() => office.close())

  type Admission = 'admin' | 'moderator' | 'member'

  /** A guest who waits by a link of a member. */
  async function scene(
    guestAdmission: Admission,
    allowAll = true,
    invites: 'member' | 'moderator' = 'member',
  ) {
    const founder = await newFounder(office)
    await founder.browser.call('updateOrganizationSettings', { guestAdmission })
    const [moderator, member, guestOfTeam] = [
      await newMember(office, founder, 'moderator'),
      await newMember(office, founder, 'member'),
      await newMember(office, founder, 'guest'),
    ]
    const { id: roomId } = await newRoom(founder)
    const inviter = { ...(invites === 'member' ? member : moderator), organizationId: founder.organizationId }
    const { guestIdentity } = await knock(await guestLink(inviter, roomId, { allowAll }), office.browser())
    const admit = ({ browser }: Pick<Person, 'browser'>) =>
      browser.request('admitGuest', { roomId, guestIdentity, action: 'admit' })
    const heard = async (type: string) =>
      (await outbox.events(`user:${founder.organizationId}`)).filter((event) => event.type === type)
    return { founder, moderator, member, guestOfTeam, roomId, guestIdentity, admit, heard }
  }

  it.each<[Admission, number]>([
    ['admin', 1],
    ['moderator', 2],
    ['member', 3],
  ])('%s: from that role on they hear of guests, list them and let them in', async (admission, count) => {
    const { founder, moderator, member, guestOfTeam, roomId, admit, heard } = await scene(admission)
    expect(await heard('guest.waiting')).toHaveLength(count)
    const people = [founder, moderator, member, guestOfTeam]
    for (const [index, { browser }] of people.entries()) {
      const may = index < count
      expect((await browser.request('listGuests', { roomId })).status).toBe(may ? 200 : 403)
      const { organizationMemberships } = await browser.call('getCurrentUser')
      expect(organizationMemberships[0]?.permissions).toEqual(
        may ? expect.arrayContaining(['AdmitGuest']) : expect.not.arrayContaining(['AdmitGuest']),
      )
    }
    for (const person of people.slice(count))
      for (const answer of [await admit(person), await person.browser.request('admitGuest', {} as never)])
        expect(answer).toMatchObject({ status: 403, body: { error: 'role-not-allowed' } })
    expect((await admit(people[count - 1] as Person)).status).toBe(200)
  })

  it('lets the inviter decide alone, where they may', async () => {
    const { moderator, member, admit, heard } = await scene('member', false)
    expect(await heard('guest.waiting')).toHaveLength(1)
    expect(await admit(moderator)).toMatchObject({ status: 403, body: { error: 'not-allowed-to-admit' } })
    expect((await admit(member)).status).toBe(200)
  })

  it('tells the inviter who may not that their guest waits, and who may', async () => {
    const { founder, roomId, guestIdentity, heard } = await scene('admin')
    expect((await heard('guest.arrived')).map(({ data }) => data)).toEqual([
      { roomId, guestIdentity, guestName: 'Gast', deciders: [founder.id] },
    ])
    expect(await (await scene('member')).heard('guest.arrived')).toEqual([])
  })

  it('tells the others of waiting guests once none of those who were named may decide', async () => {
    const { founder, moderator, heard } = await scene('moderator', false, 'moderator')
    const other = await newMember(office, founder, 'moderator')
    expect(await heard('guest.waiting')).toHaveLength(1)
    await founder.browser.call('updateMember', { id: moderator.id, role: 'member' })
    const told = (await heard('guest.waiting')).slice(1).map(({ channel }) => channel)
    const channelOf = async ({ browser }: Pick<Person, 'browser'>) =>
      `user:${founder.organizationId}:${(await browser.call('getCurrentUser')).presenceUserId}`
    expect(told.sort()).toEqual([await channelOf(founder), await channelOf(other)].sort())
  })
})
