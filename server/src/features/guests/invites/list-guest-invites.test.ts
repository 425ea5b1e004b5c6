import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newRoom } from '../../../../tests/chapters/rooms.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { newFounder, newMember } from '../../../../tests/people.ts'

describe('listGuestInvites', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  type Founder = Awaited<ReturnType<typeof newFounder>>
  const invite = async (
    { organizationId: orgId }: Founder,
    { browser }: Pick<Founder, 'browser'>,
    roomId: string,
    more: { allowAll?: boolean; allowedAdmins?: string[]; durationSeconds?: number } = {},
  ) => (await browser.call('inviteGuest', { orgId, roomId, durationSeconds: 3_600, ...more })).inviteId
  const idsOf = async ({ browser }: Pick<Founder, 'browser'>) =>
    (await browser.call('listGuestInvites')).invites.map(({ inviteId }) => inviteId)

  it('lists what a link allows, the newest first', async () => {
    const founder = await newFounder(office)
    const { id: roomId } = await newRoom(founder)
    const first = await invite(founder, founder, roomId, { allowedAdmins: [founder.id] })
    office.clock.advance(1)
    const second = await invite(founder, founder, roomId, { allowAll: true, durationSeconds: 60 })
    const { invites } = await founder.browser.call('listGuestInvites')
    const common = { roomId, createdBy: founder.id }
    expect(invites).toEqual([
      { ...common, ...times(60), inviteId: second, allowAll: true, allowedAdmins: [] },
      { ...common, ...times(3_600), inviteId: first, allowAll: false, allowedAdmins: [founder.id] },
    ])
    const [newest] = invites
    expect(Date.parse(newest?.expiresAt ?? '') - Date.parse(newest?.createdAt ?? '')).toBe(60_000)
  })

  function times(_seconds: number) {
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    return { createdAt: time, expiresAt: time }
  }

  it('shows one’s own to members, and all to whoever may admit', async () => {
    const founder = await newFounder(office)
    const [member, moderator] = [
      await newMember(office, founder, 'member'),
      await newMember(office, founder, 'moderator'),
    ]
    const { id: roomId } = await newRoom(founder)
    const [ofFounder, ofMember] = [
      await invite(founder, founder, roomId),
      await invite(founder, member, roomId),
    ]
    expect(await idsOf(member)).toEqual([ofMember])
    expect(await idsOf(moderator)).toEqual([])
    expect(new Set(await idsOf(founder))).toEqual(new Set([ofFounder, ofMember]))
    const guest = await newMember(office, founder, 'guest')
    expect((await guest.browser.request('listGuestInvites')).status).toBe(403)
  })

  it('leaves out what has expired, and what other organizations have', async () => {
    const [founder, other] = [await newFounder(office), await newFounder(office)]
    const { id: roomId } = await newRoom(founder)
    await invite(founder, founder, roomId, { durationSeconds: 60 })
    expect(await idsOf(other)).toEqual([])
    expect(await idsOf(founder)).toHaveLength(1)
    office.clock.advance(61)
    expect(await idsOf(founder)).toEqual([])
  })

  it('forgets links a month after they have ended', async () => {
    const founder = await newFounder(office)
    const { id: roomId } = await newRoom(founder)
    const inviteId = await invite(founder, founder, roomId, { durationSeconds: 60 })
    const count = async () =>
      (await office.database.pool.query('select 1 from guest_invites where id = $1', [inviteId])).rowCount
    await office.office.jobs.runNow('purge-guests')
    expect(await count()).toBe(1)
    office.clock.advance(31 * 86_400)
    await office.office.jobs.runNow('purge-guests')
    expect(await count()).toBe(0)
  })
})
