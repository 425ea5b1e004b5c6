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
      [older, newer].map(({ deviceId, publicKey }) => ({ deviceId, publicKey })),
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
  })
})
