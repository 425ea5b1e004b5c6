import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { devicesOf, newDevice } from '../../../tests/chapters/devices.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember } from '../../../tests/people.ts'

describe('listDevices', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('shows keys to colleagues, and names and times to their person alone', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const [older, newer] = [newDevice(), newDevice('Phone')]
    await member.browser.call('publishDevice', older)
    office.clock.advance(1)
    await member.browser.call('publishDevice', newer)
    office.clock.advance(1)
    await member.browser.call('publishDevice', older)
    expect(await devicesOf(founder, member)).toEqual(
      [older, newer].map(({ deviceId, publicKey }) => ({ deviceId, userId: member.id, publicKey })),
    )
    const [first, second] = await devicesOf(member, member)
    expect(first).toMatchObject(older)
    expect(second).toMatchObject({ ...newer, createdAt: second?.publishedAt })
    expect(first?.publishedAt).not.toBe(first?.createdAt)
  })

  it('finds nobody of other organizations', async () => {
    const [founder, stranger] = [await newFounder(office), await newFounder(office)]
    await founder.browser.call('publishDevice', newDevice())
    expect(await stranger.browser.request('listDevices', { userId: founder.id })).toMatchObject({
      ...{ status: 404, body: { error: 'member-not-found' } },
    })
    const many = { userIds: [founder.id, stranger.id, 'nobody', '0'] }
    expect(await stranger.browser.call('listDevices', many)).toEqual({ devices: [] })
  })

  it('lists those of many at once, and wants one way of naming them', async () => {
    const founder = await newFounder(office)
    const [one, other] = [
      await newMember(office, founder, 'member'),
      await newMember(office, founder, 'member'),
    ]
    const published = [newDevice(), newDevice()]
    await one.browser.call('publishDevice', published[0] as never)
    office.clock.advance(1)
    await other.browser.call('publishDevice', published[1] as never)
    const { devices } = await one.browser.call('listDevices', {
      userIds: [one.id, other.id, founder.id, one.id],
    })
    expect(devices).toEqual([
      expect.objectContaining({ ...published[0], userId: one.id, createdAt: expect.any(String) }),
      { deviceId: published[1]?.deviceId, publicKey: published[1]?.publicKey, userId: other.id },
    ])
    const many = Array.from({ length: 501 }, () => one.id)
    for (const input of [{}, { userId: one.id, userIds: [other.id] }, { userIds: [] }, { userIds: many }])
      expect((await one.browser.request('listDevices', input)).status).toBe(400)
  })
})
