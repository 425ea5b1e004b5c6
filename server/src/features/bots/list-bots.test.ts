import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember, type Person } from '../../../tests/people.ts'

describe('listBots', () => {
  let office: TestOffice
  let founder: Person & { organizationId: string }
  beforeAll(async () => {
    office = await openTestOffice()
    founder = await newFounder(office)
  })
  afterAll(() => office.close())

  const make = (name = 'Minutes') => founder.browser.call('createBot', { name })

  it('lists the newest first, with when each was used last, for admins alone', async () => {
    const { token } = await make('First')
    await make('Second')
    await office.program(token).call('listMembers')
    const list = async () => (await founder.browser.call('listBots')).bots
    await expect.poll(list, { timeout: 60_000 }).toMatchObject([
      { name: 'Second', lastUsedAt: null, createdBy: founder.id },
      { name: 'First', lastUsedAt: expect.any(String) },
    ])
    expect(JSON.stringify(await list())).not.toContain(token)
    const moderator = await newMember(office, founder, 'moderator')
    expect(await moderator.browser.request('listBots')).toMatchObject({ status: 403 })
  })
})
