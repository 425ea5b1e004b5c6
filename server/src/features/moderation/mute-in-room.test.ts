import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atMedia, enterRoom, insideOf, newRoom } from '../../../tests/chapters/rooms.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember, type Person } from '../../../tests/people.ts'
import { until } from '../../../tests/until.ts'

describe('muteInRoom', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
    await until(async () => office.office.jobs.isLeader())
  })
  afterAll(() => office.close())

  async function scene() {
    const founder = await newFounder(office)
    const [member, moderator] = [
      await newMember(office, founder, 'member'),
      await newMember(office, founder, 'moderator'),
    ]
    const { id: roomId } = await newRoom(founder)
    await enterRoom(office, member, roomId)
    for (const source of ['microphone', 'camera'])
      await atMedia(office, 'publish', { room: roomId, identity: member.id, source })
    const mute = ({ browser }: Pick<Person, 'browser'>, whom: object = { userId: member.id }) =>
      browser.request('muteInRoom', { roomId, ...whom })
    return { founder, member, moderator, roomId, mute }
  }

  it('mutes the microphone of somebody inside, and leaves their camera', async () => {
    const { member, moderator, roomId, mute } = await scene()
    expect((await mute(moderator)).status).toBe(204)
    const tracks = (await insideOf(office, roomId)).get(member.id)?.tracks ?? []
    expect(tracks.map(({ source, muted }) => ({ source, muted }))).toEqual([
      { source: 'microphone', muted: true },
      { source: 'camera', muted: false },
    ])
  })

  it('acts on no higher rank, and on the same', async () => {
    const { founder, moderator, roomId, mute } = await scene()
    await enterRoom(office, founder, roomId)
    await enterRoom(office, moderator, roomId)
    expect(await mute(moderator, { userId: founder.id })).toMatchObject({
      status: 403,
      body: { error: 'rank-too-high' },
    })
    expect((await mute(moderator, { userId: moderator.id })).status).toBe(204)
    expect((await mute(founder, { userId: moderator.id })).status).toBe(204)
  })

  it('is for moderators, and for who is inside', async () => {
    const { founder, member, moderator, mute } = await scene()
    expect(await mute(member)).toMatchObject({ status: 403, body: { error: 'role-not-allowed' } })
    expect(await mute(moderator, { userId: founder.id })).toMatchObject({
      status: 409,
      body: { error: 'not-inside' },
    })
    const stranger = await newFounder(office)
    expect(await mute(stranger)).toMatchObject({ status: 404, body: { error: 'room-not-found' } })
    expect(await mute(moderator, { userId: stranger.id })).toMatchObject({
      status: 404,
      body: { error: 'member-not-found' },
    })
    const guestIdentity = 'guest:5b0e7c1d-93a4-4f68-8d27-6c1f0a2e4b93'
    expect(await mute(moderator, { guestIdentity })).toMatchObject({
      status: 404,
      body: { error: 'guest-not-found' },
    })
  })

  it('wants one of the two: a member, or a guest', async () => {
    const { founder, member, mute } = await scene()
    const guestIdentity = 'guest:5b0e7c1d-93a4-4f68-8d27-6c1f0a2e4b93'
    for (const whom of [{}, { userId: member.id, guestIdentity }])
      expect((await mute(founder, whom)).status).toBe(400)
  })
})
